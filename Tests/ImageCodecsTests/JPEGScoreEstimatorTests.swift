import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

@Suite("The estimate of an image's score") struct JPEGScoreEstimatorTests {
    /// A slope with noise of a given contrast in its right half.
    private static func makeImage(_ size: PixelSize, contrast: Int, isGray: Bool = false) -> PlanarImage {
        var random = SplitMix64(seed: 5)
        let planes = (0..<(isGray ? 1 : 3)).map { index in
            let factor = index == 0 ? 1 : 2
            var plane = Plane(
                width: size.width.dividedRoundingUp(by: factor), height: size.height.dividedRoundingUp(by: factor))
            for y in 0..<plane.height {
                for x in 0..<plane.stride {
                    let noise = 2 * x < plane.width || contrast == 0 ? 0 : Int(random.next() % UInt64(contrast))
                    plane.samples[y * plane.stride + x] = UInt8(clamping: 40 + x / 2 + y / 3 + noise)
                }
            }
            return plane
        }
        let chroma = isGray ? ChromaSubsampling.none : ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2)
        return PlanarImage(size: size, chromaSubsampling: chroma, planes: planes)
    }

    private static func makeEstimator(
        _ image: PlanarImage, instructionSet: InstructionSet = .selected
    ) throws -> JPEGScoreEstimator {
        try JPEGCompactEncoder(
            image, options: .init(quality: 80, encoder: .compact), keepsCoefficients: true, defersQuantization: true,
            instructionSet: instructionSet
        ).makeScoreEstimator()
    }

    @Test("is the same with every instruction set", arguments: [1, 30, 60, 80, 95, 100])
    func everyInstructionSetGivesSameEstimate(quality: Int) throws {
        for (contrast, isGray) in [(0, false), (7, false), (60, true), (180, false)] {
            let image = Self.makeImage(PixelSize(width: 301, height: 203), contrast: contrast, isGray: isGray)
            var portable = try Self.makeEstimator(image, instructionSet: .portable)
            let expected = portable.visibleError(quality: quality)
            for set in InstructionSet.allCases where set.isAvailable {
                var estimator = try Self.makeEstimator(image, instructionSet: set)
                #expect(estimator.visibleError(quality: quality) == expected, "\(set)")
            }
        }
    }

    @Test("increases with the quality, from a low value to a high one", arguments: [7, 40, 150])
    func scoreIncreasesWithQuality(contrast: Int) throws {
        var estimator = try Self.makeEstimator(Self.makeImage(PixelSize(width: 320, height: 240), contrast: contrast))
        let scores = [5, 20, 40, 60, 80, 95, 100].map { estimator.visibleError(quality: $0).scoreInHundredths }
        #expect(scores == scores.sorted() && Set(scores).count == scores.count)
        #expect(scores[0] < 4500 && scores[6] > 8500)
    }

    @Test("does not depend on files that were written before, nor on the order of qualities")
    func estimateIsIndependentOfOrder() throws {
        let image = Self.makeImage(PixelSize(width: 100, height: 75), contrast: 30)
        var encoder = try JPEGTrialEncoder(image, iccProfile: nil, isProgressive: false, preference: .compact)
        var first = try encoder.makeScoreEstimator()
        _ = try encoder.encode(quality: 30)
        var second = try encoder.makeScoreEstimator()
        let forward = [20, 50, 90].map { first.visibleError(quality: $0) }
        let backward = [90, 50, 20].map { second.visibleError(quality: $0) }
        #expect(forward == backward.reversed())
    }

    @Test(
        "leaves the files of a trial encoder as they are, and so does keeping the coefficients",
        arguments: [false, true], EncoderPreference.allCases)
    func filesDoNotDependOnEstimates(isProgressive: Bool, encoder preference: EncoderPreference) throws {
        let image = Self.makeImage(PixelSize(width: 150, height: 99), contrast: 30)
        var estimating = try JPEGTrialEncoder(
            image, iccProfile: nil, isProgressive: isProgressive, preference: preference)
        _ = try estimating.makeScoreEstimator()
        var plain = try JPEGTrialEncoder(image, iccProfile: nil, isProgressive: isProgressive, preference: preference)
        var keeping = try JPEGTrialEncoder(
            image, iccProfile: nil, isProgressive: isProgressive, preference: preference, keepsCoefficients: true)
        for quality in [70, 40, 95] {
            let expected = try plain.encode(quality: quality).copy()
            #expect(try estimating.encode(quality: quality).copy() == expected)
            #expect(try keeping.encode(quality: quality).copy() == expected)
        }
    }

    @Test("is the highest score for an image without detail, and adds the errors of two encodings")
    func errorsAddUp() throws {
        let size = PixelSize(width: 64, height: 64)
        // Half of the range, whose coefficients are all 0, so that they are multiples of every step.
        var plane = Plane(width: size.width, height: size.height)
        for i in plane.samples.indices { plane.samples[i] = 128 }
        var flat = try Self.makeEstimator(PlanarImage(size: size, chromaSubsampling: .none, planes: [plane]))
        #expect(flat.visibleError(quality: 50) == .none)
        #expect(JPEGScoreEstimator.VisibleError.none.scoreInHundredths == 10_000)
        var detailed = try Self.makeEstimator(Self.makeImage(size, contrast: 60))
        let error = detailed.visibleError(quality: 80)
        #expect((error + error).scoreInHundredths < error.scoreInHundredths)
        #expect(error + .none == error)
    }
}
