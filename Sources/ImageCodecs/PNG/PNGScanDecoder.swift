// `unsafe`: owns a C handle, and hands it the addresses of arrays for the length of a call.

internal import CPNGScan
internal import Imaging

/// Reads a PNG of 8-bit RGB or RGBA, not interlaced, in which nothing is odd: in less than half of libpng's time and with the same
/// bytes. At the first oddity it gives up: what to make of that, libpng decides.
@safe struct PNGScanDecoder: ~Copyable, PlaneDecoder {
    /// It met something odd.
    struct Oddity: Error {}

    let layout: PlaneLayout
    private let bytes: [UInt8]
    private let converter: PNGRowConverter
    private let handle: OpaquePointer
    private var rows: ContiguousArray<UInt8>
    private var rowsDone = 0

    /// Nil for a file of another kind, or one in which something is odd already, or on a CPU without the instructions.
    ///
    /// - Parameters:
    ///   - layout: the picture as libpng sees it, in batches of `PNGDecoder.batchRows`.
    ///   - converter: what turns its rows into planes.
    init?(_ file: PNGFile, _ layout: PlaneLayout, _ converter: PNGRowConverter) {
        let stride = layout.size.width * converter.channels
        guard prep_png_scan_is_available(), let data = Self.imageData(of: file),
            let handle = unsafe prep_png_scan_create(
                stride, Int32(converter.channels), PNGDecoder.batchRows, data.lowerBound, data.upperBound)
        else { return nil }
        unsafe self.handle = handle
        self.layout = layout
        self.converter = converter
        bytes = file.bytes
        rows = SampleBuffers.shared.zeros(stride * PNGDecoder.batchRows)
    }

    deinit {
        unsafe prep_png_scan_destroy(handle)
        SampleBuffers.shared.giveBack(rows)
    }

    /// Whether the data ended just where the picture did.
    var isAtEnd: Bool {
        unsafe bytes.withUnsafeBufferPointer { input in
            guard let base = input.baseAddress else { return false }
            return unsafe prep_png_scan_is_at_end(handle, base)
        }
    }

    mutating func readBatch(into window: inout RowWindow) throws(Oddity) {
        let count = min(PNGDecoder.batchRows, layout.size.height - rowsDone)
        let isRead = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe rows.withUnsafeMutableBufferPointer { rows in
                guard let base = input.baseAddress, let rows = rows.baseAddress else { return false }
                return unsafe prep_png_scan_read_rows(handle, base, rows, count)
            }
        }
        if !isRead { throw Oddity() }
        let stride = rows.count / PNGDecoder.batchRows
        converter.convert(rows.span.extracting(0..<(count * stride)), count: count, into: &window)
        rowsDone += count
    }

    /// Where the chunks of image data are, if it is of that kind, whole, and followed by the end alone. A file may have
    /// millions of chunks, so they aren't listed.
    private static func imageData(of file: PNGFile) -> Range<Int>? {
        var chunks = ChunkReader(file.bytes, from: PNGFile.signatureCount)
        guard file.isTrueColor, !file.header.isProgressive else { return nil }
        var first: Int?
        while true {
            let start = chunks.position
            guard let chunk = chunks.next() else { return nil }
            // Its checksum too.
            guard chunks.position <= file.bytes.count else { return nil }
            switch chunk.type {
            case "IDAT": first = first ?? start
            case "IEND":
                let isSound = chunk.payload.isEmpty && file.bytes[..<chunks.position].suffix(4) == endChecksum
                return isSound ? first.map { $0..<start } : nil
            case "tRNS": return nil
            default: if first != nil { return nil }
            }
        }
    }

    /// Of the four letters IEND.
    private static let endChecksum: ArraySlice<UInt8> = [0xAE, 0x42, 0x60, 0x82]
}
