// `unsafe`: owns a C handle, and hands it the addresses of arrays for the length of a call.

internal import CPNGFastDecoder
internal import Imaging

/// Reads a PNG of 8-bit RGB or RGBA, not interlaced, in which nothing is odd: in less than half of libpng's time and
/// with the same bytes. At the first oddity it gives up: what to make of that, libpng decides.
@safe struct PNGFastDecoder: ~Copyable, PlaneDecoder {
    /// It met something odd.
    struct FastPathRejection: Error {}

    let layout: PlaneLayout
    private let bytes: [UInt8]
    private let rowConverter: PNGRowConverter
    private let handle: OpaquePointer
    private var rowBuffer: ContiguousArray<UInt8>
    private var decodedRowCount = 0

    /// Nil for a file of another kind, or one in which something is odd already, or on a CPU without the instructions.
    ///
    /// - Parameters:
    ///   - layout: the picture as libpng sees it, in batches of `LibPNGDecoder.batchRows`.
    ///   - converter: what turns its rows into planes.
    init?(file: PNGFile, layout: PlaneLayout, rowConverter converter: PNGRowConverter) {
        let stride = layout.storedSize.width * converter.channelCount
        guard prep_png_fast_decoder_is_available(), let data = Self.imageDataRange(in: file),
            let handle = unsafe prep_png_fast_decoder_create(
                stride, Int32(converter.channelCount), LibPNGDecoder.batchRowCount, data.lowerBound, data.upperBound)
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

    /// Whether the data ended just where the picture did.
    var hasConsumedAllData: Bool {
        unsafe bytes.withUnsafeBufferPointer { input in
            guard let base = input.baseAddress else { return false }
            return unsafe prep_png_fast_decoder_has_consumed_all(handle, base)
        }
    }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(FastPathRejection) {
        let count = min(LibPNGDecoder.batchRowCount, layout.storedSize.height - decodedRowCount)
        let isRead = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe rowBuffer.withUnsafeMutableBufferPointer { rows in
                guard let base = input.baseAddress, let rows = rows.baseAddress else { return false }
                return unsafe prep_png_fast_decoder_read_rows(handle, base, rows, count)
            }
        }
        if !isRead { throw FastPathRejection() }
        let stride = rowBuffer.count / LibPNGDecoder.batchRowCount
        rowConverter.convertRowsToPlanes(
            rowBuffer.span.extracting(0..<(count * stride)), count: count, into: &ringBuffer)
        decodedRowCount += count
    }

    /// Where the chunks of image data are, if it is of that kind, whole, and followed by the end alone. A file may have
    /// millions of chunks, so they aren't listed.
    private static func imageDataRange(in file: PNGFile) -> Range<Int>? {
        var chunks = PNGChunkReader(file.bytes, startingAt: PNGFile.signatureByteCount)
        guard file.isEightBitTrueColor, !file.header.isProgressive else { return nil }
        var first: Int?
        while true {
            let start = chunks.nextChunkOffset
            guard let chunk = chunks.nextChunk() else { return nil }
            // Its checksum too.
            guard chunks.nextChunkOffset <= file.bytes.count else { return nil }
            switch chunk.type {
            case "IDAT": first = first ?? start
            case "IEND":
                let isValidEndChunk =
                    chunk.payloadRange.isEmpty && file.bytes[..<chunks.nextChunkOffset].suffix(4) == iendChecksum
                return isValidEndChunk ? first.map { $0..<start } : nil
            case "tRNS": return nil
            default: if first != nil { return nil }
            }
        }
    }

    /// Of the four letters IEND.
    private static let iendChecksum: ArraySlice<UInt8> = [0xAE, 0x42, 0x60, 0x82]
}
