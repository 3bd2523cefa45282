public import ImageCodecs
public import Imaging

/// What an image is, and what would become of it, found without decoding it.
public struct ImageProbe: Sendable {
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
    public var memory: Int { max(decodingMemory, encodingMemory) }
    /// The two halves of the work, which don't come at once.
    let decodingMemory, encodingMemory: Int
    /// What the header gives reason to warn of. A full preparation may find more.
    public var warnings: [MediaWarning]

    /// The size when it stands upright.
    public var size: PixelSize { orientation.applied(to: storedSize) }

    init(_ header: ImageHeader, options: ImageOptions) {
        format = header.format
        storedSize = header.storedSize
        orientation = header.orientation
        preparedSize = header.size.fitted(within: options.maxDimension)
        isProgressive = header.isProgressive
        decodingMemory = Self.decodingMemory(header, for: preparedSize, options)
        encodingMemory = Self.encodingMemory(preparedSize, options)
        warnings = header.warnings.map(MediaWarning.init)
    }

    /// The decoder's own, the rows that the widest filter spans of three full planes, a profile, and the resized planes
    /// twice: upright, and as they were stored.
    private static func decodingMemory(_ header: ImageHeader, for size: PixelSize, _ options: ImageOptions) -> Int {
        let ratio = max(1, header.size.width.dividedRoundingUp(by: max(1, size.width)))
        let window = header.storedSize.width * 3 * (6 * min(ratio, 64) + 48)
        // A compressed profile is at most 1,032 times as large as it looks.
        let profile = min(header.iccBytes * (header.format == .png ? 1032 : 1), options.limits.iccBytes)
        return header.decodedBytes + window + profile * 2 + planes(size, options) * 2
    }

    /// The planes; a progressive file's coefficients, 2 bytes a sample; and four times the result, which is in
    /// libjpeg's buffer and in those of the first and the best of a search, and copied at the end. Noise takes half a
    /// byte a sample at a quality of 90, and at most one at 100.
    private static func encodingMemory(_ size: PixelSize, _ options: ImageOptions) -> Int {
        planes(size, options) * (1 + (options.isProgressive ? 2 : 0) + (options.quality > 90 ? 4 : 2))
    }

    /// Bytes of the prepared picture's planes. Rows are padded to 64 bytes, those of halved planes too.
    private static func planes(_ size: PixelSize, _ options: ImageOptions) -> Int {
        let luma = max(
            size.width.roundedUp(to: 128) * size.height, size.height.roundedUp(to: 128) * size.width)
        let reduction = options.chroma.reduction
        return luma + 2 * luma / (reduction.horizontal * reduction.vertical)
    }
}
