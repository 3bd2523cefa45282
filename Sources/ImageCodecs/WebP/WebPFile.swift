internal import Diagnostics
internal import Imaging

/// A WebP file with its chunks parsed and checked against the limits.
struct WebPFile {
    let bytes: [UInt8]
    let structure: WebPStructure
    let imageData: WebPImageData
    let header: ImageHeader
    /// The range of the ICC profile; `nil` if there is none, or it is too large.
    let profileRange: Range<Int>?

    /// The size of the file header: `RIFF`, a size and `WEBP`.
    static let fileHeaderByteCount = 12

    /// Checks a parsed file.
    ///
    /// - Parameters:
    ///   - bytes: The file, or its beginning.
    ///   - structure: The structure of `bytes`, parsed at least up to the header of the image data.
    ///   - limits: The limits to check.
    /// - Throws: ``CodecError/Code/truncated``, ``CodecError/Code/damaged`` or
    ///   ``CodecError/Code/memoryLimitExceeded``.
    init(_ bytes: [UInt8], structure: WebPStructure, limits: ImageLimits) throws(CodecError) {
        guard let imageData = structure.imageData else {
            throw structure.nextChunkOffset + RIFFChunk.headerByteCount <= structure.statedEndOffset ?? .max
                ? CodecError(
                    .truncated, stage: .probe, offset: bytes.count, message: "the file ends before its image data")
                : CodecError(
                    .damaged, stage: .probe, offset: min(structure.nextChunkOffset, bytes.count),
                    message: "there is no image data")
        }
        let size = structure.extendedHeader?.canvasSize ?? imageData.size
        let isProfileTooLarge = structure.profileRange.map { $0.count > limits.iccBytes } ?? false
        var warnings = structure.warnings
        if isProfileTooLarge {
            warnings.append(
                Diagnostic(
                    .profileDropped, offset: structure.profileRange?.lowerBound,
                    message: "the color profile is too large (at most \(limits.iccBytes) bytes)"))
        }
        self.bytes = bytes
        self.structure = structure
        self.imageData = imageData
        profileRange = isProfileTooLarge || structure.profileRange?.isEmpty == true ? nil : structure.profileRange
        header = ImageHeader(
            format: .webp, storedSize: size, orientation: structure.exif.orientation, isProgressive: false,
            iccByteCount: profileRange?.count ?? 0,
            decoderBufferByteCount: imageData.decoderBufferByteCount,
            storedChromaSubsampling: imageData.coding == .lossy
                ? ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2) : .none, warnings: warnings)
        try limits.checkDecoderBufferByteCount(imageData.decoderBufferByteCount)
    }

    /// Whether the planes of the image data are those of the whole image.
    var deliversPlanes: Bool {
        imageData.coding == .lossy && !imageData.hasAlpha && imageData.size == header.storedSize
    }

    /// The size of the chunks that the image needs, in bytes.
    var imageDataByteCount: Int {
        let extended = imageData.hasAlpha && imageData.coding == .lossy
        return Self.fileHeaderByteCount + imageData.chunkRange.clamped(to: 0..<bytes.count).count
            + (extended ? RIFFChunk.headerByteCount + WebPExtendedHeader.payloadByteCount : 0)
    }

    /// A warning about bytes after the end that the file states.
    var trailingBytesWarning: Diagnostic? {
        guard let end = structure.statedEndOffset, end + end % 2 < bytes.count else { return nil }
        return Diagnostic(
            .trailingBytes, offset: end, message: "\(bytes.count - end) bytes after the image are removed")
    }
}

extension WebPImageData {
    /// An upper bound of the memory that libwebp allocates for the image, in bytes.
    ///
    /// It keeps the whole image: of a lossy one the planes, and of one with alpha also 6 bytes a pixel for alpha and
    /// RGBA; of a lossless one 4 bytes a pixel, and 3 or 4 for RGB or RGBA. Besides, it keeps some rows.
    var decoderBufferByteCount: Int {
        let rows = 64 << 10 + 160 * size.width
        let chroma = size.width.dividedRoundingUp(by: 2) * size.height.dividedRoundingUp(by: 2)
        let pixels =
            switch coding {
            case .lossy: hasAlpha ? 6 * size.pixelCount : size.pixelCount + 2 * chroma
            case .lossless: (hasAlpha ? 8 : 7) * size.pixelCount
            }
        return rows + pixels + huffmanTableByteCount
    }

    /// An upper bound of libwebp's Huffman tables, in bytes.
    ///
    /// A lossless image has up to 65,536 groups of five codes, and one for at most each 4 x 4 pixels. A group takes 20
    /// bits of the file and 6,000 bytes of memory: a crafted file of 295 KB took 365 MB. Long codes take up to 6,800
    /// bytes more, and at least an 80th of that in the file. libwebp's own encoder writes at most 2,600 groups, but how
    /// many there are is only known after decoding a part of the image.
    private var huffmanTableByteCount: Int {
        if losslessByteCount == 0 { return 0 }
        let groups = min(65_536, size.pixelCount.dividedRoundingUp(by: 16), losslessByteCount * 8 / 20 + 1)
        return groups * 6_000 + min(groups * 6_800, losslessByteCount * 80)
    }
}
