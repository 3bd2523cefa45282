public import Diagnostics
public import Imaging

/// The properties of an image that are known before its pixels are decoded.
public struct ImageHeader: Sendable {
    /// The format, detected by content.
    public var format: ImageFormat
    /// The stored size, in pixels.
    public var storedSize: PixelSize
    /// The transform that makes the stored image upright.
    public var orientation: Orientation
    /// Whether it is a progressive JPEG or an interlaced PNG. Decoding these may keep the whole image in memory.
    public var isProgressive: Bool
    /// The size of the ICC profile in the file, in bytes, compressed in a PNG; 0 if there is none.
    public var iccByteCount: Int
    /// The memory that decoding needs besides the file and a few rows, in bytes.
    public var decoderBufferByteCount: Int
    /// The bytes of a sample of the rows that are resampled: 1, or 2 for more than 8 bits.
    package var bytesPerSample: Int
    /// The chroma subsampling as stored; none for an image without chroma planes.
    package var storedChromaSubsampling: ChromaSubsampling
    /// The warnings that the header gives.
    public var warnings: [Diagnostic]

    /// The size in pixels after the orientation is applied.
    public var uprightSize: PixelSize { orientation.orientedSize(of: storedSize) }

    /// Reads the header of an image and checks it against `limits`. No pixel is decoded.
    ///
    /// The result is `nil` if `isWholeFile` is `false` and the header extends beyond `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The file, or its beginning.
    ///   - isWholeFile: Whether `bytes` are the whole file.
    ///   - limits: The limits to check.
    /// - Throws: ``CodecError/Code/empty``, ``CodecError/Code/unrecognized``, `unsupported-…`,
    ///   ``CodecError/Code/truncated``, ``CodecError/Code/damaged``, or the code of an exceeded limit:
    ///   ``CodecError/Code/inputTooLarge``, ``CodecError/Code/tooManyPixels``, ``CodecError/Code/dimensionTooLarge``,
    ///   ``CodecError/Code/tooManyScans``, ``CodecError/Code/tooManySegments`` or
    ///   ``CodecError/Code/memoryLimitExceeded``.
    /// - Complexity: Linear in the size of the header, not of the file.
    public init?(
        probing bytes: [UInt8], isWholeFile: Bool = true, limits: ImageLimits = ImageLimits()
    ) throws(CodecError) {
        var parser = ImageFileParser(limits: limits)
        guard let header = try parser.parseHeader(of: bytes, isWholeFile: isWholeFile) else { return nil }
        self = header
    }

    init(
        format: ImageFormat, storedSize: PixelSize, orientation: Orientation, isProgressive: Bool, iccByteCount: Int,
        decoderBufferByteCount: Int, bytesPerSample: Int = 1, storedChromaSubsampling: ChromaSubsampling = .none,
        warnings: [Diagnostic]
    ) {
        self.format = format
        self.storedSize = storedSize
        self.orientation = orientation
        self.isProgressive = isProgressive
        self.iccByteCount = iccByteCount
        self.decoderBufferByteCount = decoderBufferByteCount
        self.bytesPerSample = bytesPerSample
        self.storedChromaSubsampling = storedChromaSubsampling
        self.warnings = warnings
    }
}
