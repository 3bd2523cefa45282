// `unsafe`: owns a C handle, and passes it the addresses of planes for the duration of a call.

internal import CJPEGShim
public import Imaging
package import SystemSupport

/// Encodes images as JPEG. One encoder can encode several images in turn.
@safe public struct JPEGEncoder: ~Copyable {
    /// Options for encoding.
    public struct EncodingOptions: Hashable, Sendable {
        /// The quality on libjpeg's scale, 1 to 100.
        public var quality: Int
        /// Whether to write several scans with optimized Huffman tables: smaller, but slower to encode and decode.
        public var isProgressive: Bool
        /// The encoder that writes the file.
        public var encoder: EncoderPreference
        /// Whether libjpeg computes Huffman tables for the image, as it does for progressive files and as the compact
        /// encoder always does. The file is 2 to 5% smaller.
        public var optimizesHuffmanTables: Bool

        /// Creates options.
        ///
        /// - Parameters:
        ///   - quality: The quality on libjpeg's scale, 1 to 100.
        ///   - isProgressive: Whether to write a progressive JPEG.
        ///   - encoder: The encoder that writes the file.
        ///   - optimizesHuffmanTables: Whether libjpeg computes Huffman tables for the image.
        public init(
            quality: Int, isProgressive: Bool = false, encoder: EncoderPreference = .libjpeg,
            optimizesHuffmanTables: Bool = false
        ) {
            self.quality = quality
            self.isProgressive = isProgressive
            self.encoder = encoder
            self.optimizesHuffmanTables = optimizesHuffmanTables
        }
    }

    private let handle: OpaquePointer
    private let spareThreads: SpareThreads?

    /// Creates an encoder.
    ///
    /// - Throws: ``CodecError/Code/outOfMemory``.
    public init() throws(CodecError) { try self.init(spareThreads: nil) }

    /// Creates an encoder.
    ///
    /// - Parameter spareThreads: The threads of which one may encode a part of an image; `nil` if none may.
    /// - Throws: ``CodecError/Code/outOfMemory``.
    package init(spareThreads: SpareThreads?) throws(CodecError) {
        guard let handle = unsafe prep_jpeg_encoder_create() else {
            throw CodecError(.outOfMemory, stage: .encode, message: "not enough memory for an encoder")
        }
        unsafe self.handle = handle
        self.spareThreads = spareThreads
    }

    deinit { unsafe prep_jpeg_encoder_destroy(handle) }

    /// Returns the image as a JPEG file without metadata, except a JFIF header and the ICC profile.
    ///
    /// - Parameters:
    ///   - image: The image. The sizes of its planes must match its size and chroma subsampling.
    ///   - iccProfile: The ICC profile; `nil` or empty for none.
    ///   - options: The options for encoding.
    /// - Precondition: The quality is 1 to 100, and each plane has the size that the image's size and subsampling give.
    /// - Throws: ``CodecError/Code/encodingFailed`` or ``CodecError/Code/outOfMemory``. The encoder must not be used
    ///   after an error.
    /// - Complexity: Linear in pixels. A progressive file, or optimized Huffman tables, take 2 bytes of memory for each
    ///   sample.
    public mutating func encode(_ image: PlanarImage, iccProfile: [UInt8]?, options: EncodingOptions) throws(CodecError)
        -> [UInt8]
    {
        try encodeToAllocatedBytes(image, iccProfile: iccProfile, options: options).copy()
    }

    /// Returns the same file as `encode`, in the memory that the encoder wrote to.
    ///
    /// - Throws: The errors of `encode`.
    package mutating func encodeToAllocatedBytes(
        _ image: PlanarImage, iccProfile: [UInt8]?, options: EncodingOptions
    ) throws(CodecError) -> AllocatedBytes {
        checkPreconditions(image: image, options: options)
        if options.encoder == .compact {
            return try JPEGCompactEncoder(image, options: options, spareThreads: spareThreads)
                .makeFile(iccProfile: iccProfile ?? [])
        }
        var parameters = unsafe prep_jpeg_encoder_parameters()
        unsafe parameters.width = UInt32(image.size.width)
        unsafe parameters.height = UInt32(image.size.height)
        unsafe parameters.component_count = Int32(image.planes.count)
        unsafe parameters.horizontal_sampling = Int32(image.chromaSubsampling.horizontalFactor)
        unsafe parameters.vertical_sampling = Int32(image.chromaSubsampling.verticalFactor)
        unsafe parameters.quality = Int32(options.quality)
        unsafe parameters.is_progressive = options.isProgressive
        unsafe parameters.optimizes_huffman_tables = options.optimizesHuffmanTables
        var output: UnsafeMutablePointer<UInt8>?
        var count = 0
        let isEncoded = unsafe (iccProfile ?? []).withUnsafeBufferPointer { profile in
            unsafe parameters.icc_profile = profile.baseAddress
            unsafe parameters.icc_byte_count = UInt32(profile.count)
            return unsafe withCPlanes(image.planes[...], appendedTo: []) {
                unsafe prep_jpeg_encoder_encode(handle, &parameters, $0, &output, &count)
            }
        }
        guard isEncoded, let output = unsafe output else {
            let report = unsafe prep_jpeg_encoder_report(handle)
            let isMemory = unsafe report.pointee.failure_kind == PREP_JPEG_FAILURE_MEMORY
            throw CodecError(
                isMemory ? .outOfMemory : .encodingFailed, stage: .encode,
                message: "libjpeg could not encode the image")
        }
        return unsafe AllocatedBytes(takingOver: output, count: count)
    }

    /// Checks the planes' sizes, since C reads as many samples as these declare.
    private func checkPreconditions(image: PlanarImage, options: EncodingOptions) {
        precondition((1...100).contains(options.quality), "a quality is 1 to 100")
        precondition([1, 3].contains(image.planes.count), "an image has one plane or three")
        for (index, plane) in image.planes.enumerated() {
            let reduction = index == 0 ? .none : image.chromaSubsampling
            precondition(
                plane.width == image.size.width.dividedRoundingUp(by: reduction.horizontalFactor)
                    && plane.height == image.size.height.dividedRoundingUp(by: reduction.verticalFactor)
                    && plane.hasAllSamples, "a plane's size is not that of its image")
        }
    }

    /// Calls `body` with the addresses of all planes, which are valid during the call.
    private func withCPlanes(
        _ planes: ArraySlice<Plane>, appendedTo known: [prep_jpeg_plane], _ body: ([prep_jpeg_plane]) -> Bool
    ) -> Bool {
        guard let plane = planes.first else { return unsafe body(known) }
        return unsafe plane.samples.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return false }
            let next = unsafe prep_jpeg_plane(samples: base, stride: plane.stride, row_count: UInt32(plane.height))
            return unsafe withCPlanes(planes.dropFirst(), appendedTo: known + [next], body)
        }
    }
}
