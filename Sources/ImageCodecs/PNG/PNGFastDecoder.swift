// `unsafe`: owns a C handle, and passes it the addresses of arrays for the duration of a call.

internal import CPNGFastDecoder
internal import Imaging

/// A fast decoder of 8-bit RGB and RGBA PNGs that are not interlaced, with the same bytes as libpng in half its time.
///
/// It stops at the first anomaly. The file is then decoded again by libpng, which decides what the anomaly means.
@safe struct PNGFastDecoder: ~Copyable, FastPathDecoder {
    let layout: PlaneLayout
    private let bytes: [UInt8]
    private let rowConverter: PNGRowConverter
    private let handle: OpaquePointer
    private var rowBuffer: ContiguousArray<UInt8>
    private var decodedRowCount = 0

    /// Creates a decoder, or returns `nil` if the file is of another kind or has an anomaly, or if the processor is not
    /// little-endian with 64-bit addresses.
    ///
    /// - Parameters:
    ///   - file: The parsed file.
    ///   - layout: Libpng's layout of the image, in batches of `LibPNGDecoder.batchRowCount` rows.
    ///   - converter: The converter from pixel rows to planes.
    ///   - instructionSet: The instructions that reversing the filters uses.
    init?(
        file: PNGFile, layout: PlaneLayout, rowConverter converter: PNGRowConverter, instructionSet: InstructionSet
    ) {
        let stride = layout.storedSize.width * converter.channelCount
        guard prep_png_fast_decoder_is_available(), file.imageHeader.isEightBitTrueColor,
            !file.imageHeader.isInterlaced, let data = file.structure.fastPathDataRange
        else { return nil }
        var image = prep_png_fast_image(
            bytes_per_row: stride, bytes_per_pixel: Int32(converter.channelCount),
            max_row_count: LibPNGDecoder.batchRowCount, chunks_start: data.lowerBound, chunks_end: data.upperBound)
        guard let handle = unsafe prep_png_fast_decoder_create(&image, prep_png_fast_instruction_set(instructionSet))
        else { return nil }
        unsafe self.handle = handle
        self.layout = layout
        self.rowConverter = converter
        bytes = file.bytes
        rowBuffer = SampleBufferPool.shared.makeZeroed(count: stride * LibPNGDecoder.batchRowCount)
    }

    deinit {
        unsafe prep_png_fast_decoder_destroy(handle)
        SampleBufferPool.shared.recycle(rowBuffer)
    }

    /// Whether the data ended exactly at the end of the image.
    var hasConsumedAllData: Bool {
        unsafe bytes.withUnsafeBufferPointer { input in
            guard let base = input.baseAddress else { return false }
            return unsafe prep_png_fast_decoder_has_consumed_all(handle, base)
        }
    }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(FastDecoderRejection) {
        let count = min(LibPNGDecoder.batchRowCount, layout.storedSize.height - decodedRowCount)
        let isRead = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe rowBuffer.withUnsafeMutableBufferPointer { rows in
                guard let base = input.baseAddress, let rows = rows.baseAddress else { return false }
                return unsafe prep_png_fast_decoder_read_rows(handle, base, rows, count)
            }
        }
        if !isRead { throw FastDecoderRejection() }
        let stride = rowBuffer.count / LibPNGDecoder.batchRowCount
        rowConverter.convertRowsToPlanes(
            rowBuffer.span.extracting(0..<(count * stride)), count: count, into: &ringBuffer)
        decodedRowCount += count
    }
}

extension prep_png_fast_instruction_set {
    fileprivate init(_ set: InstructionSet) {
        self =
            switch set {
            case .portable: PREP_PNG_FAST_PORTABLE
            case .avx2, .avx512: PREP_PNG_FAST_AVX2
            case .neon: PREP_PNG_FAST_NEON
            }
    }
}
