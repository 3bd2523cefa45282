// `unsafe`: owns a C handle, and passes it the addresses of planes for the duration of a call.

internal import CJPEGEncoder
internal import Imaging

/// The package's own encoder, with one image.
///
/// It has its own quantization tables, drops coefficients that cost more bits than their error is worth, and computes
/// the Huffman tables of each image. The file is the same with every instruction set.
@safe struct JPEGCompactEncoder: ~Copyable {
    private let handle: OpaquePointer

    /// Transforms and quantizes an image.
    ///
    /// - Parameters:
    ///   - image: The image. The sizes of its planes must match its size and chroma subsampling.
    ///   - options: The options for encoding.
    ///   - keepsCoefficients: Whether to keep the coefficients for ``requantize(quality:)``: 2 bytes a sample.
    ///   - defersQuantization: Whether to leave quantization to ``requantize(quality:)``. Requires kept coefficients.
    ///   - instructionSet: The instructions of the transform and of quantization.
    /// - Throws: ``CodecError/Code/encodingFailed`` or ``CodecError/Code/outOfMemory``.
    init(
        _ image: PlanarImage, options: JPEGEncoder.EncodingOptions, keepsCoefficients: Bool = false,
        defersQuantization: Bool = false, instructionSet: InstructionSet = .selected
    ) throws(CodecError) {
        let (size, chroma) = (image.size, image.chromaSubsampling)
        guard max(size.width, size.height) <= Int(PREP_JPEG_COMPACT_MAX_DIMENSION),
            chroma.horizontalFactor * chroma.verticalFactor <= 8
        else { throw Self.encodingFailed }
        var description = prep_jpeg_compact_image(
            width: UInt32(size.width), height: UInt32(size.height), component_count: Int32(image.planes.count),
            horizontal_sampling: Int32(chroma.horizontalFactor), vertical_sampling: Int32(chroma.verticalFactor),
            is_progressive: options.isProgressive, keeps_coefficients: keepsCoefficients,
            defers_quantization: defersQuantization)
        let quality = Int32(options.quality)
        let set = prep_jpeg_compact_instruction_set(instructionSet)
        // Some virtual processors have AVX2 without the bit instructions that the kernels use beside it.
        guard
            let handle = unsafe prep_jpeg_compact_encoder_create(&description, quality, set)
                ?? prep_jpeg_compact_encoder_create(&description, quality, PREP_JPEG_COMPACT_PORTABLE)
        else { throw Self.outOfMemory }
        guard unsafe Self.addRows(of: image, to: handle) else {
            unsafe prep_jpeg_compact_encoder_destroy(handle)
            throw Self.outOfMemory
        }
        unsafe self.handle = handle
    }

    deinit { unsafe prep_jpeg_compact_encoder_destroy(handle) }

    /// Quantizes the image again, from coefficients that were kept.
    ///
    /// - Parameter quality: The quality, 1 to 100.
    /// - Throws: ``CodecError/Code/outOfMemory``.
    mutating func requantize(quality: Int) throws(CodecError) {
        guard unsafe prep_jpeg_compact_encoder_requantize(handle, Int32(quality)) else { throw Self.outOfMemory }
    }

    /// Returns an estimator of the score at each quality. The coefficients must be kept.
    ///
    /// - Throws: ``CodecError/Code/outOfMemory``.
    borrowing func makeScoreEstimator() throws(CodecError) -> JPEGScoreEstimator {
        guard let estimator = unsafe JPEGScoreEstimator(handle) else { throw Self.outOfMemory }
        return estimator
    }

    /// Returns the file.
    ///
    /// - Parameter iccProfile: The ICC profile; empty for none.
    /// - Throws: ``CodecError/Code/encodingFailed`` or ``CodecError/Code/outOfMemory``.
    borrowing func makeFile(iccProfile: [UInt8]) throws(CodecError) -> AllocatedBytes {
        // A segment has 65,519 bytes of a profile, and its number has one byte.
        guard iccProfile.count <= 255 * 65_519 else { throw Self.encodingFailed }
        var output: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard unsafe prep_jpeg_compact_encoder_write(handle, iccProfile, iccProfile.count, &output, &count),
            let output = unsafe output
        else { throw Self.outOfMemory }
        return unsafe AllocatedBytes(takingOver: output, count: count)
    }

    private static func addRows(of image: PlanarImage, to handle: OpaquePointer) -> Bool {
        unsafe withRows(image.planes[...], appendedTo: []) { planes in
            let mcuRowCount = unsafe Int(prep_jpeg_compact_encoder_mcu_row_count(handle))
            for mcuRow in 0..<mcuRowCount {
                let rows = unsafe planes.enumerated().map { index, plane in
                    let factor = image.planes.count > 1 && index == 0 ? image.chromaSubsampling.verticalFactor : 1
                    return unsafe plane.skippingRows(mcuRow * 8 * factor)
                }
                if unsafe !prep_jpeg_compact_encoder_add_mcu_row(handle, rows) { return false }
            }
            return true
        }
    }

    private static var outOfMemory: CodecError {
        CodecError(.outOfMemory, stage: .encode, message: "not enough memory for the encoded image")
    }

    private static var encodingFailed: CodecError {
        CodecError(.encodingFailed, stage: .encode, message: "the image cannot be encoded as a JPEG")
    }

    /// Calls `body` with the rows of all planes, which are valid during the call.
    private static func withRows(
        _ planes: ArraySlice<Plane>, appendedTo known: [prep_jpeg_compact_rows],
        _ body: ([prep_jpeg_compact_rows]) -> Bool
    ) -> Bool {
        guard let plane = planes.first else { return unsafe body(known) }
        return unsafe plane.samples.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return false }
            let next = unsafe prep_jpeg_compact_rows(
                samples: base, stride: plane.stride, row_count: UInt32(plane.height))
            return unsafe withRows(planes.dropFirst(), appendedTo: known + [next], body)
        }
    }
}

extension prep_jpeg_compact_rows {
    /// Returns the rows from `count` on, at least one.
    fileprivate func skippingRows(_ count: Int) -> prep_jpeg_compact_rows {
        unsafe prep_jpeg_compact_rows(
            samples: samples + count * stride, stride: stride, row_count: row_count - UInt32(count))
    }
}

extension prep_jpeg_compact_instruction_set {
    fileprivate init(_ set: InstructionSet) {
        self =
            switch set {
            case .portable: PREP_JPEG_COMPACT_PORTABLE
            case .avx2, .avx512: PREP_JPEG_COMPACT_AVX2
            case .neon: PREP_JPEG_COMPACT_NEON
            }
    }
}
