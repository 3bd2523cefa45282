import Foundation
import ImageCodecs
import Imaging
import MediaPrep
import TestSupport
import Testing

@Suite("An image that was prepared, or is good enough, is not quantized again")
struct SecondPreparationTests {
    private static func makePreparer(
        quality: Int = 80, isProgressive: Bool = false, encoder: EncoderPreference = .compact
    ) -> ImagePreparer {
        var options = ImageOptions(maxDimension: 64, quality: quality)
        options.isProgressive = isProgressive
        options.encoder = encoder
        return ImagePreparer(options)
    }

    @Test(
        "A result passes through byte for byte", arguments: [30, 50, 80, 92, 100], [false, true])
    func resultPassesThrough(_ quality: Int, isProgressive: Bool) throws {
        let preparer = Self.makePreparer(quality: quality, isProgressive: isProgressive)
        let source = try SmallJPEGs.makeColorNoise(width: 200, height: 120, quality: 95)
        let first = try preparer.prepare(source)
        #expect(first.verdict == .converted)
        let second = try preparer.prepare(first.data)
        #expect(second.verdict == .passthrough)
        #expect(second.data == first.data)
    }

    @Test(
        "A result passes through although a second encoding at its quality would drop more", arguments: [20, 33],
        [2, 4, 8] as [UInt64])
    func resultWithHardEdgesPassesThrough(_ quality: Int, whiteness: UInt64) throws {
        // Decoding clips the overshoot at black dots on white, so that another encoding takes 12 to 27% fewer bytes.
        var state: UInt64 = 1
        let png = PNGFileBuilder(size: PixelSize(width: 160, height: 120), colorType: .rgb) { _, _ in
            // The multiplier and increment are Knuth's, of MMIX.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return [Int](repeating: (state >> 33) % whiteness == 0 ? 0 : 255, count: 3)
        }
        let preparer = ImagePreparer(maxDimension: nil, quality: quality)
        let first = try preparer.prepare(Data(png.fileBytes))
        let second = try preparer.prepare(first.data)
        #expect(second.verdict == .passthrough)
        #expect(second.data == first.data)
    }

    @Test("A result passes through with a higher quality, and with the other encoder")
    func resultPassesThroughWithOtherOptions() throws {
        let source = try SmallJPEGs.makeColorNoise(width: 200, height: 120, quality: 95)
        let first = try Self.makePreparer().prepare(source)
        for preparer in [Self.makePreparer(quality: 95), Self.makePreparer(encoder: .libjpeg)] {
            let second = try preparer.prepare(first.data)
            #expect(second.verdict == .passthrough)
            #expect(second.data == first.data)
        }
    }

    @Test(
        "A JPEG of libjpeg that fits passes through, although other tables would save bytes", arguments: [50, 70, 80])
    func savingsOfTablesAreNoReasonToConvert(_ quality: Int) throws {
        let source = try SmallJPEGs.makeColorNoise(width: 64, height: 48, quality: quality)
        let image = try Self.makePreparer().prepare(source)
        #expect(image.verdict == .passthrough)
        #expect(try image.data.count == source.imageDataByteCount())
    }

    @Test("A JPEG that is only turned keeps its tables", arguments: [40, 75, 80])
    func turnedJPEGKeepsItsTables(_ quality: Int) throws {
        let source = try SmallJPEGs.makeColorNoise(width: 64, height: 48, quality: quality).addingExifOrientation(3)
        let image = try Self.makePreparer().prepare(source)
        #expect(image.verdict == .converted)
        #expect(image.quality == quality)
        #expect(try Self.lumaTable(of: image.data) == Self.lumaTable(of: source))

        let compact = try Self.makePreparer(quality: quality).prepare(
            try SmallJPEGs.makeColorNoise(width: 200, height: 120, quality: 95)
        ).data
        let turned = try Self.makePreparer().prepare(compact.addingExifOrientation(3))
        #expect(turned.quality == quality)
        #expect(try Self.lumaTable(of: turned.data) == Self.lumaTable(of: compact))
    }

    /// The bytes of the first quantization table.
    private static func lumaTable(of file: Data) throws -> [UInt8] {
        let segment = try #require(try StrictJPEGParser(parsing: file).segments(withMarker: 0xDB).first)
        return Array(segment.payload.prefix(65))
    }
}
