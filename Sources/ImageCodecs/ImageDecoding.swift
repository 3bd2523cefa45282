public import Imaging

/// An image file read as far as its header, ready to be decoded once.
public struct ImageSource: Sendable {
    /// What to do with what is cut short, damaged or transparent.
    public struct Options: Hashable, Sendable {
        /// Take what is there of a file that ends early.
        public var allowTruncated = false
        /// Take what can be made of data that contradicts itself.
        public var allowDamaged = false
        /// What shows where the picture is transparent.
        public var background = RGBColor.white

        /// The defaults: nothing is allowed, and white.
        public init() {}

        /// The codes that stop nothing with these options.
        package var allowedCodes: Set<CodecError.Code> {
            (allowTruncated ? [.truncated] as Set : []).union(allowDamaged ? [.damaged] : [])
        }
    }

    /// What a decode gave.
    public struct Decoded: Sendable {
        /// The picture, resized and upright.
        public var picture: Picture
        /// The colour profile to carry along.
        public var icc: [UInt8]?
        /// The quality at which a JPEG seems to have been written, 1 to 100; nil for other formats.
        public var sourceQuality: Int?
        /// Whether the file could be used as it is, but for its metadata: an upright gray or YCbCr Huffman JPEG in which
        /// nothing was odd. `ImageSource.cleaned` then gives it.
        public var isCleanable: Bool
        /// Bytes of the file that carry the picture.
        public var imageBytes: Int
        /// What was lost or odd.
        public var warnings: [CodecWarning]
    }

    private enum File: Sendable {
        case jpeg(JPEGFile)
        case png(PNGFile)
    }

    private let file: File
    private let limits: ImageLimits
    private let options: Options

    /// Reads all of the file's structure, but no pixel.
    ///
    /// - Throws: see `ImageHeader.init(probing:)`; and the limits on the number of scans, which a probe can't check.
    public init(_ bytes: [UInt8], limits: ImageLimits = ImageLimits(), options: Options = Options()) throws(CodecError)
    {
        try limits.check(inputBytes: bytes.count)
        self.limits = limits
        self.options = options
        switch try ImageFormat.recognize(bytes) {
        case .jpeg: file = .jpeg(try JPEGFile(bytes, .everything, limits: limits))
        case .png: file = .png(try PNGFile(bytes, .everything, limits: limits))
        }
    }

    /// What the file's structure says.
    public var header: ImageHeader {
        switch file {
        case .jpeg(let jpeg): jpeg.header
        case .png(let png): png.header
        }
    }

    /// A JPEG without its metadata, the picture's bytes as they were; nil for other formats.
    ///
    /// Whether it can stand for the picture, only `decode` tells.
    public var cleaned: [UInt8]? {
        guard case .jpeg(let jpeg) = file else { return nil }
        return JPEGCleaner(jpeg).cleaned()
    }

    /// Decodes the picture at full size and resamples it on the way.
    ///
    /// - Throws: `truncated` and `damaged` unless allowed, `memory-limit`, `out-of-memory`, `unsupported-...`.
    /// - Complexity: linear in the source's pixels. In memory, the window of rows that the filter spans, the result, and
    ///   `header.decodedBytes`.
    public func decode(_ resampling: Resampling) throws(CodecError) -> Decoded {
        switch file {
        case .jpeg(let jpeg): try JPEGReading(jpeg, limits, options).decode(resampling)
        case .png(let png): try PNGReading(png, limits, options).decode(resampling)
        }
    }
}
