internal import AudioProbe

extension AudioPolicy {
    /// Returns the policy with an action for all rules that limit a measure.
    public func settingAction(_ action: MeasureRule.Action) -> AudioPolicy {
        var policy = self
        policy.measureRules = measureRules.mapValues { MeasureRule(limit: $0.limit, action: action) }
        return policy
    }

    /// Whether the audio must be decoded to apply the policy.
    var requiresLevels: Bool { rejectsSilence || !measureRules.isEmpty }

    /// Returns the rules that the measures break, in the order of ``AudioFault``'s cases. A rule about an unknown
    /// measure is not broken.
    func measureViolations(of levels: AudioLevels) -> [(action: MeasureRule.Action, violation: PolicyViolation)] {
        AudioFault.allCases.compactMap { fault in
            guard let rule = measureRules[fault], let value = fault.value(in: levels),
                rule.isBroken(by: value, isMinimum: fault.isMinimum)
            else { return nil }
            let message = rule.message(
                measureName: fault.measureName, value: value, decimalCount: fault.unit.isEmpty ? 6 : 2,
                unit: fault.unit, isMinimum: fault.isMinimum)
            return (rule.action, PolicyViolation(code: fault.rawValue, message: message))
        }
    }

    /// Decodes the rules about measures. Their keys are reason codes.
    ///
    /// - Throws: `DecodingError` for a rule that is null, or a limit or an action that is missing or invalid.
    static func decodeMeasureRules(
        from values: KeyedDecodingContainer<PolicyKey>
    ) throws -> [AudioFault: MeasureRule] {
        var rules: [AudioFault: MeasureRule] = [:]
        for fault in AudioFault.allCases {
            let key = PolicyKey(stringValue: fault.rawValue)
            // A rule that is null is an error, as in the policies of images.
            if values.contains(key) { rules[fault] = try values.decodeRule(forKey: key, limits: fault.limits) }
        }
        return rules
    }
}
