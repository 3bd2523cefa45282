import CJPEGFastDecoder
import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

/// JPEGs that are reduced by 6 or more along both axes, and so are decoded at half size.
@Suite("A JPEG that is much reduced is decoded at half size") struct JPEGHalfSizeTests {
    private static let reducedSizes = [
        (PixelSize(width: 98, height: 74), PixelSize(width: 16, height: 12)),
        (PixelSize(width: 127, height: 101), PixelSize(width: 18, height: 14)),
        (PixelSize(width: 301, height: 65), PixelSize(width: 30, height: 7)),
    ]

    @Test("by the fast decoder with every instruction set, and by libjpeg, with the same result")
    func everyDecoderGivesTheSameResult() throws {
        for recipe in JPEGVariants.commonSamplings + JPEGVariants.mixedSamplings {
            for (isProgressive, quality) in [(false, 95), (true, 30)] {
                let recipe = recipe.modified { ($0.isProgressive, $0.quality) = (isProgressive, quality) }
                for (source, target) in Self.reducedSizes.prefix(2) {
                    let file = try recipe.encodedTexture(size: source)
                    let expected = ExactDecodingResult(decoding: file, by: .systemLibraries, size: target)
                    guard case .decoded = expected else {
                        Issue.record("\(recipe) is not decoded")
                        continue
                    }
                    for set in InstructionSet.allCases where set.isAvailable {
                        #expect(
                            ExactDecodingResult(decoding: file, by: .fastest, size: target, instructionSet: set)
                                == expected, "\(recipe), \(set)")
                    }
                }
            }
        }
    }

    @Test("on the fast path", .enabled(if: prep_jpeg_fast_decoder_is_available()), arguments: [false, true])
    func halfSizeIsDecodedOnFastPath(isProgressive: Bool) throws {
        for recipe in [.gray, .yCbCr444, .yCbCr420] + Self.partlySubsampled {
            let (source, target) = Self.reducedSizes[0]
            let file = try recipe.modified { $0.isProgressive = isProgressive }.encodedTexture(size: source)
            let fast = JPEGFastDecoder(
                file: try JPEGFile(parsing: file), layout: try LibJPEGDecoder(file).halfSizeLayout,
                instructionSet: .selected)
            #expect(ResampleRequest(size: target).resampleOnFastPath(fast) != nil, "\(recipe)")
        }
    }

    @Test("with the same result or error by all decoders, also if bytes are changed", arguments: [false, true])
    func damagedFilesGiveTheSameResult(isProgressive: Bool) throws {
        let (source, target) = Self.reducedSizes[1]
        let file = try LibJPEGFileBuilder.yCbCr420.modified { $0.isProgressive = isProgressive }.encodedTexture(
            size: source)
        var random = SplitMix64(seed: isProgressive ? 1 : 0)
        for _ in 0..<randomizedRounds(200) {
            var changed = file
            changed[random.number(in: 0...(file.count - 1))] ^= UInt8(random.number(in: 1...255))
            #expect(
                ExactDecodingResult(decoding: changed, by: .fastest, size: target)
                    == ExactDecodingResult(decoding: changed, by: .systemLibraries, size: target))
        }
    }

    @Test("with planes at the same place as at full size")
    func planesStayAligned() throws {
        for recipe in [.gray, .yCbCr444, .yCbCr420] + Self.partlySubsampled {
            for (source, target) in Self.reducedSizes {
                // Waves with a period of 24 pixels, up to the far edges.
                func wave(_ x: Double) -> Double { abs((x / 24).truncatingRemainder(dividingBy: 1) - 0.5) * 160 }
                let planes = recipe.makePlanes(imageSize: source) { c, x, y in 40 + wave(x) + wave(y + Double(c)) }
                let file = try recipe.encode(imageSize: source, planes: planes)
                for orientation in [Orientation.up, .right, .down] {
                    let request = ResampleRequest(
                        size: orientation.orientedSize(of: target), orientation: orientation)
                    let full = try Self.resample(file, isHalfSize: false, request: request)
                    let half = try Self.resample(file, isHalfSize: true, request: request)
                    for (full, half) in zip(full.planes, half.planes) {
                        // A pixel is up to 6.7 levels along each axis.
                        let difference = Self.largestInnerDifference(half, full)
                        #expect(difference <= 2, "\(recipe) \(source) \(orientation)")
                    }
                }
            }
        }
    }

    @Test("without the samples that pad it")
    func paddingIsNotUsed() throws {
        let size = PixelSize(width: 97, height: 49)
        var padded = Plane(width: 104, height: 56)
        for y in 0..<size.height {
            for x in 0..<size.width { padded.samples[y * padded.stride + x] = 200 }
        }
        let recipe = LibJPEGFileBuilder.gray.modified { $0.quality = 100 }
        let image = try decodeImage(
            try recipe.encode(imageSize: size, planes: [padded]), size: PixelSize(width: 16, height: 8)
        ).image
        for sample in image.planes[0].visibleRows.joined() { #expect(abs(Int(sample) - 200) <= 2) }
    }

    private static let partlySubsampled = [
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[2, 1], [1, 1], [1, 1]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[1, 2], [1, 1], [1, 1]]),
    ]

    @Test(
        "only if every plane that is halved keeps 3 samples along each axis for each sample of the result",
        arguments: [
            (LibJPEGFileBuilder.yCbCr420, 1000, 1000, ResampleFilter.lanczos3, 1, true),
            (.yCbCr420, 1001, 1000, .lanczos3, 1, false), (.yCbCr420, 1000, 1001, .lanczos3, 1, false),
            (.gray, 1000, 1000, .mitchell, 1, true), (.gray, 1000, 1000, .box, 1, false),
            (.gray, 1000, 1000, .triangle, 1, false),
            (.yCbCr444, 1000, 1000, .lanczos3, 1, true),
            // Chroma of 4:2:2 has 6 samples only if the result's chroma is subsampled too.
            (partlySubsampled[0], 1000, 1000, .lanczos3, 2, true),
            (partlySubsampled[0], 1000, 1000, .lanczos3, 1, false),
        ])
    func halfSizeDependsOnReduction(
        recipe: LibJPEGFileBuilder, width: Int, height: Int, filter: ResampleFilter, chroma: Int, isExpected: Bool
    ) throws {
        var layout = try LibJPEGDecoder(recipe.encodedTexture()).halfSizeLayout
        layout.storedSize = PixelSize(width: 6000, height: 6000)
        let request = ResampleRequest(
            size: PixelSize(width: width, height: height),
            minChromaSubsampling: ChromaSubsampling(horizontalFactor: chroma, verticalFactor: chroma), filter: filter)
        #expect(request.allowsShrunkPlanes(of: layout) == isExpected)
    }

    @Test("except for a component that is stored at half size already")
    func subsampledComponentIsNotReduced() throws {
        func shrinkFactors(_ recipe: LibJPEGFileBuilder) throws -> [Int] {
            try LibJPEGDecoder(recipe.encodedTexture()).halfSizeLayout.components.map(\.shrinkFactor)
        }
        #expect(try shrinkFactors(.yCbCr420) == [2, 1, 1])
        #expect(try shrinkFactors(.yCbCr444) == [2, 2, 2])
        #expect(try shrinkFactors(.gray) == [2])
        for recipe in Self.partlySubsampled { #expect(try shrinkFactors(recipe) == [2, 2, 2]) }
    }

    /// The largest difference of two planes, without the outermost samples: a half-size sample that also covers padding
    /// is not used there.
    private static func largestInnerDifference(_ lhs: Plane, _ rhs: Plane) -> Int {
        var largest = 0
        for y in 1..<(rhs.height - 1) {
            for x in 1..<(rhs.width - 1) { largest = max(largest, abs(lhs[x, y] - rhs[x, y])) }
        }
        return largest
    }

    private static func resample(
        _ file: [UInt8], isHalfSize: Bool, request: ResampleRequest
    ) throws -> PlanarImage {
        var decoder = try LibJPEGDecoder(file)
        try decoder.startDecoding(isHalfSize: isHalfSize, maxMemory: 1 << 24, maxScans: 100)
        return try request.resampleImage(from: &decoder)
    }
}
