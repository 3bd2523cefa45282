internal import Diagnostics
internal import Imaging

/// The chunks of a WebP file, found without decoding.
///
/// Parsing continues where it stopped once more of the file is known, so every chunk is read once.
///
/// Source: WebP Container Specification (Google, 2023).
struct WebPStructure {
    /// The image data: of a still image, or of the first image of an animation.
    private(set) var imageData: WebPImageData?
    /// The contents of the `VP8X` chunk; `nil` for a file of one image without metadata.
    private(set) var extendedHeader: WebPExtendedHeader?
    /// The position of the image on the canvas, in pixels.
    private(set) var imageOrigin = (x: 0, y: 0)
    private(set) var exif = ExifSummary()
    /// The range of the ICC profile, clamped to the end of the file.
    private(set) var profileRange: Range<Int>?
    /// The offset of the first byte that is not parsed yet. It may be after the end of the file.
    private(set) var nextChunkOffset = WebPFile.fileHeaderByteCount
    /// The end of the file as its header states it.
    private(set) var statedEndOffset: Int?

    private var hasExif = false
    /// The offset of the second image of an animation.
    private var secondImageOffset: Int?
    /// The alpha chunk before the image data.
    private var alphaChunk: RIFFChunk?
    private var chunkCount = 0

    /// Whether all is parsed that the probe needs. Exif follows the image data.
    private var hasWholeHeader: Bool {
        imageData != nil && (hasExif || extendedHeader?.hasExif != true)
    }

    /// Parses the chunks that follow those parsed before.
    ///
    /// - Parameters:
    ///   - bytes: The file, or its beginning. It begins with the bytes of the calls before.
    ///   - extent: `.headerOnly` stops after the image data's header, or after Exif if the header announces it.
    ///   - isWholeFile: Whether `bytes` are the whole file.
    ///   - limits: The limits to check.
    /// - Returns: `false` if `bytes` end before `extent`, and are not the whole file.
    /// - Throws: The errors of ``ImageHeader/init(probing:isWholeFile:limits:)``.
    mutating func parse(
        _ bytes: [UInt8], extent: ParsingExtent, isWholeFile: Bool, limits: ImageLimits
    ) throws(CodecError) -> Bool {
        let end = statedEndOffset ?? Self.readStatedEndOffset(bytes)
        statedEndOffset = end
        while !(extent == .headerOnly && hasWholeHeader) && nextChunkOffset + RIFFChunk.headerByteCount <= end {
            guard let chunk = RIFFChunk(bytes, at: nextChunkOffset) else { return isWholeFile }
            if chunk.payloadRange.upperBound > end {
                throw CodecError(
                    .damaged, stage: .probe, offset: nextChunkOffset,
                    message: "the chunk '\(chunk.type.printable)' extends beyond the end that the file states")
            }
            let isNeededWhole = ["VP8X", "ICCP", "EXIF"].contains(chunk.type)
            if isNeededWhole && chunk.payloadRange.upperBound > bytes.count && !isWholeFile { return false }
            guard try addChunk(chunk, of: bytes, limits: limits) else { return isWholeFile }
            nextChunkOffset = chunk.endOffset
            chunkCount += 1
            if chunkCount > limits.segments {
                throw CodecError(
                    .tooManySegments, stage: .probe, offset: chunk.range.lowerBound,
                    message: "more than \(limits.segments) chunks")
            }
        }
        return true
    }

    /// Records a chunk. Returns `false` if the file ends within what is needed of it.
    private mutating func addChunk(
        _ chunk: RIFFChunk, of bytes: [UInt8], limits: ImageLimits
    ) throws(CodecError) -> Bool {
        let known = chunk.payloadRange.clamped(to: 0..<bytes.count)
        switch chunk.type {
        case "VP8X" where extendedHeader == nil && imageData == nil:
            guard known.count >= WebPExtendedHeader.payloadByteCount else {
                return try Self.requireTruncation(chunk, of: bytes)
            }
            extendedHeader = try WebPExtendedHeader(bytes, at: known.lowerBound, limits: limits)
        case "ICCP" where profileRange == nil && extendedHeader?.hasProfile == true: profileRange = known
        case "EXIF" where !hasExif && extendedHeader?.hasExif == true:
            hasExif = true
            exif = ExifSummary(tiff: bytes, in: Self.tiffRange(known, of: bytes))
        case "ALPH" where imageData == nil: alphaChunk = alphaChunk ?? chunk
        case "VP8 ", "VP8L":
            if imageData != nil { break }
            guard let image = try WebPImageData(chunk: chunk, alphaChunk: alphaChunk, bytes: bytes) else {
                return false
            }
            try setImageData(image, limits: limits)
        // A position on the canvas means nothing without the header of an animation.
        case "ANMF" where extendedHeader?.isAnimated != true: break
        case "ANMF" where imageData != nil: secondImageOffset = secondImageOffset ?? chunk.range.lowerBound
        case "ANMF": return try addAnimationFrame(known, statedEnd: chunk.payloadRange.upperBound, of: bytes, limits)
        default: break
        }
        return true
    }

