// `unsafe`: owns a C handle, and passes it the addresses of arrays for the duration of a call.

internal import CJPEGFastDecoder
internal import Imaging
internal import SystemSupport

/// A fast decoder of progressive JPEGs and of sequential ones with a single scan, with the same samples as libjpeg.
///
/// It stops at the first anomaly. The file is then decoded again by libjpeg, which decides what the anomaly means.
///
/// If a thread is left, it parses the entropy-coded data of a sequential file, which is about half of the work of
/// preparing a photo. The caller's thread then only transforms and resamples.
@safe struct JPEGFastDecoder: ~Copyable, FastPathDecoder {
    /// The fewest pixels for which a thread is started. Decoding them takes about 1 ms, and starting a thread 0.05.
    private static let minPixelCountForThread = 1 << 19

    let layout: PlaneLayout
    private let bytes: [UInt8]
    private let handle: OpaquePointer
    /// The threads of which one may parse; `nil` once one does, or if none can.
    private var spareThreads: SpareThreads?
    private var remainingBatchCount: Int
    private let pixelCountOfBatch: Int

    /// Creates a decoder, or returns `nil` if the file is of another kind or has an anomaly, or if the processor is not
    /// little-endian with 64-bit addresses.
    ///
    /// - Parameters:
    ///   - file: The parsed file.
    ///   - layout: The components as libjpeg interprets them, one or three.
    ///   - instructionSet: The instructions that the transform uses.
    ///   - spareThreads: The threads of which one may parse.
    init?(file: JPEGFile, layout: PlaneLayout, instructionSet: InstructionSet, spareThreads: SpareThreads? = nil) {
        guard prep_jpeg_fast_decoder_is_available(), let scans = FastPathScans(file: file, layout: layout) else {
            return nil
        }
        var image = scans.imageDescription
        let handle = unsafe scans.scanDescriptions.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            guard let base = buffer.baseAddress else { return nil }
            return unsafe prep_jpeg_fast_decoder_create(
                &image, base, Int32(buffer.count), prep_jpeg_fast_instruction_set(instructionSet))
        }
        guard let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
        self.layout = layout
        bytes = file.bytes
        self.spareThreads = image.is_progressive ? nil : spareThreads
        let rowCountOfBatch = 8 * layout.maxVerticalSampling
        remainingBatchCount = layout.storedSize.height.dividedRoundingUp(by: rowCountOfBatch)
        pixelCountOfBatch = layout.storedSize.width * rowCountOfBatch
    }

    deinit { unsafe prep_jpeg_fast_decoder_destroy(handle) }

    /// Returns whether the data of every scan ended exactly at the end of the image. Waits for the thread that parses.
    mutating func finishDecoding() -> Bool { unsafe prep_jpeg_fast_decoder_has_consumed_all(handle) }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(FastDecoderRejection) {
        startParsingThreadIfLeft()
        remainingBatchCount -= 1
        let (offsets, strides) = ringBuffer.nextBatchDestinations(for: layout)
        let isRead = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe ringBuffer.bytes.withUnsafeMutableBufferPointer { rows in
                guard let base = input.baseAddress, let rows = rows.baseAddress else { return false }
                return unsafe prep_jpeg_fast_decoder_read_mcu_row(handle, base, rows, offsets, strides)
            }
        }
        if !isRead { throw FastDecoderRejection() }
    }

    /// Starts a thread that parses the remaining batches, if one is left. That may change with each batch, because
    /// other images are finished.
    private mutating func startParsingThreadIfLeft() {
        guard let threads = spareThreads,
            remainingBatchCount * pixelCountOfBatch >= Self.minPixelCountForThread, threads.takeIfLeft()
        else { return }
        spareThreads = nil
        guard unsafe prep_jpeg_fast_decoder_begin_parsing_ahead(handle) else { return threads.giveBack() }
        // The two threads share the decoder by the rules of its header, and its `deinit` waits for this one.
        nonisolated(unsafe) let handle = unsafe handle
        let hasStarted = DetachedThread.start { [bytes] in
            unsafe bytes.withUnsafeBufferPointer { input in
                if let base = input.baseAddress { unsafe prep_jpeg_fast_decoder_parse_ahead(handle, base) }
            }
            threads.giveBack()
        }
        if !hasStarted {
            unsafe prep_jpeg_fast_decoder_cancel_parsing_ahead(handle)
            threads.giveBack()
        }
    }
}

extension PlaneLayout {
    /// Makes each block of chroma one sample, which is enough to find the color cast of an image.
    ///
    /// Only the fast decoder can do this. libjpeg scales all components of an image.
    mutating func shrinkChromaBlocksToSamples() {
        for index in components.indices.dropFirst() {
            let blockSize = 8 / components[index].shrinkFactor
            components[index].paddedWidth /= blockSize
            components[index].batchRowCount /= blockSize
            components[index].shrinkFactor = 8
        }
    }
}

extension prep_jpeg_fast_instruction_set {
    fileprivate init(_ set: InstructionSet) {
        self =
            switch set {
            case .portable: PREP_JPEG_FAST_PORTABLE
            case .avx2, .avx512: PREP_JPEG_FAST_AVX2
            case .neon: PREP_JPEG_FAST_NEON
            }
    }
}
