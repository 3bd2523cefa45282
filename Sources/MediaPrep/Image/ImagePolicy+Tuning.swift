public import Imaging

extension ImagePolicy {
    /// The smallest number of examples that limits are chosen from. Fewer do not show how much good images differ.
    public static let minExampleCount = 10

    /// Creates a policy from the measures of good examples.
    ///
    /// A limit is a percentile of its measure, moved away from the examples by a margin, because the next good image is
    /// often outside the range of the few that are known. The margin is half of the distance between the percentile
    /// and the median, but at least a tenth and at most a third of the percentile. The percentile is the same for all
    /// rules: the one nearest to the median with which at most `maxRejectedShare` of the examples break any rule.
    ///
    /// - ``ImageFault/noFieldOfView`` has a rule only if every example has a field of view.
    /// - The limit of ``ImageFault/glare`` is at least 0.05, and those of ``ImageFault/tooNoisy`` and
    ///   ``ImageFault/tooCompressed`` at least 1. Otherwise examples without these faults would forbid any.
    /// - A rule that no image can break is left out.
    ///
    /// Limits have at most three decimals, and are the same on every machine.
    ///
    /// - Parameters:
    ///   - examples: The measures of the examples.
    ///   - maxRejectedShare: The largest share of the examples that may break a rule, 0 to 1. A share of less than one
    ///     example is none.
    ///   - action: What happens to an image beyond a limit.
    /// - Returns: `nil` for fewer than ``minExampleCount`` examples.
    /// - Complexity: O(*n* log *n*) in the number of examples.
    public init?(
        acceptingExamples examples: [ImageMeasures], maxRejectedShare: Double = 0.02, action: Action = .warn
    ) {
        guard examples.count >= Self.minExampleCount else { return nil }
        let values = ImageFault.allCases.compactMap { ExampleValues(of: $0, in: examples) }
        func policy(ignoringExtremes count: Int) -> ImagePolicy {
            ImagePolicy(
                values.reduce(into: [:]) { rules, values in
                    rules[values.fault] = values.limit(ignoringExtremes: count).map { Rule(limit: $0, action: action) }
                })
        }
        let share = min(max(maxRejectedShare, 0), 1)
        let maxRejectedCount = Int(Double(examples.count) * share)
        // The more extremes are ignored, the more examples are rejected. Ignoring none rejects none.
        var accepted = 0, excluded = min(maxRejectedCount, (examples.count - 1) / 2) + 1
        while excluded - accepted > 1 {
            let middle = (accepted + excluded) / 2, tried = policy(ignoringExtremes: middle)
            if examples.count(where: { !tried.violations(of: $0).isEmpty }) <= maxRejectedCount {
                accepted = middle
            } else {
                excluded = middle
            }
        }
        self = policy(ignoringExtremes: accepted)
    }
}

/// The values of one fault's measure in examples.
private struct ExampleValues {
    let fault: ImageFault
    /// The values, worst first.
    private let values: [Double]

    /// Returns `nil` if the examples do not justify a rule.
    init?(of fault: ImageFault, in examples: [ImageMeasures]) {
        self.fault = fault
        let values = examples.map(fault.value)
        if fault == .noFieldOfView, values.contains(0) { return nil }
        self.values = fault.isMinimum ? values.sorted() : values.sorted(by: >)
    }

    /// Returns the limit that all examples keep but `count` with the worst values, or `nil` if no image can break it.
    func limit(ignoringExtremes count: Int) -> Double? {
        let worst = values[count], distance = abs(values[values.count / 2] - worst)
        let margin = min(max(distance / 2, worst / 10), worst / 3)
        let highest = fault.limits.upperBound
        if fault.isMinimum {
            let limit = min(Self.threeDecimals(worst - margin, rounded: .down), highest)
            return limit > 0 ? limit : nil
        }
        let limit = max(Self.threeDecimals(worst + margin, rounded: .up), fault.leastMaximum)
        return limit < highest ? limit : nil
    }

    /// Rounds a limit away from the examples, so that none is lost. Six decimals come first: 2.2000000000000002 is 2.2.
    private static func threeDecimals(_ limit: Double, rounded rule: FloatingPointRoundingRule) -> Double {
        ((limit * 1_000_000).rounded() / 1000).rounded(rule) / 1000
    }
}

extension ImageFault {
    /// The lowest maximum that is chosen from examples.
    fileprivate var leastMaximum: Double {
        switch self {
        case .glare: 0.05
        case .tooNoisy, .tooCompressed: 1
        case .tooBlurred, .tooDark, .tooBright, .lowContrast, .tooSmall, .upscaled, .noFieldOfView: 0
        }
    }
}
