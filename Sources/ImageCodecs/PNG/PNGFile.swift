internal import Diagnostics
internal import Imaging

/// A PNG file with its chunks parsed and checked against the limits.
///
/// Source: W3C PNG, third edition, sections 5 and 11.
struct PNGFile {
    let bytes: [UInt8]
    let structure: PNGStructure
    let imageHeader: PNGImageHeader
    let header: ImageHeader

    static let signatureByteCount = 8

    /// Checks that a parsed file has image data.
    ///
    /// - Parameters:
    ///   - bytes: The file, or its beginning.
    ///   - structure: The structure of `bytes`, parsed at least up to the image data.
    /// - Throws: ``CodecError/Code/truncated`` or ``CodecError/Code/damaged``.
    init(_ bytes: [UInt8], structure: PNGStructure) throws(CodecError) {
        guard let imageHeader = structure.imageHeader, structure.hasImageData else {
            throw structure.hasEnd
                ? CodecError(
                    .damaged, stage: .probe, offset: min(structure.nextChunkOffset, bytes.count),
                    message: "there is no image data")
                : CodecError(
                    .truncated, stage: .probe, offset: bytes.count, message: "the file ends before its image data")
        }
        self.bytes = bytes
        self.structure = structure
        self.imageHeader = imageHeader
        header = ImageHeader(
            format: .png, storedSize: imageHeader.size, orientation: structure.exif.orientation,
            isProgressive: imageHeader.isInterlaced, iccByteCount: structure.profileByteCount,
            decoderBufferByteCount: imageHeader.decodedByteCount, warnings: structure.warnings)
    }
}

/// Iterates over the chunks of a PNG file by their lengths.
struct PNGChunkReader {
    struct PNGChunk {
        var type: String
        /// The payload, clamped to the end of the file.
        var payloadRange: Range<Int>
    }

    /// The bytes of a chunk besides its payload: length, type and CRC.
    static let chunkOverheadBytes = 12

    private let bytes: [UInt8]
    /// The offset of the next chunk.
    private(set) var nextChunkOffset: Int

    init(_ bytes: [UInt8], startingAt position: Int) {
        self.bytes = bytes
        self.nextChunkOffset = position
    }

    /// Returns the next chunk, which may be truncated, or `nil` if the file ends before its type.
    mutating func nextChunk() -> PNGChunk? {
        var reader = ByteReader(bytes, in: min(nextChunkOffset, bytes.count)..<bytes.count)
        guard let length = reader.readUInt32(), length < 1 << 31, reader.remainingByteCount >= 4 else {
            nextChunkOffset = bytes.count
            return nil
        }
        let type = String(decoding: bytes[reader.position..<(reader.position + 4)], as: UTF8.self)
        let start = reader.position + 4
        nextChunkOffset = start + length + 4
        return PNGChunk(type: type, payloadRange: start..<min(start + length, bytes.count))
    }
}
