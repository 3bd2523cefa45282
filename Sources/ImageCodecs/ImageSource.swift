public import Imaging

/// An image file read as far as its header, ready to be decoded once.
public struct ImageSource: Sendable {
    /// What to do with what is cut short, damaged or transparent.
    public struct DecodingOptions: Hashable, Sendable {
        /// Take what is there of a file that ends early.
        public var allowsTruncated = false
        /// Take what can be made of data that contradicts itself.
        public var allowsDamaged = false
        /// What shows where the picture is transparent.
        public var background = RGBColor.white

        /// The defaults: nothing is allowed, and white.
        public init() {}

        /// The codes that stop nothing with these options.
        package var toleratedErrorCodes: Set<CodecError.Code> {
            (allowsTruncated ? [.truncated] as Set : []).union(allowsDamaged ? [.damaged] : [])
        }
    }

    /// What a decode gave.
    public struct DecodedImage: Sendable {
        /// The picture, resized and upright.
        public var image: PlanarImage
        /// The colour profile to carry along.
        public var iccProfile: [UInt8]?
        /// The quality at which a JPEG seems to have been written, 1 to 100; nil for other formats.
        public var estimatedSourceQuality: Int?
        /// Whether the file could be used as it is, but for its metadata: an upright gray or YCbCr Huffman JPEG in
        /// which nothing was odd. `ImageSource.strippedJPEG` then gives it.
        public var canStripLosslessly: Bool
        /// Bytes of the file that carry the picture.
        public var imageDataByteCount: Int
        /// What was lost or odd.
        public var warnings: [CodecWarning]
    }

    private enum ParsedFile: Sendable {
        case jpeg(JPEGFile)
        case png(PNGFile)
    }

    private let file: ParsedFile
    private let limits: ImageLimits
    private let options: DecodingOptions

    /// Reads all of the file's structure, but no pixel.
    ///
    /// - Throws: see `ImageHeader.init(probing:)`; and the limits on the number of scans, which a probe can't check.
    public init(_ bytes: [UInt8], limits: ImageLimits = ImageLimits(), options: DecodingOptions = DecodingOptions())
        throws(CodecError)
    {
        try limits.checkInputByteCount(bytes.count)
        self.limits = limits
        self.options = options
        switch try ImageFormat.detect(in: bytes) {
        case .jpeg: file = .jpeg(try JPEGFile(bytes, extent: .wholeFile, limits: limits))
        case .png: file = .png(try PNGFile(bytes, extent: .wholeFile, limits: limits))
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
    public var strippedJPEG: [UInt8]? {
        guard case .jpeg(let jpeg) = file else { return nil }
        return JPEGMetadataStripper(jpeg).strippingMetadata()
    }

    /// Decodes the picture at full size and resamples it on the way.
    ///
    /// - Throws: `truncated` and `damaged` unless allowed, `memory-limit`, `out-of-memory`, `unsupported-...`.
    /// - Complexity: linear in the source's pixels. In memory, the window of rows that the filter spans, the result,
    ///   and `header.decodedBytes`.
    public func decode(resampling: ResampleRequest) throws(CodecError) -> DecodedImage {
        switch file {
        case .jpeg(let jpeg):
            try JPEGDecodeOperation(file: jpeg, limits: limits, options: options).decode(resampling: resampling)
        case .png(let png):
            try PNGDecodeOperation(file: png, limits: limits, options: options).decode(resampling: resampling)
        }
    }
}
