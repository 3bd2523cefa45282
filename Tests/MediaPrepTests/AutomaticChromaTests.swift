import Foundation
import ImageCodecs
import Imaging
import MediaPrep
import TestSupport
import Testing

@Suite("Chroma is halved unless the image needs it") struct AutomaticChromaTests {
    /// A JPEG of quality 100 with texture in luma, and samples of chroma that alternate by `contrast`.
    private static func makeJPEG(
        contrast: Int, chroma: ChromaSubsampling = .none, quality: Int = 100, width: Int = 128
    ) throws -> Data {
        let size = PixelSize(width: width, height: 96)
        let planes = (0..<3).map { index in
            let factors = index == 0 ? ChromaSubsampling.none : chroma
            var plane = Plane(
                width: size.width / factors.horizontalFactor, height: size.height / factors.verticalFactor)
            for y in 0..<plane.height {
                for x in 0..<plane.stride {
                    plane.samples[y * plane.stride + x] =
                        index == 0
                        ? UInt8((x * 7 ^ y * 5) & 63 + 90) : UInt8(128 + ((x ^ y) & 1 == 0 ? contrast : -contrast))
                }
            }
            return plane
        }
        var encoder = try JPEGEncoder()
        return Data(
            try encoder.encode(
                PlanarImage(size: size, chromaSubsampling: chroma, planes: planes), iccProfile: nil,
                options: .init(quality: quality)))
    }

    // The loss is twice the squared contrast.
    @Test(
        "The loss decides, with less patience at a high quality",
        arguments: [(0, 80, "420"), (1, 95, "420"), (3, 80, "420"), (3, 92, "420"), (3, 93, "444"), (8, 50, "444")])
    func lossDecides(contrast: Int, quality: Int, expected: String) throws {
        let source = try Self.makeJPEG(contrast: contrast)
        let image = try ImagePreparer(maxDimension: nil, quality: quality).prepare(source)
        #expect(image.chromaSubsampling?.notation == expected)
    }

    @Test("A target score stands for a quality", arguments: [(75, "420"), (87, "420"), (88, "444")])
    func targetScoreDecides(target: Int, expected: String) throws {
        // Red alternates by 8, of which Cr has a half and Cb a sixth: a loss of 18.
        let png = PNGFileBuilder(size: PixelSize(width: 128, height: 96), colorType: .rgb) { x, y in
            [(x ^ y) & 1 == 0 ? 136 : 120, 128, 128]
        }
        let image = try ImagePreparer(.init(targetScore: target)).prepare(Data(png.fileBytes))
        #expect(image.chromaSubsampling?.notation == expected)
    }

    @Test("An explicit subsampling is taken, whatever is lost", arguments: [0, 8])
    func explicitSubsamplingIsTaken(contrast: Int) throws {
        let source = try Self.makeJPEG(contrast: contrast)
        for format in [ImageOptions.ChromaFormat.yuv420, .yuv422, .yuv444] {
            var options = ImageOptions(maxDimension: nil)
            options.chroma = format
            #expect(try ImagePreparer(options).prepare(source).chromaSubsampling?.notation == format.rawValue)
        }
    }

    static let subsamplings = [(1, 1), (2, 1), (1, 2), (2, 2)].map {
        ChromaSubsampling(horizontalFactor: $0.0, verticalFactor: $0.1)
    }

    @Test("A JPEG that fits, and keeps its quality, keeps its chroma", arguments: subsamplings, [60, 80])
    func fittingJPEGPassesThrough(chroma: ChromaSubsampling, quality: Int) throws {
        for contrast in [0, 8] {
            let source = try Self.makeJPEG(contrast: contrast, chroma: chroma, quality: quality)
            let image = try ImagePreparer().prepare(source)
            #expect(image.verdict == .passthrough)
            #expect(try image.data.count == source.imageDataByteCount())
        }
    }

    @Test("A result passes through a second run", arguments: subsamplings, [0, 3, 8])
    func resultPassesThrough(chroma: ChromaSubsampling, contrast: Int) throws {
        for quality in [60, 80, 95] {
            let preparer = ImagePreparer(quality: quality)
            let first = try preparer.prepare(try Self.makeJPEG(contrast: contrast, chroma: chroma))
            let second = try preparer.prepare(first.data)
            #expect(second.verdict == .passthrough)
            #expect(second.data == first.data)
        }
    }

    @Test("Photos have 4:2:0", arguments: ["ear-444.jpg", "throat-16bit-alpha.png"])
    func photosAreSubsampled(name: String) throws {
        #expect(try PreparedSamples.preparedImage(named: name).chromaSubsampling?.notation == "420")
    }
}
