public import Imaging

/// Rules for the images that are worth sending, such as a limit on blur.
///
/// A policy is stored as a JSON object. Its keys are the reason codes of the rules. An unknown key is an error, because
/// a misspelled rule would silently allow everything:
///
/// ```json
/// {"too-blurred": {"limit": 0.3, "action": "reject"}, "glare": {"limit": 0.1, "action": "warn"}}
/// ```
///
/// The rules judge the image, not what it shows.
public struct ImagePolicy: Hashable, Sendable {
    /// A rule: the limit of a measure, and what happens beyond it.
    public typealias Rule = MeasureRule
    /// What happens to an image that breaks a rule.
    public typealias Action = MeasureRule.Action

    /// The rules, by the fault that they limit. A fault without a rule is allowed.
    public var rules: [ImageFault: Rule]

    /// Creates a policy with the given rules.
    public init(_ rules: [ImageFault: Rule] = [:]) { self.rules = rules }

    /// Returns the policy with an action for all rules.
    public func settingAction(_ action: Action) -> ImagePolicy {
        ImagePolicy(rules.mapValues { Rule(limit: $0.limit, action: action) })
    }

    /// Whether an image can be rejected.
    var canReject: Bool { rules.values.contains { $0.action == .reject } }

    /// Returns the broken rules, in the order of ``ImageFault``'s cases.
    ///
    /// - Parameter measures: The measures of an image.
    public func violations(of measures: ImageMeasures) -> [Violation] {
        ImageFault.allCases.compactMap { fault in
            guard let rule = rules[fault] else { return nil }
            let value = fault.value(in: measures)
            guard rule.isBroken(by: value, isMinimum: fault.isMinimum) else { return nil }
            return Violation(fault: fault, value: value, rule: rule)
        }
    }

    /// A rule that an image breaks.
    public struct Violation: Hashable, Sendable {
        /// The fault. Its raw value is the reason code.
        public var fault: ImageFault
        /// The measured value.
        public var value: Double
        /// The broken rule.
        public var rule: Rule

        /// A sentence with the measured value and the limit.
        public var message: String {
            rule.message(
                measureName: fault.measureName, value: value, decimalCount: 4, isMinimum: fault.isMinimum)
        }
    }
}

extension ImagePolicy: Codable {
    /// Decodes a policy from its stored form.
    ///
    /// - Throws: `DecodingError` for an unknown rule, a limit out of its range, or a limit or an action that is missing
    ///   or invalid.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: PolicyKey.self)
        rules = [:]
        for key in values.allKeys {
            guard let fault = ImageFault(rawValue: key.stringValue) else {
                let known = ImageFault.allCases.map(\.rawValue).joined(separator: ", ")
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: values, debugDescription: "unknown rule: \(key.stringValue) (known are \(known))")
            }
            rules[fault] = try values.decodeRule(forKey: key, limits: fault.limits)
        }
    }

    /// Encodes the policy in its stored form.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: PolicyKey.self)
        for (fault, rule) in rules { try values.encode(rule, forKey: PolicyKey(stringValue: fault.rawValue)) }
    }
}
