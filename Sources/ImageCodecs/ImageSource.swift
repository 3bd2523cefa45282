public import Diagnostics
public import Imaging
package import SystemSupport

/// An image file with its structure parsed, ready to be decoded.
public struct ImageSource: Sendable {
    /// Options for truncated, damaged and transparent images, and limits.
    public struct DecodingOptions: Hashable, Encodable, Sendable {
        /// Whether to accept a file that ends early, and use the decodable part.
        public var allowsTruncated = false
        /// Whether to accept damaged data, and use the decodable part.
        public var allowsDamaged = false
        /// The color that transparent pixels are blended with.
        public var background = RGBColor.white

        /// Limits on the size and structure of an input.
        public var limits = ImageLimits()
        #if !os(iOS)
            /// How HEIC and AVIF are decoded in a process of their own; `nil` to decode them in this process.
            ///
            /// The result is the same, so this is not encoded.
            public var isolation: DecoderIsolation?
        #endif

        /// Creates the default options: truncated and damaged files are errors, and the background is white.
        public init() {}

        private enum CodingKeys: CodingKey { case allowsTruncated, allowsDamaged, background, limits }

        /// The codes of the errors that become warnings with these options.
        package var toleratedErrorCodes: Set<CodecError.Code> {
            (allowsTruncated ? [.truncated] as Set : []).union(allowsDamaged ? [.damaged] : [])
        }
    }

    /// The result of decoding.
    public struct DecodedImage: Sendable {
        /// The image, resized and upright.
        public var image: PlanarImage
        /// The ICC profile of the result; `nil` for none.
        public var iccProfile: [UInt8]?
        /// The estimated quality of a JPEG, 1 to 100; `nil` for other formats.
        public var estimatedSourceQuality: Int?
        /// Whether the source is a JPEG with quantization tables of the compact encoder.
        public var hasCompactTables: Bool
        /// Whether the file without its metadata is a valid replacement for the decoded image.
        ///
        /// It is for an upright grayscale or YCbCr JPEG with Huffman coding and no anomalies.
        /// ``ImageSource/strippedJPEG`` returns that file.
        public var canStripLosslessly: Bool
        /// The size of the file without its metadata, in bytes.
        public var imageDataByteCount: Int
        /// Anomalies and losses.
        public var warnings: [Diagnostic]
        /// The color space of the samples if the file describes it by numbers, which take precedence over
        /// ``iccProfile``; `nil` otherwise.
        var codedColorSpace: CodedColorSpace?
        /// The color space from which the decoder converted the samples to sRGB; `nil` if it did not.
        package var convertedColorSpace: ConvertedColorSpace?
        /// The part of ``imageDataByteCount`` that the ICC profile takes.
        var profileSegmentsByteCount = 0
    }

    /// A color space that a decoder converted from: the profile of CMYK, or a high dynamic range.
    package struct ConvertedColorSpace: Sendable {
        /// The space's name, without control characters; `nil` if it has none.
        package var name: String?
    }

    private let file: ParsedImageFile
    private let options: DecodingOptions

    /// Parses the structure of an image file. No pixel is decoded.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - options: The options for decoding, with the limits to check.
    /// - Throws: The errors of ``ImageHeader/init(probing:isWholeFile:limits:)``. All scans and segments are counted,
    ///   also those that a probe does not reach.
    public init(_ bytes: [UInt8], options: DecodingOptions = DecodingOptions()) throws(CodecError) {
        var parser = ImageFileParser(limits: options.limits)
        try self.init(bytes, continuing: &parser, options: options)
    }

    /// Parses the part of an image file's structure that `parser` did not reach. No pixel is decoded.
    ///
    /// - Parameters:
    ///   - bytes: The file. It begins with the bytes that `parser` read.
    ///   - parser: The parser of the file's header, with the limits of `options`.
    ///   - options: The options for decoding.
    /// - Throws: The errors of ``init(_:options:)``.
    package init(
        _ bytes: [UInt8], continuing parser: inout ImageFileParser, options: DecodingOptions
    ) throws(CodecError) {
        file = try parser.parseFile(bytes)
        self.options = options
    }

    /// The properties of the image.
    public var header: ImageHeader { file.header }

