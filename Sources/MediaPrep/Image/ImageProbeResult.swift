public import ImageCodecs
public import Imaging

/// What an image is, and what would become of it, found without decoding it.
public struct ImageProbeResult: Sendable {
    /// By content, not by name.
    public var format: ImageFormat
    /// The size as it is stored.
    public var storedSize: PixelSize
    /// How it must be turned to stand upright.
    public var orientation: Orientation
    /// The size that it would be given, upright.
    public var preparedSize: PixelSize
    /// Whether it is a progressive JPEG or an interlaced PNG, which may take memory for the whole picture.
    public var isProgressive: Bool
    /// Bytes of memory that preparing it takes, beside the file and copies of that: at most this and two megabytes.
    public var peakMemoryBytes: Int { max(decodingMemoryBytes, encodingMemoryBytes) }
    /// The two halves of the work, which don't come at once.
    let decodingMemoryBytes, encodingMemoryBytes: Int
    /// What the header gives reason to warn of. A full preparation may find more.
    public var warnings: [MediaWarning]

    /// The size when it stands upright.
    public var uprightSize: PixelSize { orientation.orientedSize(of: storedSize) }

    init(header: ImageHeader, options: ImageOptions) {
        format = header.format
        storedSize = header.storedSize
        orientation = header.orientation
        preparedSize = header.uprightSize.scaledDown(toLongerSide: options.maxDimension)
        isProgressive = header.isProgressive
        decodingMemoryBytes = Self.estimateDecodingMemory(header: header, preparedSize: preparedSize, options: options)
        encodingMemoryBytes = Self.estimateEncodingMemory(preparedSize: preparedSize, options: options)
        warnings = header.warnings.map(MediaWarning.init)
    }

    /// The decoder's own, the rows that the widest filter spans of three full planes, a profile, and the resized planes
    /// twice: upright, and as they were stored.
    private static func estimateDecodingMemory(header: ImageHeader, preparedSize size: PixelSize, options: ImageOptions)
        -> Int
    {
        let ratio = max(1, header.uprightSize.width.dividedRoundingUp(by: max(1, size.width)))
        let ringBufferBytes = header.storedSize.width * 3 * (6 * min(ratio, 64) + 48)
        // A compressed profile is at most 1,032 times as large as it looks.
        let profileBytes = min(header.iccByteCount * (header.format == .png ? 1032 : 1), options.limits.iccBytes)
        return header.decoderBufferByteCount + ringBufferBytes + profileBytes * 2 + planeByteCount(
            preparedSize: size, options: options) * 2
    }

    /// The planes; a progressive file's coefficients, 2 bytes a sample; and four times the result, which is in
    /// libjpeg's buffer and in those of the first and the best of a search, and copied at the end. Noise takes half a
    /// byte a sample at a quality of 90, and at most one at 100.
    private static func estimateEncodingMemory(preparedSize size: PixelSize, options: ImageOptions) -> Int {
        planeByteCount(preparedSize: size, options: options)
            * (1 + (options.isProgressive ? 2 : 0) + (options.quality > 90 ? 4 : 2))
    }

    /// Bytes of the prepared picture's planes. Rows are padded to 64 bytes, those of halved planes too.
    private static func planeByteCount(preparedSize size: PixelSize, options: ImageOptions) -> Int {
        let luma = max(
            size.width.roundedUp(toMultipleOf: 128) * size.height, size.height.roundedUp(toMultipleOf: 128) * size.width
        )
        let reduction = options.chroma.subsampling
        return luma + 2 * luma / (reduction.horizontalFactor * reduction.verticalFactor)
    }
}
