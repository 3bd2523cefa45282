// `unsafe`: owns a C handle, and hands it the addresses of arrays for the length of a call.

internal import CJPEGFastDecoder
internal import Imaging

/// Reads a JPEG in which nothing is odd, baseline with one scan or progressive, faster than libjpeg and with the same
/// samples. At the first oddity it gives up: what to make of that, libjpeg decides.
@safe struct JPEGFastDecoder: ~Copyable, PlaneDecoder {
    /// It met something odd.
    struct FastPathRejection: Error {}

    let layout: PlaneLayout
    private let bytes: [UInt8]
    private let handle: OpaquePointer

    /// Nil for a file of another kind, or one in which something is odd already, or on a CPU without the instructions.
    ///
    /// - Parameter layout: the components as libjpeg sees them: one, or three.
    init?(file: JPEGFile, layout: PlaneLayout) {
        guard prep_jpeg_fast_decoder_is_available(), let scans = FastPathScans(file: file, layout: layout) else {
            return nil
        }
        var image = scans.imageDescription
        let handle = unsafe scans.scanDescriptions.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            guard let base = buffer.baseAddress else { return nil }
            return unsafe prep_jpeg_fast_decoder_create(&image, base, Int32(buffer.count))
        }
        guard let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
        self.layout = layout
        bytes = file.bytes
    }

    deinit { unsafe prep_jpeg_fast_decoder_destroy(handle) }

    /// Whether the data of every scan ended just where the picture did.
    var hasConsumedAllData: Bool { unsafe prep_jpeg_fast_decoder_has_consumed_all(handle) }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(FastPathRejection) {
        let (offsets, strides) = ringBuffer.nextBatchDestinations(for: layout)
        let isRead = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe ringBuffer.bytes.withUnsafeMutableBufferPointer { rows in
                guard let base = input.baseAddress, let rows = rows.baseAddress else { return false }
                return unsafe prep_jpeg_fast_decoder_read_mcu_row(handle, base, rows, offsets, strides)
            }
        }
        if !isRead { throw FastPathRejection() }
    }
}
