// `unsafe`: owns a C handle, and hands it the addresses of arrays for the length of a call.

internal import CPNGShim
internal import Imaging

/// Reads a PNG as rows of 8-bit gray or Y, Cb and Cr, on an opaque background.
@safe struct PNGDecoder: ~Copyable, PlaneDecoder {
    /// Rows that are converted at a time.
    static let batchRows = 16

    let layout: PlaneLayout
    let icc: [UInt8]?
    /// Whether gray became colour because of the background.
    let isTinted: Bool

    private let bytes: [UInt8]
    private let handle: OpaquePointer
    let converter: PNGRowConverter
    private let isInterlaced: Bool
    /// The kinds of failure behind which what there is of the picture is taken.
    private let allowed: Set<CodecError.Code>
    private var rowsDone = 0
    /// A batch of rows, or all of an interlaced picture.
    private var rows: ContiguousArray<UInt8>
    /// What ended the picture early, when that is allowed.
    private(set) var shortfall: CodecError?

    /// Reads the header. An interlaced picture takes its width times height times channels in memory.
    ///
    /// - Throws: `damaged`, `truncated` and `out-of-memory`.
    init(
        _ bytes: [UInt8], limits: ImageLimits, background: RGBColor, allowed: Set<CodecError.Code>,
        instructionSet: InstructionSet
    ) throws(CodecError) {
        guard let handle = unsafe prep_png_decoder_create() else {
            throw CodecError(.outOfMemory, .decode, "no memory for a decoder")
        }
        var header = unsafe prep_png_header()
        let isRead = unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return unsafe prep_png_read_header(
                handle, base, buffer.count, limits.iccBytes, UInt32(clamping: limits.segments), !allowed.isEmpty,
                &header)
        }
        guard isRead else {
            let failure = unsafe Self.failure(of: handle)
            unsafe prep_png_decoder_destroy(handle)
            throw failure
        }
        unsafe self.handle = handle
        self.bytes = bytes
        self.allowed = allowed
        isInterlaced = unsafe header.interlaced
        icc = unsafe header.icc.map { unsafe Array(UnsafeBufferPointer(start: $0, count: Int(header.icc_count))) }
        let channels = unsafe Int(header.channels)
        converter = unsafe PNGRowConverter(
            channels: channels, gamma: Int(header.file_gamma), background: background, instructionSet: instructionSet)
        isTinted = channels == 2 && !background.isGray
        let size = unsafe PixelSize(width: Int(header.width), height: Int(header.height))
        let component = PlaneLayout.Component(
            horizontal: 1, vertical: 1, storedWidth: size.width, batchRows: Self.batchRows)
        layout = PlaneLayout(
            size: size, components: [PlaneLayout.Component](repeating: component, count: converter.planes))
        rows = ContiguousArray(
            repeating: 0, count: size.width * channels * (isInterlaced ? size.height : Self.batchRows))
    }

    deinit { unsafe prep_png_decoder_destroy(handle) }

    mutating func readBatch(into window: inout RowWindow) throws(CodecError) {
        let count = min(Self.batchRows, layout.size.height - rowsDone)
        if !isInterlaced {
            try read(rows: count)
        } else if rowsDone == 0 {
            for _ in 0..<7 { try read(rows: layout.size.height) }
        }
        let stride = layout.size.width * converter.channels
        let first = isInterlaced ? rowsDone : 0
        converter.convert(
            rows.span.extracting((first * stride)..<((first + count) * stride)), count: count, into: &window)
        rowsDone += count
    }

    /// Reads what is behind the last row, and returns what was found odd in the whole file.
    mutating func finish() -> (isComplete: Bool, warning: CodecWarning?) {
        let isComplete = unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return unsafe prep_png_finish(handle, base, buffer.count)
        }
        return (isComplete, warning)
    }

    /// What was found odd so far.
    var warning: CodecWarning? {
        var report = unsafe prep_png_decoder_report(handle).pointee
        guard report.warned else { return nil }
        return CodecWarning("irregular", offset: Int(report.warning_offset), text(&report.warning))
    }

    /// Why the last call failed.
    var failure: CodecError { unsafe Self.failure(of: handle) }

    private mutating func read(rows count: Int) throws(CodecError) {
        // The rows of the batch before must not show where this one breaks off, or never comes.
        if !allowed.isEmpty && !isInterlaced {
            for i in rows.indices { rows[i] = 0 }
        }
        if shortfall != nil { return }
        let stride = layout.size.width * converter.channels
        let isRead = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe rows.withUnsafeMutableBufferPointer { rows in
                guard let base = input.baseAddress, let rows = rows.baseAddress else { return false }
                return unsafe prep_png_read_rows(handle, base, input.count, rows, stride, UInt32(count))
            }
        }
        if isRead { return }
        guard allowed.contains(failure.code) else { throw failure }
        shortfall = failure
    }

    private static func failure(of handle: OpaquePointer) -> CodecError {
        var report = unsafe prep_png_decoder_report(handle).pointee
        let code = report.input_ended ? CodecError.Code.truncated : .damaged
        return CodecError(code, .decode, offset: Int(report.offset), text(&report.message))
    }
}
