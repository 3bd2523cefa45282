internal import Diagnostics
internal import Imaging

/// A PNG file with its chunks parsed and checked against the limits.
///
/// Source: W3C PNG, third edition, sections 5 and 11.
struct PNGFile {
    let bytes: [UInt8]
    let header: ImageHeader
    /// The size of the chunks that the image needs, in bytes: signature, header, palette, transparency, image data,
    /// end.
    let imageDataByteCount: Int

    /// Whether a pixel has 8 bits each of red, green and blue, with or without alpha.
    let isEightBitTrueColor: Bool

    static let signatureByteCount = 8

    /// Parses a file.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - extent: `.headerOnly` stops at the start of the image data, so an `eXIf` chunk after it is not found.
    ///   - limits: the limits to check.
    /// - Throws: the errors of ``ImageHeader/init(probing:isWholeFile:limits:)``.
    init(_ bytes: [UInt8], extent: ParsingExtent, limits: ImageLimits) throws(CodecError) {
        var chunks = PNGChunkReader(bytes, startingAt: Self.signatureByteCount)
        guard let first = chunks.nextChunk() else {
            throw CodecError(.truncated, stage: .probe, offset: bytes.count, message: "the file ends within its header")
        }
        if first.type == "CgBI" {
            throw CodecError(
                .unsupportedFormat("cgbi"), stage: .probe, offset: Self.signatureByteCount,
                message: "Apple's CgBI variant of PNG is not read; save the picture as an ordinary PNG or JPEG")
        }
        if first.type == "IHDR" && first.payloadRange.count < 13 && chunks.nextChunkOffset > bytes.count {
            throw CodecError(.truncated, stage: .probe, offset: bytes.count, message: "the file ends within its header")
        }
        guard let imageHeader = IHDRChunk(fileBytes: bytes, chunk: first) else {
            throw CodecError(
                .damaged, stage: .probe, offset: Self.signatureByteCount,
                message: "the file does not begin with a picture header")
        }
        try limits.checkDimensions(
            width: imageHeader.size.width, height: imageHeader.size.height, at: first.payloadRange.lowerBound)
        let decodedBytes = imageHeader.isInterlaced ? imageHeader.size.pixelCount * imageHeader.channelCount : 0
        try limits.checkDecoderBufferByteCount(decodedBytes)

        var summary = PNGChunkSummary(fileBytes: bytes, headerChunk: first)
        var hasImageData = false, hasEnd = false
        while let chunk = chunks.nextChunk() {
            hasEnd = chunk.type == "IEND"
            hasImageData = hasImageData || chunk.type == "IDAT"
            if hasEnd || (hasImageData && extent == .headerOnly) { break }
            summary.addChunk(chunk)
            if summary.otherChunkCount > limits.segments {
                throw CodecError(
                    .tooManySegments, stage: .probe, offset: chunk.payloadRange.lowerBound,
                    message: "more than \(limits.segments) chunks")
            }
        }
        if !hasImageData {
            throw hasEnd
                ? CodecError(
                    .damaged, stage: .probe, offset: min(chunks.nextChunkOffset, bytes.count),
                    message: "there is no image data")
                : CodecError(
                    .truncated, stage: .probe, offset: bytes.count, message: "the file ends before its image data")
        }
        self.bytes = bytes
        isEightBitTrueColor = imageHeader.isEightBitTrueColor
        imageDataByteCount = Self.signatureByteCount + summary.imageDataByteCount + PNGChunkReader.chunkOverheadBytes
        header = ImageHeader(
            format: .png, storedSize: imageHeader.size, orientation: summary.exif.orientation,
            isProgressive: imageHeader.isInterlaced, iccByteCount: summary.profileByteCount,
            decoderBufferByteCount: decodedBytes,
            warnings: summary.warnings)
    }

    /// The contents of the IHDR chunk.
    private struct IHDRChunk {
        var size: PixelSize
        /// The number of 8-bit channels after decoding, including alpha where the color type allows transparency.
        var channelCount: Int
        var isInterlaced: Bool
        var isEightBitTrueColor: Bool

        init?(fileBytes bytes: [UInt8], chunk: PNGChunkReader.PNGChunk) {
            var reader = ByteReader(bytes, in: chunk.payloadRange)
            guard chunk.type == "IHDR", chunk.payloadRange.count == 13, let width = reader.readUInt32(),
                let height = reader.readUInt32(),
                let bitDepth = reader.readUInt8(), let colorType = reader.readUInt8(), reader.readUInt16() != nil,
                let interlace = reader.readUInt8()
            else { return nil }
            size = PixelSize(width: width, height: height)
            channelCount = colorType == 0 || colorType == 4 ? 2 : 4
            isInterlaced = interlace != 0
            isEightBitTrueColor = bitDepth == 8 && (colorType == 2 || colorType == 6)
        }
    }
}

/// The properties collected from a file's chunks.
private struct PNGChunkSummary {
    let bytes: [UInt8]
    private(set) var exif = ExifSummary()
    private(set) var profileByteCount = 0
    private var hasSRGBChunk = false
    /// The offset of the first animation control chunk.
    private var animationOffset: Int?
    private(set) var imageDataByteCount = 0
    private(set) var otherChunkCount = 0

    init(fileBytes bytes: [UInt8], headerChunk header: PNGChunkReader.PNGChunk) {
        self.bytes = bytes
        imageDataByteCount = header.payloadRange.count + PNGChunkReader.chunkOverheadBytes
    }

    var warnings: [Diagnostic] {
        let message = "of the animation only the default image is taken"
        let dropped =
            animationOffset.map { [Diagnostic(.animationDropped, offset: $0, message: message)] } ?? []
        return exif.hasUncalibratedColors && profileByteCount == 0 && !hasSRGBChunk
            ? dropped + [.unknownColorSpace] : dropped
    }

    mutating func addChunk(_ chunk: PNGChunkReader.PNGChunk) {
        if chunk.type != "IDAT" { otherChunkCount += 1 }
        switch chunk.type {
        case "IDAT", "PLTE", "tRNS": imageDataByteCount += chunk.payloadRange.count + PNGChunkReader.chunkOverheadBytes
        case "eXIf": exif = ExifSummary(tiff: bytes, in: chunk.payloadRange)
        case "iCCP": profileByteCount = chunk.payloadRange.count
        case "sRGB": hasSRGBChunk = true
        case "acTL": animationOffset = animationOffset ?? chunk.payloadRange.lowerBound
        default: break
        }
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
