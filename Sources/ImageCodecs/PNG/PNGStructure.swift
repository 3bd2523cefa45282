internal import Diagnostics
internal import Imaging

/// The chunks of a PNG file, found without decoding.
///
/// Parsing continues where it stopped once more of the file is known, so every chunk is read once.
struct PNGStructure {
    /// The image header; `nil` before it is parsed.
    private(set) var imageHeader: PNGImageHeader?
    /// Whether there is a chunk of image data, and whether the end chunk was found.
    private(set) var hasImageData = false, hasEnd = false
    private(set) var exif = ExifSummary()
    /// The size of the compressed ICC profile, in bytes; 0 if there is none.
    private(set) var profileByteCount = 0
    /// The size of the chunks that the image needs, in bytes: signature, header, palette, transparency, image data,
    /// end.
    private(set) var imageDataByteCount = PNGFile.signatureByteCount + PNGChunkReader.chunkOverheadBytes
    /// The range of the image data chunks if the file is complete and has only the end chunk after them, and if no
    /// chunk makes pixels transparent. Otherwise `nil`.
    private(set) var fastPathDataRange: Range<Int>?
    /// The offset of the first byte that is not parsed yet. It may be after the end of the file.
    private(set) var nextChunkOffset = PNGFile.signatureByteCount

    private var colorSpaceChunks = PNGColorSpace()
    private var hasSRGBChunk = false
    /// The offset of the first animation control chunk.
    private var animationOffset: Int?
    /// The number of chunks besides those of image data, the first, and the last.
    private var otherChunkCount = 0
    /// The offset of the first chunk of image data.
    private var imageDataOffset: Int?
    /// Whether the chunks so far allow the fast path.
    private var allowsFastPath = true

    /// The color space that the chunks describe by numbers; `nil` if there is none, or if a profile describes it.
    var codedColorSpace: CodedColorSpace? {
        if let space = colorSpaceChunks.spaceByCodePoints { return space }
        let isDescribedOtherwise =
            highDynamicRangeSpace != nil || profileByteCount > 0 || hasSRGBChunk || imageHeader?.isGray == true
        return isDescribedOtherwise ? nil : colorSpaceChunks.spaceByChromaticities
    }

    /// The color space of high dynamic range that the chunks describe; `nil` if there is none.
    var highDynamicRangeSpace: HighDynamicRangeSpace? { colorSpaceChunks.highDynamicRangeSpace }

    /// Whether a color space takes precedence over the gAMA chunk.
    var ignoresGamma: Bool { colorSpaceChunks.spaceByCodePoints != nil || highDynamicRangeSpace != nil }

    /// The warnings that the chunks give.
    var warnings: [Diagnostic] {
        let message = "of the animation only the default image is taken"
        let dropped =
            animationOffset.map { [Diagnostic(.animationDropped, offset: $0, message: message)] } ?? []
        let warnings = dropped + (colorSpaceChunks.warning.map { [$0] } ?? [])
        return exif.hasUncalibratedColors && profileByteCount == 0 && !hasSRGBChunk
            ? warnings + [.unknownColorSpace] : warnings
    }

    /// Parses the chunks that follow those parsed before.
    ///
    /// - Parameters:
    ///   - bytes: The file, or its beginning. It begins with the bytes of the calls before.
    ///   - extent: `.headerOnly` stops before the image data, so an `eXIf` chunk after it is not found.
    ///   - isWholeFile: Whether `bytes` are the whole file.
    ///   - limits: The limits to check.
    /// - Returns: `false` if `bytes` end before `extent`, and are not the whole file.
    /// - Throws: The errors of ``ImageHeader/init(probing:isWholeFile:limits:)``.
    mutating func parse(
        _ bytes: [UInt8], extent: ParsingExtent, isWholeFile: Bool, limits: ImageLimits
    ) throws(CodecError) -> Bool {
        var chunks = PNGChunkReader(bytes, startingAt: nextChunkOffset)
        if imageHeader == nil {
            imageHeader = try PNGImageHeader(fileBytes: bytes, chunks: &chunks, limits: limits)
            imageDataByteCount += PNGImageHeader.chunkByteCount
            nextChunkOffset = chunks.nextChunkOffset
        }
        while !hasEnd {
            guard let chunk = chunks.nextChunk() else { return isWholeFile }
            hasImageData = hasImageData || chunk.type == "IDAT"
            if hasImageData && extent == .headerOnly { return true }
            if chunks.nextChunkOffset > bytes.count {
                // The payload or the checksum is incomplete.
                if !isWholeFile { return false }
                allowsFastPath = false
            }
            if chunk.type == "IEND" {
                recordEnd(chunk, in: bytes)
            } else {
                try addChunk(chunk, of: bytes, limits: limits)
            }
            nextChunkOffset = chunks.nextChunkOffset
        }
        return true
    }