    /// Finds the image data of the first image of an animation: 24 bits each for half of the position and the size less
    /// 1, 24 for the duration and 8 of flags, and then chunks.
    private mutating func addAnimationFrame(
        _ payload: Range<Int>, statedEnd: Int, of bytes: [UInt8], _ limits: ImageLimits
    ) throws(CodecError) -> Bool {
        var reader = ByteReader(bytes, in: payload)
        reader.byteOrder = .littleEndian
        guard let x = reader.readInteger(byteCount: 3), let y = reader.readInteger(byteCount: 3),
            reader.readInteger(byteCount: 6) != nil, reader.readInteger(byteCount: 4) != nil
        else { return false }
        var offset = reader.position
        while let chunk = RIFFChunk(bytes, at: offset), chunk.payloadRange.upperBound <= statedEnd {
            if chunk.type == "ALPH" { alphaChunk = alphaChunk ?? chunk }
            if ["VP8 ", "VP8L"].contains(chunk.type) {
                guard let image = try WebPImageData(chunk: chunk, alphaChunk: alphaChunk, bytes: bytes) else {
                    return false
                }
                imageOrigin = (2 * x, 2 * y)
                try setImageData(image, limits: limits)
                return true
            }
            offset = chunk.endOffset
        }
        // Without image data, unless the file ends within this frame.
        if statedEnd > bytes.count { return false }
        throw CodecError(
            .damaged, stage: .probe, offset: payload.lowerBound, message: "the first image has no image data")
    }

    /// Checks that the image lies on the canvas, and covers it unless it is animated.
    private mutating func setImageData(_ image: WebPImageData, limits: ImageLimits) throws(CodecError) {
        try limits.checkDimensions(
            width: image.size.width, height: image.size.height, at: image.chunkRange.lowerBound)
        if let header = extendedHeader {
            let isInside =
                imageOrigin.x + image.size.width <= header.canvasSize.width
                && imageOrigin.y + image.size.height <= header.canvasSize.height
            guard header.isAnimated ? isInside : image.size == header.canvasSize else {
                throw CodecError(
                    .damaged, stage: .probe, offset: image.chunkRange.lowerBound,
                    message:
                        "the image has \(image.size.width) x \(image.size.height) pixels, which does not match the "
                        + "canvas of \(header.canvasSize.width) x \(header.canvasSize.height)")
            }
        }
        imageData = image
    }

    /// The warnings that the chunks give.
    var warnings: [Diagnostic] {
        var warnings: [Diagnostic] = []
        if let secondImageOffset {
            warnings.append(
                Diagnostic(
                    .animationDropped, offset: secondImageOffset,
                    message: "of the animation only the first image is taken"))
        }
        if exif.hasUncalibratedColors && profileRange == nil { warnings.append(.unknownColorSpace) }
        return warnings
    }

    private static func readStatedEndOffset(_ bytes: [UInt8]) -> Int {
        var reader = ByteReader(bytes, in: 4..<bytes.count)
        reader.byteOrder = .littleEndian
        return RIFFChunk.headerByteCount + (reader.readUInt32() ?? 0)
    }

    /// Some programs put the six bytes in front that Exif has in JPEG.
    private static func tiffRange(_ payload: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
        let hasPrefix = ByteReader(bytes, in: payload).hasASCIIPrefix("Exif\0\0")
        return (payload.lowerBound + (hasPrefix ? 6 : 0))..<payload.upperBound
    }

    /// Returns `false` if the file ends within `chunk`; otherwise, it is too short.
    private static func requireTruncation(_ chunk: RIFFChunk, of bytes: [UInt8]) throws(CodecError) -> Bool {
        if chunk.payloadRange.upperBound > bytes.count { return false }
        throw CodecError(
            .damaged, stage: .probe, offset: chunk.range.lowerBound,
            message: "the chunk '\(chunk.type.printable)' is too short")
    }
}

/// The contents of the `VP8X` chunk: flags, and the size of the canvas.
struct WebPExtendedHeader {
    static let payloadByteCount = 10

    let hasProfile, hasExif, isAnimated: Bool
    let canvasSize: PixelSize

    /// Reads the chunk's payload at `offset`, which has `payloadByteCount` bytes.
    init(_ bytes: [UInt8], at offset: Int, limits: ImageLimits) throws(CodecError) {
        var reader = ByteReader(bytes, in: offset..<(offset + Self.payloadByteCount))
        reader.byteOrder = .littleEndian
        let flags = reader.readUInt32() ?? 0
        hasProfile = flags & 0x20 != 0
        hasExif = flags & 0x08 != 0
        isAnimated = flags & 0x02 != 0
        canvasSize = PixelSize(
            width: (reader.readInteger(byteCount: 3) ?? 0) + 1, height: (reader.readInteger(byteCount: 3) ?? 0) + 1)
        try limits.checkDimensions(width: canvasSize.width, height: canvasSize.height, at: offset)
    }
}
