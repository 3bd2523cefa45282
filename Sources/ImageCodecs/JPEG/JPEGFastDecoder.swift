// `unsafe`: owns a C handle, and passes it the addresses of arrays for the duration of a call.

internal import CJPEGFastDecoder
internal import Imaging

/// A fast decoder of progressive JPEGs and of sequential ones with a single scan, with the same samples as libjpeg.
///
/// It stops at the first anomaly. The file is then decoded again by libjpeg, which decides what the anomaly means.
@safe struct JPEGFastDecoder: ~Copyable, FastPathDecoder {
    let layout: PlaneLayout
    private let bytes: [UInt8]
    private let handle: OpaquePointer

    /// Creates a decoder, or returns `nil` if the file is of another kind or has an anomaly, or if the processor is not
    /// little-endian with 64-bit addresses.
    ///
    /// - Parameters:
    ///   - file: The parsed file.
    ///   - layout: The components as libjpeg interprets them, one or three.
    ///   - instructionSet: The instructions that the transform uses.
    init?(file: JPEGFile, layout: PlaneLayout, instructionSet: InstructionSet) {
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
    }

    deinit { unsafe prep_jpeg_fast_decoder_destroy(handle) }

    /// Whether the data of every scan ended exactly at the end of the image.
    var hasConsumedAllData: Bool { unsafe prep_jpeg_fast_decoder_has_consumed_all(handle) }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(FastDecoderRejection) {
        let (offsets, strides) = ringBuffer.nextBatchDestinations(for: layout)
        let isRead = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe ringBuffer.bytes.withUnsafeMutableBufferPointer { rows in
                guard let base = input.baseAddress, let rows = rows.baseAddress else { return false }
                return unsafe prep_jpeg_fast_decoder_read_mcu_row(handle, base, rows, offsets, strides)
            }
        }
        if !isRead { throw FastDecoderRejection() }
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
