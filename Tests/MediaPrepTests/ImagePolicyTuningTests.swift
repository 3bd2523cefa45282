import Foundation
import MediaPrep
import Testing

@testable import Imaging

@Suite("Image policies from good examples")
struct ImagePolicyTuningTests {
    /// Returns the measures of a good image, in the middle of the examples.
    private static func makeMeasures(_ change: (inout ImageMeasures) -> Void = { _ in }) -> ImageMeasures {
        var measures = ImageMeasures(
            sharpness: 0.4, sharpestRegion: nil, mean: 120, percentile5: 60, percentile95: 180, clippedLow: 0,
            clippedHigh: 0, glare: 0, largestGlareRegion: nil, contrast: 0.5, noise: 2, blocking: 0.5,
            colorCast: nil, detail: 0.8, fieldOfView: nil, fieldOfViewShare: 0.6, shorterSide: 600)
        change(&measures)
        return measures
    }

    private static func makePolicy(_ examples: [ImageMeasures], share: Double = 0.02) throws -> ImagePolicy {
        try #require(ImagePolicy(acceptingExamples: examples, maxRejectedShare: share, action: .reject))
    }

    @Test("Equal examples have limits a tenth beyond their measures, but for glare, noise and compression")
    func equalExamplesHaveLimitsOfATenth() throws {
        let policy = try Self.makePolicy(Array(repeating: Self.makeMeasures(), count: 10))
        #expect(
            policy.rules.mapValues(\.limit) == [
                .tooBlurred: 0.36, .tooDark: 108, .tooBright: 132, .glare: 0.05, .lowContrast: 0.45, .tooNoisy: 2.2,
                .tooCompressed: 1, .tooSmall: 540, .upscaled: 0.72, .noFieldOfView: 0.54,
            ])
        #expect(policy.rules.values.allSatisfy { $0.action == .reject })
    }

    /// The noise of the worst example, and the limit. The median is 2.
    @Test(
        "The margin is half of the distance from the median, within a tenth and a third",
        arguments: [(2, 2.2), (2.1, 2.31), (3, 3.5), (4, 5), (9, 12), (0.2, 2.2)])
    func marginDependsOnTheDistanceFromTheMedian(_ worst: Double, _ limit: Double) throws {
        let examples = [Self.makeMeasures { $0.noise = worst }] + Array(repeating: Self.makeMeasures(), count: 11)
        let rule = try Self.makePolicy(examples).rules[.tooNoisy]
        #expect(abs(try #require(rule).limit - limit) <= 0.001)
    }

    typealias MeasureKey = any (WritableKeyPath<ImageMeasures, Double> & Sendable)

    /// A value that one example has, or all of them.
    @Test(
        "A rule without a sensible limit is left out, and glare and noise are never forbidden",
        arguments: [
            (.noFieldOfView, \.fieldOfViewShare, 0, nil, nil), (.tooBlurred, \.sharpness, 0, nil, nil),
            (.tooBright, \.mean, 240, nil, nil), (.glare, \.glare, 0.9, nil, 0.99), (.glare, \.glare, 0.01, 0.05, 0.05),
            (.tooNoisy, \.noise, 0, 2.2, 1), (.tooNoisy, \.noise, 90, 120, 99),
            // Policies cannot have such a limit.
            (.tooNoisy, \.noise, 250, nil, nil), (.tooCompressed, \.blocking, 250, nil, nil),
        ] as [(ImageFault, MeasureKey, Double, Double?, Double?)])
    func senselessRulesAreLeftOut(
        _ fault: ImageFault, _ key: MeasureKey, _ value: Double, _ limitOfOne: Double?, _ limitOfAll: Double?
    ) throws {
        let extreme = Self.makeMeasures { $0[keyPath: key] = value }
        let examples = [extreme] + Array(repeating: Self.makeMeasures(), count: 10)
        #expect(try Self.makePolicy(examples).rules[fault]?.limit == limitOfOne)
        #expect(try Self.makePolicy(Array(repeating: extreme, count: 10)).rules[fault]?.limit == limitOfAll)
    }

    /// Examples whose measures are all different, and independent of each other.
    private static func makeVariedExamples(count: Int) -> [ImageMeasures] {
        (0..<count).map { index in
            makeMeasures {
                $0.sharpness = 0.4 + 0.3 * sin(Double(index))
                $0.mean = 120 + 60 * sin(Double(index) * 1.7)
                $0.contrast = 0.5 + 0.4 * sin(Double(index) * 2.3)
                $0.noise = 3 + 2.5 * sin(Double(index) * 3.1)
            }
        }
    }

    @Test(
        "At most the given share of the examples is rejected, and a larger share never widens a limit",
        arguments: [(10, 0.02), (49, 0.02), (50, 0.02), (200, 0), (200, 0.02), (200, 0.1), (200, 0.5), (1000, 0.02)])
    func givenShareOfTheExamplesIsRejected(_ count: Int, _ share: Double) throws {
        let examples = Self.makeVariedExamples(count: count)
        let policy = try Self.makePolicy(examples, share: share)
        let rejected = examples.count { !policy.violations(of: $0).isEmpty }
        #expect(rejected <= Int(Double(count) * share))
        let widest = try Self.makePolicy(examples, share: 0)
        #expect(examples.allSatisfy { widest.violations(of: $0).isEmpty })
        for (fault, rule) in policy.rules {
            let limit = try #require(widest.rules[fault]).limit
            #expect(fault == .tooBright || fault == .tooNoisy ? rule.limit <= limit : rule.limit >= limit)
        }
        // The order of the examples does not matter.
        #expect(try Self.makePolicy(examples.reversed(), share: share) == policy)
    }

    @Test("Outliers within the share do not set the limits")
    func outliersDoNotSetTheLimits() throws {
        let outlier = Self.makeMeasures { $0.sharpness = 0.05 }
        let examples = [outlier] + Array(repeating: Self.makeMeasures(), count: 99)
        #expect(try Self.makePolicy(examples, share: 0.005).rules[.tooBlurred]?.limit == 0.033)
        let policy = try Self.makePolicy(examples, share: 0.01)
        #expect(policy.rules[.tooBlurred]?.limit == 0.36)
        #expect(policy.violations(of: outlier).map(\.fault) == [.tooBlurred])
    }

    @Test("The policy is the same after it is stored, and too few examples give none")
    func policyIsStored() throws {
        let policy = try Self.makePolicy(Self.makeVariedExamples(count: 30))
        #expect(try JSONDecoder().decode(ImagePolicy.self, from: JSONEncoder().encode(policy)) == policy)
        let few = Array(repeating: Self.makeMeasures(), count: ImagePolicy.minExampleCount - 1)
        #expect(ImagePolicy(acceptingExamples: few) == nil && ImagePolicy(acceptingExamples: []) == nil)
    }
}