    /// The JPEG file without its metadata, its image data unchanged; `nil` for other formats.
    ///
    /// ``DecodedImage/canStripLosslessly`` says whether this file is a valid replacement for the image.
    public var strippedJPEG: [UInt8]? { metadataStripper(keepsProfile: true).map { Array($0.slices.joined()) } }

    /// Returns the size of ``strippedJPEG``, in bytes; `nil` for other formats.
    ///
    /// - Parameter keepsProfile: Whether the ICC profile remains, as in ``strippedJPEG``.
    package func strippedJPEGByteCount(keepsProfile: Bool) -> Int? {
        metadataStripper(keepsProfile: keepsProfile)?.strippedByteCount
    }

    /// Returns the bytes of ``strippedJPEG``, copied once; `nil` for other formats.
    ///
    /// - Parameter keepsProfile: Whether the ICC profile remains, as in ``strippedJPEG``.
    /// - Throws: ``CodecError/Code/outOfMemory``.
    package func makeStrippedJPEG(keepsProfile: Bool) throws(CodecError) -> AllocatedBytes? {
        guard let metadataStripper = metadataStripper(keepsProfile: keepsProfile) else { return nil }
        if let stripped = AllocatedBytes(concatenating: metadataStripper.slices) { return stripped }
        throw CodecError(.outOfMemory, stage: .encode, message: "not enough memory for the file without its metadata")
    }

    private func metadataStripper(keepsProfile: Bool) -> JPEGMetadataStripper? {
        if case .jpeg(let jpeg) = file { JPEGMetadataStripper(jpeg, keepsProfile: keepsProfile) } else { nil }
    }

    /// Decodes the image and resamples it row by row.
    ///
    /// - Parameters:
    ///   - resampling: The size and orientation of the result, and how to resample.
    ///   - decoders: The decoders to use. The result is the same with all.
    ///   - convertsToSRGB: Whether the decoder converts colors that must not be resampled as they are, or not rounded:
    ///     CMYK by its profile if it has a valid one, instead of by formula, and high dynamic range by tone mapping,
    ///     instead of rejecting it.
    /// - Returns: The resampled image, its ICC profile and the warnings.
    /// - Throws: ``CodecError/Code/truncated`` and ``CodecError/Code/damaged`` unless the options allow them,
    ///   ``CodecError/Code/memoryLimitExceeded``, ``CodecError/Code/tooManyScans``, ``CodecError/Code/outOfMemory``,
    ///   ``CodecError/Code/unsupportedJPEG``, ``CodecError/Code/unsupportedColor``,
    ///   ``CodecError/Code/decoderUnavailable``, and in a process of its own ``CodecError/Code/decoderCrashed`` and
    ///   ``CodecError/Code/decoderTimedOut``.
    /// - Complexity: Linear in the source's pixels. Memory: the rows that the filter spans, the result, and
    ///   ``ImageHeader/decoderBufferByteCount``.
    public func decode(
        resampling: ResampleRequest, decoders: DecoderPreference = .fastest, convertsToSRGB: Bool = false
    ) throws(CodecError) -> DecodedImage {
        try decode(
            resampling: resampling, decoders: decoders, convertsToSRGB: convertsToSRGB, spareThreads: nil)
    }

    /// Decodes the image as the public method does, on one thread more if one is left and that is faster.
    package func decode(
        resampling: ResampleRequest, decoders: DecoderPreference = .fastest, convertsToSRGB: Bool,
        spareThreads: SpareThreads?
    ) throws(CodecError) -> DecodedImage {
        switch file {
        case .jpeg(let jpeg):
            try JPEGDecodeOperation(
                file: jpeg, options: options, decoders: decoders, appliesInkProfile: convertsToSRGB,
                spareThreads: spareThreads
            )
            .decode(resampling: resampling)
        case .png(let png):
            try PNGDecodeOperation(file: png, options: options, decoders: decoders, convertsToSRGB: convertsToSRGB)
                .decode(resampling: resampling)
        case .webp(let webp):
            try WebPDecodeOperation(file: webp, options: options).decode(resampling: resampling)
        case .heif(let heif):
            try HEIFDecodeOperation(file: heif, options: options, convertsToSRGB: convertsToSRGB)
                .decode(resampling: resampling)
        }
    }
}
