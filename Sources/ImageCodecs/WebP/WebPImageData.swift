internal import Imaging

/// The image data of a WebP: of a still image, or of one image of an animation.
///
/// Source: WebP Container Specification (Google, 2023); RFC 6386, 9.1; WebP Lossless Bitstream Specification, 3.
struct WebPImageData {
    /// The kinds of image data.
    enum Coding { case lossy, lossless }

    let coding: Coding
    let size: PixelSize
    /// Whether there is an alpha channel. A lossless image may state one that is opaque.
    let hasAlpha: Bool
    /// The range in the file of the chunks: alpha, if there is any, and image data, with their headers. It may extend
    /// beyond the end of the file.
    let chunkRange: Range<Int>
    /// The stated size of the data that is coded as a lossless image is, which alpha of a lossy image may be, in bytes.
    let losslessByteCount: Int

    /// The part of the chunk that states the size, in bytes.
    private static let lossyHeaderByteCount = 10, losslessHeaderByteCount = 5

    /// Reads the header of a `VP8 ` or `VP8L` chunk, or returns `nil` if the file ends before its end.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - alphaChunk: The `ALPH` chunk before it.
    ///   - bytes: The file, or its beginning.
    /// - Throws: ``CodecError/Code/damaged``.
    init?(chunk: RIFFChunk, alphaChunk: RIFFChunk?, bytes: [UInt8]) throws(CodecError) {
        var reader = ByteReader(bytes, in: chunk.payloadRange.clamped(to: 0..<bytes.count))
        reader.byteOrder = .littleEndian
        coding = chunk.type == "VP8L" ? .lossless : .lossy
        let byteCount = coding == .lossless ? Self.losslessHeaderByteCount : Self.lossyHeaderByteCount
        if chunk.payloadRange.count >= byteCount && reader.remainingByteCount < byteCount { return nil }
        let parsed = coding == .lossless ? Self.losslessHeader(&reader) : Self.lossyHeader(&reader)
        guard let (size, hasAlpha) = parsed else {
            throw CodecError(
                .damaged, stage: .probe, offset: min(chunk.payloadRange.lowerBound, bytes.count),
                message: "the image data has no valid header")
        }
        self.size = size
        self.hasAlpha = hasAlpha || (coding == .lossy && alphaChunk != nil)
        losslessByteCount = coding == .lossless ? chunk.payloadRange.count : alphaChunk?.payloadRange.count ?? 0
        chunkRange = (alphaChunk ?? chunk).range.lowerBound..<chunk.payloadRange.upperBound
    }

    /// Reads the frame header of VP8: a frame tag, of which the lowest bit is 0 for a key frame, and 14 bits each for
    /// width and height.
    private static func lossyHeader(_ reader: inout ByteReader) -> (PixelSize, hasAlpha: Bool)? {
        guard let tag = reader.readInteger(byteCount: 3), tag & 1 == 0,
            reader.readInteger(byteCount: 3) == 0x2A_019D,
            let width = reader.readUInt16(), let height = reader.readUInt16()
        else { return nil }
        return (PixelSize(width: width & 0x3FFF, height: height & 0x3FFF), false)
    }

    /// Reads the header of VP8L: a signature, 14 bits each for width and height less 1, a bit for alpha, and 3 bits of
    /// version.
    private static func losslessHeader(_ reader: inout ByteReader) -> (PixelSize, hasAlpha: Bool)? {
        guard reader.readUInt8() == 0x2F, let fields = reader.readUInt32(), fields >> 29 == 0 else { return nil }
        let size = PixelSize(width: fields & 0x3FFF + 1, height: fields >> 14 & 0x3FFF + 1)
        return (size, fields >> 28 & 1 == 1)
    }
}

/// A chunk of a RIFF file.
struct RIFFChunk {
    /// The bytes before the payload: type and size.
    static let headerByteCount = 8

    let type: String
    /// The range of the payload as stated. It may extend beyond the end of the file.
    let payloadRange: Range<Int>

    /// The range of the header and the payload.
    var range: Range<Int> { (payloadRange.lowerBound - Self.headerByteCount)..<payloadRange.upperBound }
    /// The offset of the next chunk: chunks are padded to an even size.
    var endOffset: Int { payloadRange.upperBound + payloadRange.count % 2 }

    /// Reads the chunk at `offset`, or returns `nil` if the bytes end before its payload.
    init?(_ bytes: [UInt8], at offset: Int) {
        guard offset + Self.headerByteCount <= bytes.count else { return nil }
        var reader = ByteReader(bytes, in: (offset + 4)..<bytes.count)
        reader.byteOrder = .littleEndian
        guard let size = reader.readUInt32() else { return nil }
        type = String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
        payloadRange = reader.position..<(reader.position + size)
    }
}
