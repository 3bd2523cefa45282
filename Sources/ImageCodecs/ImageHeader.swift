public import Imaging

/// How far a file's structure is read: to the end, or no further than where the picture's data begins.
enum ParsingExtent { case headerOnly, wholeFile }

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
    public var iccByteCount: Int
    /// Bytes that decoding holds at once, beside the file and a few rows.
    public var decoderBufferByteCount: Int
    /// What the header alone gives reason to warn of.
    public var warnings: [CodecWarning]

    /// The size when it stands upright.
    public var uprightSize: PixelSize { orientation.orientedSize(of: storedSize) }

    /// Reads the header of an image, and checks it against `limits`. No pixel is decoded.
    ///
    /// - Parameters:
    ///   - bytes: the file, or as much of its beginning as there is.
    ///   - isWholeFile: false if the file goes on behind `bytes`. An image whose header isn't whole then gives nil.
    /// - Throws: what the limits refuse, `unrecognized-format`, `unsupported-...`, `truncated` or `damaged`.
    /// - Complexity: proportional to the header's bytes, not to the file's.
    public init?(
        probing bytes: [UInt8], isWholeFile: Bool = true, limits: ImageLimits = ImageLimits()
    ) throws(CodecError) {
        if isWholeFile { try limits.checkInputByteCount(bytes.count) }
        do throws(CodecError) {
            switch try ImageFormat.detect(in: bytes) {
            case .jpeg: self = try JPEGFile(bytes, extent: .headerOnly, limits: limits).header
            case .png: self = try PNGFile(bytes, extent: .headerOnly, limits: limits).header
            }
        } catch {
            if error.code == .truncated && !isWholeFile { return nil }
            throw error
        }
    }

    init(
        format: ImageFormat, storedSize: PixelSize, orientation: Orientation, isProgressive: Bool, iccByteCount: Int,
        decoderBufferByteCount: Int, warnings: [CodecWarning]
    ) {
        self.format = format
        self.storedSize = storedSize
        self.orientation = orientation
        self.isProgressive = isProgressive
        self.iccByteCount = iccByteCount
        self.decoderBufferByteCount = decoderBufferByteCount
        self.warnings = warnings
    }
}
