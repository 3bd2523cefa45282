import Diagnostics
import Imaging
import Testing
import TestSupport

@testable import ImageCodecs

/// The decodable part of truncated and damaged PNGs, if the options allow them.
@Suite struct IncompletePNGTests {
    private static let size = PixelSize(width: 40, height: 50)
    /// Rows of one level each. None is black, so that missing rows are visible.
    private static let image = PNGFileBuilder(size: size, colorType: .gray) { _, y in [100 + y] }
    /// Bytes before the image data's own: signature, header, and the chunk's length and type.
    private static let start = 8 + 25 + 8
    private static let bytesInRow = 41

    private static func rows(_ decoded: ImageSource.DecodedImage) -> [UInt8] {
        let plane = decoded.image.planes[0]
        return (0..<plane.height).map { plane.samples[$0 * plane.stride] }
    }

    @Test(arguments: [3, 16, 17, 31, 44])
    func truncatedPNGKeepsRowsAndBlanksTheRest(count: Int) throws {
        // Behind the two bytes of zlib's header and the five of a stored block.
        let bytes = Array(Self.image.fileBytes.prefix(Self.start + 7 + count * Self.bytesInRow))
        #expect(DecodeVerdict(decoding: bytes) == .rejected(.truncated))
        let decoded = try decodeImage(bytes, options: .allowingTruncated)
        #expect(decoded.warnings.map(\.code) == [.truncated])
        let rows = Self.rows(decoded)
        // libpng reads image data in pieces of 64 bytes here, and does not use an incomplete piece.
        let kept = max(0, count - 2)
        #expect(Array(rows.prefix(kept)) == (0..<kept).map { UInt8(100 + $0) })
        #expect(rows.suffix(Self.size.height - count).allSatisfy { $0 == 0 })
    }

    @Test func damagedPNGKeepsRowsBeforeDamage() throws {
        // A filter that doesn't exist, in row 30; the checksum is right, so that the fault shows where it is.
        var recipe = Self.image
        recipe.sampleRows = Self.image.sampleRows
        var chunks = recipe.allChunks
        let index = try #require(chunks.firstIndex { $0.type == "IDAT" })
        var data = chunks[index].payload
        data[7 + 30 * Self.bytesInRow] = 9
        chunks[index] = PNGFileBuilder.Chunk(type: "IDAT", payload: data)
        let bytes = PNGFileBuilder.fileBytes(chunks: chunks)
        #expect(DecodeVerdict(decoding: bytes) == .rejected(.damaged))
        #expect(DecodeVerdict(decoding: bytes, options: .allowingTruncated) == .rejected(.damaged))
        let decoded = try decodeImage(bytes, options: .allowingDamaged)
        #expect(decoded.warnings.map(\.code) == [.damaged])
        #expect(Array(Self.rows(decoded).prefix(30)) == (0..<30).map { UInt8(100 + $0) })
        #expect(Self.rows(decoded).suffix(20).allSatisfy { $0 == 0 })
    }
}
