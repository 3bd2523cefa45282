public import Imaging

/// How far a file's structure is read: to the end, or no further than where the picture's data begins.
enum FileExtent { case header, everything }

/// What is known of an image before its pixels are decoded.
public struct ImageHeader: Sendable {
    /// By content.
    public var format: ImageFormat
    /// The size as it is stored, in pixels.
    public var storedSize: PixelSize
    /// How it must be turned to stand upright.
    public var orientation: Orientation
    /// Whether a JPEG's first look is coarse, or a PNG is interlaced: decoding then keeps the whole picture in memory.
    public var isProgressive: Bool
    /// Bytes that the colour profile takes in the file, compressed in a PNG; 0 if there is none.
    public var iccBytes: Int
    /// Bytes that decoding holds at once, beside the file and a few rows.
    public var decodedBytes: Int
    /// What the header alone gives reason to warn of.
    public var warnings: [CodecWarning]

    /// The size when it stands upright.
    public var size: PixelSize { orientation.applied(to: storedSize) }

    /// Reads the header of an image, and checks it against `limits`. No pixel is decoded.
    ///
    /// - Parameters:
    ///   - bytes: the file, or as much of its beginning as there is.
    ///   - isWhole: false if the file goes on behind `bytes`. An image whose header isn't whole then gives nil.
    /// - Throws: what the limits refuse, `unrecognized-format`, `unsupported-...`, `truncated` or `damaged`.
    /// - Complexity: proportional to the header's bytes, not to the file's.
    public init?(
        probing bytes: [UInt8], isWhole: Bool = true, limits: ImageLimits = ImageLimits()
    ) throws(CodecError) {
        if isWhole { try limits.check(inputBytes: bytes.count) }
        do throws(CodecError) {
            switch try ImageFormat.recognize(bytes) {
            case .jpeg: self = try JPEGFile(bytes, .header, limits: limits).header
            case .png: self = try PNGFile(bytes, .header, limits: limits).header
            }
        } catch {
            if error.code == .truncated && !isWhole { return nil }
            throw error
        }
    }

    init(
        format: ImageFormat, storedSize: PixelSize, orientation: Orientation, isProgressive: Bool, iccBytes: Int,
        decodedBytes: Int, warnings: [CodecWarning]
    ) {
        self.format = format
        self.storedSize = storedSize
        self.orientation = orientation
        self.isProgressive = isProgressive
        self.iccBytes = iccBytes
        self.decodedBytes = decodedBytes
        self.warnings = warnings
    }
}
