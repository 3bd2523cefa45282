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
    /// Whether it is a progressive JPEG or an interlaced PNG, which take memory for the whole picture.
    public var isProgressive: Bool
    /// Bytes of memory that preparing it takes, beside the file: at most this and a few megabytes.
    public var memory: Int
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
        // The rows that the widest filter spans, of three full planes; the result, and as much again to turn it.
        let ratio = max(1, header.size.width.dividedRoundingUp(by: max(1, preparedSize.width)))
        let window = storedSize.width * 3 * (6 * min(ratio, 64) + 48)
        memory = header.decodedBytes + window + preparedSize.area * 6
        warnings = header.warnings.map(MediaWarning.init)
    }
}
