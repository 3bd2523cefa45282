import Testing

@testable import Imaging

@Suite("Geometry")
struct GeometryTests {
    @Test(
        "An image is fitted by its longer side, rounded to nearest, and never enlarged",
        arguments: [
            // Within the limit, or without one: as it is.
            ((300, 200), 1024, (300, 200)), ((1024, 1024), 1024, (1024, 1024)), ((300, 200), nil, (300, 200)),
            ((1, 20_000), nil, (1, 20_000)), ((1, 1), 1, (1, 1)),
            // No side vanishes.
            ((1, 20_000), 1024, (1, 1024)), ((20_000, 1), 1024, (1024, 1)), ((65_500, 3), 100, (100, 1)),
            ((4032, 3024), 1, (1, 1)),
            // 333.3 is 333 and 333.7 is 334, whichever side it is.
            ((3000, 2000), 500, (500, 333)), ((2000, 3000), 500, (333, 500)), ((3000, 2002), 500, (500, 334)),
            ((2002, 3000), 500, (334, 500)), ((3000, 2001), 500, (500, 334)), ((2400, 1001), 1200, (1200, 501)),
            // Phones and cameras.
            ((4032, 3024), 1600, (1600, 1200)), ((2725, 2225), 720, (720, 588)), ((6000, 4000), 1600, (1600, 1067)),
            ((1025, 1024), 1024, (1024, 1023)), ((65_500, 65_500), 1600, (1600, 1600)),
        ] as [((Int, Int), Int?, (Int, Int))])
    func imageFitsLongerSideWithoutEnlarging(source: (Int, Int), limit: Int?, expected: (Int, Int)) {
        let fitted = PixelSize(width: source.0, height: source.1).scaledDown(toLongerSide: limit)
        #expect(fitted == PixelSize(width: expected.0, height: expected.1))
    }

    @Test("Fitting commutes with a quarter turn, and fitting twice changes nothing")
    func fittingCommutesWithQuarterTurns() {
        for width in stride(from: 1, to: 3_000, by: 37) {
            for limit in [1, 7, 500, 1_024] {
                let size = PixelSize(width: width, height: 1_999)
                let fitted = size.scaledDown(toLongerSide: limit)
                #expect(size.swappingWidthAndHeight.scaledDown(toLongerSide: limit) == fitted.swappingWidthAndHeight)
                #expect(fitted.scaledDown(toLongerSide: limit) == fitted)
            }
        }
    }

    @Test("The chroma of an odd width lies on the image's grid, not on its own")
    func oddWidthChromaLiesOnImageGrid() {
        // 4:2:0 of 101 pixels has 51 samples, the last of which reaches half a sample beyond the image.
        let mapping = AxisMapping(
            imageLength: 101, targetLength: 50, samplingFactor: 1, maxSamplingFactor: 2, outputReduction: 2)
        #expect(mapping.sourceSampleCount == 51)
        #expect(mapping.outputSampleCount == 25)
        for k in 0..<25 {
            // Output pixel 2k+1 is where sample k is centred; a pixel is 101/50 of the source's, half that in chroma.
            #expect(mapping.sourceCenter(ofOutputSample: k) == Double((2 * k + 1) * 101) / 100)
        }
    }

    @Test("Luma and chroma of an image have their centres at the same pixels")
    func lumaAndChromaShareOneGrid() {
        for (source, target) in [(101, 50), (101, 51), (99, 98), (640, 333), (7, 7), (3, 2)] {
            let luma = AxisMapping(imageLength: source, targetLength: target)
            for sampling in [1, 2, 4] {
                let chroma = AxisMapping(
                    imageLength: source, targetLength: target, samplingFactor: 1, maxSamplingFactor: sampling,
                    outputReduction: 2)
                for k in 0..<(target / 2) {
                    let middle =
                        (luma.sourceCenter(ofOutputSample: 2 * k) + luma.sourceCenter(ofOutputSample: 2 * k + 1)) / 2
                    // Of a few roundings of numbers below 1,000.
                    #expect(abs(chroma.sourceCenter(ofOutputSample: k) * Double(sampling) - middle) < 1e-12)
                }
            }
        }
    }

    @Test("A plane that the decoder shrinks lies on the image's grid, and only its samples within the image count")
    func shrunkPlaneLiesOnImageGrid() {
        for (source, target) in [(2725, 400), (2224, 340), (2223, 300), (13, 2)] {
            let full = AxisMapping(imageLength: source, targetLength: target)
            let shrunk = AxisMapping(imageLength: source, targetLength: target, shrinkFactor: 2)
            #expect(shrunk.sourceSampleCount == source / 2)
            #expect(shrunk.outputSampleCount == target)
            for k in 0..<target {
                // Of a few roundings of numbers below 3,000.
                #expect(abs(shrunk.sourceCenter(ofOutputSample: k) * 2 - full.sourceCenter(ofOutputSample: k)) < 1e-11)
            }
        }
    }

    @Test("The source samples in an output sample are compared exactly")
    func coverageIsExact() {
        #expect(AxisMapping(imageLength: 6000, targetLength: 1000).coversAtLeast(6))
        #expect(!AxisMapping(imageLength: 5999, targetLength: 1000).coversAtLeast(6))
        #expect(AxisMapping(imageLength: 6000, targetLength: 1000, shrinkFactor: 2).coversAtLeast(6))
        #expect(!AxisMapping(imageLength: 5999, targetLength: 1000, shrinkFactor: 2).coversAtLeast(6))
    }

    @Test("On a mirrored axis the output's grid is anchored at the far end")
    func mirroredGridIsAnchoredAtFarEnd() {
        // 7 pixels make 4 samples of 2; the one that is half outside comes first, and the last ends at pixel 7.
        let mapping = AxisMapping(imageLength: 14, targetLength: 7, outputReduction: 2, isMirrored: true)
        #expect(mapping.outputSampleCount == 4)
        #expect((0..<4).map(mapping.sourceCenter) == [0, 4, 8, 12])
        let plain = AxisMapping(imageLength: 14, targetLength: 7, outputReduction: 2)
        #expect((0..<4).map(plain.sourceCenter) == [2, 6, 10, 14])
    }

    @Test("A mirrored axis is the mirror image of a plain one, exactly")
    func mirroredAxisIsExactMirrorImage() {
        for (source, target, reduction) in [(150, 75, 2), (151, 49, 2), (100, 31, 4), (64, 22, 3), (9, 9, 1)] {
            let plain = AxisMapping(imageLength: source, targetLength: target, outputReduction: reduction)
            let mirrored = AxisMapping(
                imageLength: source, targetLength: target, outputReduction: reduction, isMirrored: true)
            for k in 0..<plain.outputSampleCount {
                let opposite = mirrored.sourceCenter(ofOutputSample: plain.outputSampleCount - 1 - k)
                // Of a few roundings of numbers below 1,000.
                #expect(abs(plain.sourceCenter(ofOutputSample: k) + opposite - Double(source)) < 1e-12)
            }
        }
    }

    @Test("The same geometry is one mapping, however it was stated, so that its table is made once")
    func equalGeometriesGiveEqualMappings() {
        let chroma = AxisMapping(
            imageLength: 4000, targetLength: 1600, samplingFactor: 1, maxSamplingFactor: 2, outputReduction: 2)
        let same = AxisMapping(imageLength: 2000, targetLength: 800)
        #expect(chroma == same)
        #expect(chroma.hashValue == same.hashValue)
    }
}