    private mutating func addChunk(
        _ chunk: PNGChunkReader.PNGChunk, of bytes: [UInt8], limits: ImageLimits
    ) throws(CodecError) {
        let chunkByteCount = chunk.payloadRange.count + PNGChunkReader.chunkOverheadBytes
        switch chunk.type {
        case "IDAT":
            imageDataByteCount += chunkByteCount
            imageDataOffset = imageDataOffset ?? nextChunkOffset
            return
        case "PLTE": imageDataByteCount += chunkByteCount
        case "tRNS":
            imageDataByteCount += chunkByteCount
            allowsFastPath = false
        case "eXIf": exif = ExifSummary(tiff: bytes, in: chunk.payloadRange)
        case "iCCP": profileByteCount = chunk.payloadRange.count
        case "sRGB": hasSRGBChunk = true
        case "acTL": animationOffset = animationOffset ?? chunk.payloadRange.lowerBound
        default: break
        }
        if !hasImageData { colorSpaceChunks.readChunk(chunk.type, payloadRange: chunk.payloadRange, of: bytes) }
        if hasImageData { allowsFastPath = false }
        otherChunkCount += 1
        if otherChunkCount > limits.segments {
            throw CodecError(
                .tooManySegments, stage: .probe, offset: chunk.payloadRange.lowerBound,
                message: "more than \(limits.segments) chunks")
        }
    }

    private mutating func recordEnd(_ chunk: PNGChunkReader.PNGChunk, in bytes: [UInt8]) {
        hasEnd = true
        let checksum = chunk.payloadRange.upperBound..<(chunk.payloadRange.upperBound + 4)
        guard allowsFastPath, let imageDataOffset, chunk.payloadRange.isEmpty, checksum.upperBound <= bytes.count,
            bytes[checksum] == Self.endChecksum
        else { return }
        fastPathDataRange = imageDataOffset..<nextChunkOffset
    }

    /// The CRC of the four letters IEND.
    private static let endChecksum: ArraySlice<UInt8> = [0xAE, 0x42, 0x60, 0x82]
}

/// The contents of the IHDR chunk.
struct PNGImageHeader {
    let size: PixelSize
    /// The number of 8-bit channels after decoding, including alpha where the color type allows transparency.
    let channelCount: Int
    let isInterlaced: Bool
    /// Whether a pixel has 8 bits each of red, green and blue, with or without alpha.
    let isEightBitTrueColor: Bool

    /// Whether the pixels are gray, with or without alpha.
    var isGray: Bool { channelCount == 2 }

    private static let payloadByteCount = 13
    /// The size of the whole chunk without its overhead, in bytes.
    static let chunkByteCount = payloadByteCount + PNGChunkReader.chunkOverheadBytes

    /// The size of the decoded image, which libpng keeps if it is interlaced, in bytes; 0 if it is not.
    var decodedByteCount: Int { isInterlaced ? size.pixelCount * channelCount : 0 }

    /// Reads the first chunk.
    ///
    /// - Throws: ``CodecError/Code/truncated``, ``CodecError/Code/damaged``, `unsupported-cgbi`, and the code of an
    ///   exceeded limit.
    init(fileBytes bytes: [UInt8], chunks: inout PNGChunkReader, limits: ImageLimits) throws(CodecError) {
        let truncated = CodecError(
            .truncated, stage: .probe, offset: bytes.count, message: "the file ends within its header")
        guard let first = chunks.nextChunk() else { throw truncated }
        if first.type == "CgBI" {
            throw CodecError(
                .unsupportedFormat("cgbi"), stage: .probe, offset: PNGFile.signatureByteCount,
                message: "Apple's CgBI variant of PNG is not supported; save the image as a standard PNG or JPEG")
        }
        if first.type == "IHDR" && first.payloadRange.count < Self.payloadByteCount
            && chunks.nextChunkOffset > bytes.count
        {
            throw truncated
        }
        var reader = ByteReader(bytes, in: first.payloadRange)
        guard first.type == "IHDR", first.payloadRange.count == Self.payloadByteCount,
            let width = reader.readUInt32(), let height = reader.readUInt32(), let bitDepth = reader.readUInt8(),
            let colorType = reader.readUInt8(), reader.readUInt16() != nil, let interlace = reader.readUInt8()
        else {
            throw CodecError(
                .damaged, stage: .probe, offset: PNGFile.signatureByteCount,
                message: "the file does not begin with an image header")
        }
        size = PixelSize(width: width, height: height)
        channelCount = colorType == 0 || colorType == 4 ? 2 : 4
        isInterlaced = interlace != 0
        isEightBitTrueColor = bitDepth == 8 && (colorType == 2 || colorType == 6)
        try limits.checkDimensions(width: width, height: height, at: first.payloadRange.lowerBound)
        try limits.checkDecoderBufferByteCount(decodedByteCount)
    }
}
