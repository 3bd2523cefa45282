internal import Imaging

/// A PNG file: its chunks, checked against the limits, and what they say about the picture.
///
/// Source: W3C PNG, third edition, sections 5 and 11.
struct PNGFile {
    let bytes: [UInt8]
    let header: ImageHeader
    /// Bytes of the file that carry its picture: signature, header, palette, transparency, image data, end.
    let imageBytes: Int

    /// Whether its pixels are 8 bits each of red, green and blue, with or without alpha.
    let isTrueColor: Bool

    static let signatureCount = 8

    /// - Parameter extent: `.header` does not look beyond the start of the image data, so it misses an `eXIf` behind it.
    /// - Throws: see `ImageHeader.init(probing:)`.
    init(_ bytes: [UInt8], _ extent: FileExtent, limits: ImageLimits) throws(CodecError) {
        var chunks = ChunkReader(bytes, from: Self.signatureCount)
        guard let first = chunks.next() else {
            throw CodecError(.truncated, .probe, offset: bytes.count, "the file ends within its header")
        }
        if first.type == "CgBI" {
            throw CodecError(
                .unsupported("cgbi"), .probe, offset: Self.signatureCount,
                "Apple's CgBI variant of PNG is not read; save the picture as an ordinary PNG or JPEG")
        }
        if first.type == "IHDR" && first.payload.count < 13 && chunks.position > bytes.count {
            throw CodecError(.truncated, .probe, offset: bytes.count, "the file ends within its header")
        }
        guard let shape = Shape(bytes, first) else {
            throw CodecError(
                .damaged, .probe, offset: Self.signatureCount, "the file does not begin with a picture header")
        }
        try limits.check(shape.size.width, shape.size.height, at: first.payload.lowerBound)
        let decodedBytes = shape.isInterlaced ? shape.size.area * shape.channels : 0
        try limits.check(decodedBytes: decodedBytes)

        var summary = ChunkSummary(bytes, first)
        var hasImageData = false, hasEnd = false
        while let chunk = chunks.next() {
            hasEnd = chunk.type == "IEND"
            hasImageData = hasImageData || chunk.type == "IDAT"
            if hasEnd || (hasImageData && extent == .header) { break }
            summary.add(chunk)
            if summary.otherChunks > limits.segments {
                throw CodecError(
                    .segments, .probe, offset: chunk.payload.lowerBound, "more than \(limits.segments) chunks")
            }
        }
        if !hasImageData {
            throw hasEnd
                ? CodecError(.damaged, .probe, offset: min(chunks.position, bytes.count), "there is no image data")
                : CodecError(.truncated, .probe, offset: bytes.count, "the file ends before its image data")
        }
        self.bytes = bytes
        isTrueColor = shape.isTrueColor
        imageBytes = Self.signatureCount + summary.imageBytes + ChunkReader.overhead
        header = ImageHeader(
            format: .png, storedSize: shape.size, orientation: summary.exif.orientation,
            isProgressive: shape.isInterlaced, iccBytes: summary.profileBytes, decodedBytes: decodedBytes,
            warnings: summary.warnings)
    }

    /// What IHDR says.
    private struct Shape {
        var size: PixelSize
        /// At 8 bits, with transparency if the type can have it.
        var channels: Int
        var isInterlaced: Bool
        var isTrueColor: Bool

        init?(_ bytes: [UInt8], _ chunk: ChunkReader.Chunk) {
            var reader = ByteReader(bytes, in: chunk.payload)
            guard chunk.type == "IHDR", chunk.payload.count == 13, let width = reader.uint32(),
                let height = reader.uint32(),
                let bitDepth = reader.uint8(), let colorType = reader.uint8(), reader.uint16() != nil,
                let interlace = reader.uint8()
            else { return nil }
            size = PixelSize(width: width, height: height)
            channels = colorType == 0 || colorType == 4 ? 2 : 4
            isInterlaced = interlace != 0
            isTrueColor = bitDepth == 8 && (colorType == 2 || colorType == 6)
        }
    }
}

/// What the chunks of a file say, one after the other.
private struct ChunkSummary {
    let bytes: [UInt8]
    private(set) var exif = ExifSummary()
    private(set) var profileBytes = 0
    private var isSRGB = false
    /// Where the first chunk of an animation is.
    private var animation: Int?
    private(set) var imageBytes = 0
    private(set) var otherChunks = 0

    init(_ bytes: [UInt8], _ header: ChunkReader.Chunk) {
        self.bytes = bytes
        imageBytes = header.payload.count + ChunkReader.overhead
    }

    var warnings: [CodecWarning] {
        let message = "of the animation only the default image is taken"
        let dropped = animation.map { [CodecWarning("animation-dropped", offset: $0, message)] } ?? []
        return exif.isUncalibrated && profileBytes == 0 && !isSRGB ? dropped + [.colorSpaceUnknown] : dropped
    }

    mutating func add(_ chunk: ChunkReader.Chunk) {
        if chunk.type != "IDAT" { otherChunks += 1 }
        switch chunk.type {
        case "IDAT", "PLTE", "tRNS": imageBytes += chunk.payload.count + ChunkReader.overhead
        case "eXIf": exif = ExifSummary(tiff: bytes, in: chunk.payload)
        case "iCCP": profileBytes = chunk.payload.count
        case "sRGB": isSRGB = true
        case "acTL": animation = animation ?? chunk.payload.lowerBound
        default: break
        }
    }
}

/// Walks through a PNG file chunk by chunk, by the lengths alone.
struct ChunkReader {
    struct Chunk {
        var type: String
        /// As far as it is there.
        var payload: Range<Int>
    }

    /// Bytes of a chunk beside its payload: length, type and checksum.
    static let overhead = 12

    private let bytes: [UInt8]
    /// Where the next chunk begins.
    private(set) var position: Int

    init(_ bytes: [UInt8], from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// The next chunk whose type is there; its payload may be cut short.
    mutating func next() -> Chunk? {
        var reader = ByteReader(bytes, in: min(position, bytes.count)..<bytes.count)
        guard let length = reader.uint32(), length < 1 << 31, reader.remaining >= 4 else {
            position = bytes.count
            return nil
        }
        let type = String(decoding: bytes[reader.position..<(reader.position + 4)], as: UTF8.self)
        let start = reader.position + 4
        position = start + length + 4
        return Chunk(type: type, payload: start..<min(start + length, bytes.count))
    }
}
