// `unsafe`: owns a C handle, and hands it the addresses of arrays for the length of a call.

internal import CJPEGScan
internal import Imaging

/// Reads a JPEG in which nothing is odd, baseline with one scan or progressive, faster than libjpeg and with the same
/// samples. At the first oddity it gives up: what to make of that, libjpeg decides.
@safe struct ScanDecoder: ~Copyable, PlaneDecoder {
    /// It met something odd.
    struct Oddity: Error {}

    let layout: PlaneLayout
    private let bytes: [UInt8]
    private let handle: OpaquePointer

    /// Nil for a file of another kind, or one in which something is odd already, or on a CPU without the instructions.
    ///
    /// - Parameter layout: the components as libjpeg sees them: one, or three.
    init?(_ file: JPEGFile, _ layout: PlaneLayout) {
        guard prep_scan_is_available(), let scans = SoundScans(file, layout) else { return nil }
        var picture = scans.picture
        let handle = unsafe scans.scans.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            guard let base = buffer.baseAddress else { return nil }
            return unsafe prep_scan_decoder_create(&picture, base, Int32(buffer.count))
        }
        guard let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
        self.layout = layout
        bytes = file.bytes
    }

    deinit { unsafe prep_scan_decoder_destroy(handle) }

    /// Whether the data of every scan ended just where the picture did.
    var isAtEnd: Bool { unsafe prep_scan_is_at_end(handle) }

    mutating func readBatch(into window: inout RowWindow) throws(Oddity) {
        let (offsets, strides) = window.nextBatches(of: layout)
        let isRead = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe window.bytes.withUnsafeMutableBufferPointer { rows in
                guard let base = input.baseAddress, let rows = rows.baseAddress else { return false }
                return unsafe prep_scan_read_row(handle, base, rows, offsets, strides)
            }
        }
        if !isRead { throw Oddity() }
    }
}
