// `unsafe`: owns a C handle, and passes it the addresses of planes for the duration of a call.

internal import CJPEGEncoder
internal import Imaging
internal import SystemSupport

/// The package's own encoder, with one image.
///
/// It has its own quantization tables, drops coefficients that cost more bits than their error is worth, and computes
/// the Huffman tables of each image. The file is the same with every instruction set.
@safe struct JPEGCompactEncoder: ~Copyable {
    /// The fewest pixels for which a thread is started. Encoding them takes about 0.4 ms, and starting a thread 0.05.
    private static let minPixelCountForThread = 1 << 17

    private let handle: OpaquePointer

    /// Transforms and quantizes an image.
    ///
    /// - Parameters:
    ///   - image: The image. The sizes of its planes must match its size and chroma subsampling.
    ///   - options: The options for encoding.
    ///   - keepsCoefficients: Whether to keep the coefficients for ``requantize(quality:)``: 2 bytes a sample.
    ///   - defersQuantization: Whether to leave quantization to ``requantize(quality:)``. Requires kept coefficients.
    ///   - spareThreads: The threads of which one may take a part of a baseline image; `nil` if none may.
    ///   - instructionSet: The instructions of the transform and of quantization.
    /// - Throws: ``CodecError/Code/encodingFailed`` or ``CodecError/Code/outOfMemory``.
    init(
        _ image: PlanarImage, options: JPEGEncoder.EncodingOptions, keepsCoefficients: Bool = false,
        defersQuantization: Bool = false, spareThreads: SpareThreads? = nil, instructionSet: InstructionSet = .selected
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
        let canBeDivided = !options.isProgressive && !keepsCoefficients
        guard unsafe Self.addRows(of: image, to: handle, spareThreads: canBeDivided ? spareThreads : nil) else {
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

    /// Adds all rows of MCUs. As soon as a thread is left, which may change with each row, it adds the second half of
    /// the remaining rows.
    private static func addRows(
        of image: PlanarImage, to handle: OpaquePointer, spareThreads: SpareThreads?
    ) -> Bool {
        let rowCount = unsafe Int(prep_jpeg_compact_encoder_mcu_row_count(handle))
        let pixelsPerRow = image.size.width * image.size.height / rowCount
        var rows = 0..<rowCount
        var secondPart: BackgroundValue<Bool>?
        let isFirstPartAdded = unsafe withRows(image.planes[...], appendedTo: []) { planes in
            while let row = rows.first {
                if secondPart == nil, rows.count * pixelsPerRow >= minPixelCountForThread, let spareThreads,
                    spareThreads.takeIfLeft()
                {
                    unsafe secondPart = startSecondPart(of: image, to: handle, spareThreads, remaining: &rows)
                }
                guard unsafe addRow(row, of: image, planes: planes, to: handle, part: PREP_JPEG_COMPACT_FIRST_PART)
                else { return false }
                rows.removeFirst()
            }
            return true
        }
        // Both parts use the encoder, so the second one is waited for in any case.
        return (secondPart?.wait() ?? true) && isFirstPartAdded
    }

    /// Starts to add the second half of the remaining rows on a thread that was taken, and removes it from `rows`.
    private static func startSecondPart(
        of image: PlanarImage, to handle: OpaquePointer, _ spareThreads: SpareThreads, remaining rows: inout Range<Int>
    ) -> BackgroundValue<Bool>? {
        let start = unsafe Int(prep_jpeg_compact_encoder_divide(handle)), end = rows.upperBound
        guard start > 0 else {
            spareThreads.giveBack()
            return nil
        }
        rows = rows.lowerBound..<start
        // The two threads add rows of different parts, which is allowed at the same time.
        nonisolated(unsafe) let handle = unsafe handle
        return BackgroundValue(onThreadTakenFrom: spareThreads) {
            unsafe withRows(image.planes[...], appendedTo: []) { planes in
                (start..<end).allSatisfy { row in
                    unsafe addRow(row, of: image, planes: planes, to: handle, part: PREP_JPEG_COMPACT_SECOND_PART)
                }
            }
        }
    }

    private static func addRow(
        _ mcuRow: Int, of image: PlanarImage, planes: [prep_jpeg_compact_rows], to handle: OpaquePointer,
        part: prep_jpeg_compact_part
    ) -> Bool {
        let rows = unsafe planes.enumerated().map { index, plane in
            let factor = unsafe planes.count > 1 && index == 0 ? image.chromaSubsampling.verticalFactor : 1
            return unsafe plane.skippingRows(mcuRow * 8 * factor)
        }
        return unsafe prep_jpeg_compact_encoder_add_mcu_row(handle, part, rows)
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
