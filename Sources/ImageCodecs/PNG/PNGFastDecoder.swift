// `unsafe`: owns a C handle, passes it the addresses of arrays for the duration of a call, and reads rows that it owns.

internal import CPNGFastDecoder
internal import Imaging

/// A fast decoder of 8-bit RGB and RGBA PNGs that are not interlaced, with the same bytes as libpng.
///
/// It stops at the first anomaly. The file is then decoded again by libpng, which decides what the anomaly means.
@safe struct PNGFastDecoder: ~Copyable, FastPathDecoder {
    /// The number of rows that are inflated at a time: two batches, because ISA-L copies its history in every call.
    private static let inflatedRowCount = 2 * LibPNGDecoder.batchRowCount

    let layout: PlaneLayout
    private let bytes: [UInt8]
    private let rowConverter: PixelRowConverter
    private let handle: OpaquePointer
    private var decodedRowCount = 0

    /// Creates a decoder, or returns `nil` if the file is of another kind or has an anomaly, or if the processor is not
    /// little-endian with 64-bit addresses.
    ///
    /// - Parameters:
    ///   - file: The parsed file.
    ///   - layout: The image's layout by libpng, in batches of `LibPNGDecoder.batchRowCount` rows.
    ///   - converter: The converter from pixel rows to planes.
    ///   - instructionSet: The instructions that filters and checksums use.
    init?(
        file: PNGFile, layout: PlaneLayout, rowConverter converter: PixelRowConverter, instructionSet: InstructionSet
    ) {
        guard prep_png_fast_decoder_is_available(), file.imageHeader.isEightBitTrueColor,
            !file.imageHeader.isInterlaced, let data = file.structure.fastPathDataRange
        else { return nil }
        var image = prep_png_fast_image(
            bytes_per_row: layout.storedSize.width * converter.channelCount,
            bytes_per_pixel: Int32(converter.channelCount), max_row_count: Self.inflatedRowCount,
            chunks_start: data.lowerBound, chunks_end: data.upperBound)
        guard let handle = unsafe prep_png_fast_decoder_create(&image, prep_png_fast_instruction_set(instructionSet))
        else { return nil }
        unsafe self.handle = handle
        self.layout = layout
        self.rowConverter = converter
        bytes = file.bytes
    }

    deinit { unsafe prep_png_fast_decoder_destroy(handle) }

    /// Inflates what follows the last row, and returns whether the data ended at its end. It can be called once.
    mutating func finishDecoding() -> Bool {
        unsafe bytes.withUnsafeBufferPointer { input in
            guard let base = input.baseAddress else { return false }
            return unsafe prep_png_fast_decoder_has_consumed_all(handle, base)
        }
    }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(FastDecoderRejection) {
        if decodedRowCount % Self.inflatedRowCount == 0 { try inflateRows() }
        let count = min(LibPNGDecoder.batchRowCount, layout.storedSize.height - decodedRowCount)
        // A row is converted directly after its filter is reversed, while it is in the cache.
        for y in 0..<count {
            guard let row = unsafe prep_png_fast_decoder_next_row(handle) else { throw FastDecoderRejection() }
            unsafe rowConverter.convertRowToPlanes(
                Span(_unsafeStart: row, count: layout.storedSize.width * rowConverter.channelCount),
                into: &ringBuffer, batchRow: y)
        }
        decodedRowCount += count
    }

    private func inflateRows() throws(FastDecoderRejection) {
        let count = min(Self.inflatedRowCount, layout.storedSize.height - decodedRowCount)
        let isInflated = unsafe bytes.withUnsafeBufferPointer { input in
            guard let base = input.baseAddress else { return false }
            return unsafe prep_png_fast_decoder_inflate_rows(handle, base, count)
        }
        if !isInflated { throw FastDecoderRejection() }
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
