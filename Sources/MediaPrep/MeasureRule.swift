/// A rule of a policy: the limit of a measure, and what happens beyond it.
public struct MeasureRule: Hashable, Codable, Sendable {
    /// What happens to an image or to audio that breaks a rule.
    public enum Action: String, Codable, CaseIterable, Sendable {
        /// The file is prepared, with a warning.
        case warn
        /// The file is rejected.
        case reject
    }

    /// The limit, in the unit of the measure. It is allowed itself.
    public var limit: Double
    /// What happens to a file beyond the limit.
    public var action: Action

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - limit: The limit, in the unit of the measure.
    ///   - action: What happens to a file beyond the limit.
    public init(limit: Double, action: Action) {
        self.limit = limit
        self.action = action
    }

    /// Returns whether a value is beyond the limit.
    ///
    /// - Parameters:
    ///   - value: The measured value.
    ///   - isMinimum: Whether the limit is the lowest value that is allowed, instead of the highest.
    func isBroken(by value: Double, isMinimum: Bool) -> Bool { isMinimum ? value < limit : value > limit }

    /// Returns a sentence with a value beyond the limit, and the limit.
    ///
    /// - Parameters:
    ///   - measureName: The subject.
    ///   - value: The measured value.
    ///   - decimalCount: The number of decimals of the value. There are more if it would be within the limit otherwise.
    ///   - unit: The unit of both numbers; empty if they have none.
    ///   - isMinimum: Whether the limit is the lowest value that is allowed, instead of the highest.
    func message(
        measureName: String, value: Double, decimalCount: Int, unit: String = "", isMinimum: Bool
    ) -> String {
        let rounded = (decimalCount...15).lazy.map { value.rounded(toDecimals: $0) }
        let shown = rounded.first { isBroken(by: $0, isMinimum: isMinimum) } ?? value
        let unit = unit.isEmpty ? "" : " \(unit)"
        return "\(measureName) is too \(isMinimum ? "low" : "high"): \(shown)\(unit) "
            + "(at \(isMinimum ? "least" : "most") \(limit)\(unit))"
    }
}

/// A key of a stored policy: the name of a rule.
struct PolicyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<PolicyKey> {
    /// Decodes a rule.
    ///
    /// - Throws: `DecodingError` for a limit that is missing or not in `limits`, or an action that is missing or
    ///   unknown.
    func decodeRule(forKey key: PolicyKey, limits: ClosedRange<Double>) throws -> MeasureRule {
        let members = try nestedContainer(keyedBy: PolicyKey.self, forKey: key)
        if let unknown = members.allKeys.first(where: { !["limit", "action"].contains($0.stringValue) }) {
            throw DecodingError.dataCorruptedError(
                forKey: unknown, in: members, debugDescription: "unknown key (known are limit and action)")
        }
        let action = PolicyKey(stringValue: "action")
        if let name = try? members.decode(String.self, forKey: action), MeasureRule.Action(rawValue: name) == nil {
            throw DecodingError.dataCorruptedError(
                forKey: action, in: members, debugDescription: "the action is unknown (known are warn and reject)")
        }
        let rule = try decode(MeasureRule.self, forKey: key)
        guard limits.contains(rule.limit) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self,
                debugDescription:
                    "the limit is out of range: \(rule.limit) (\(limits.lowerBound) to \(limits.upperBound))")
        }
        return rule
    }
}

extension Double {
    /// Returns the number with at most `count` decimals, for people and manifests.
    package func rounded(toDecimals count: Int) -> Double {
        let scale = (0..<count).reduce(1.0) { scale, _ in 10 * scale }
        return (self * scale).rounded() / scale
    }
}
