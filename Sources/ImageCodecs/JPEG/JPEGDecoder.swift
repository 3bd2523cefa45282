// `unsafe`: owns a C handle, and hands it the addresses of arrays for the length of a call.

internal import CJPEGShim
internal import Imaging

/// Reads a JPEG's components as they are stored: no chroma upsampling, no colour conversion.
@safe struct JPEGDecoder: ~Copyable, PlaneDecoder {
    /// What libjpeg takes the components for.
    enum Color {
        case gray, yCbCr, rgb, cmyk, ycck

        /// Whether it must be converted to Y, Cb and Cr before it is resampled.
        var isConverted: Bool { self != .gray && self != .yCbCr }
    }

    let layout: PlaneLayout
    let color: Color
    /// Whether an Adobe marker says that CMYK is stored inverted.
    let hasAdobeMarker: Bool
    /// The first component's quantization table, in natural order.
    let quantization: [Int]

    private let bytes: [UInt8]
    private let handle: OpaquePointer

    /// Reads the header.
    ///
    /// - Throws: `damaged`, `truncated`, `unsupported-jpeg`, `unsupported-color` and `out-of-memory`.
    init(_ bytes: [UInt8]) throws(CodecError) {
        guard let handle = unsafe prep_jpeg_decoder_create() else {
            throw CodecError(.outOfMemory, .decode, "no memory for a decoder")
        }
        var header = prep_jpeg_header()
        let isRead = unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return unsafe prep_jpeg_read_header(handle, base, buffer.count, &header)
        }
        guard isRead, let color = Color(header.color, components: header.component_count) else {
            let failure = unsafe Self.failure(of: handle)
            unsafe prep_jpeg_decoder_destroy(handle)
            throw failure ?? CodecError(.unsupportedColor, .decode, "the components are of no known colour model")
        }
        unsafe self.handle = handle
        self.bytes = bytes
        self.color = color
        hasAdobeMarker = header.has_adobe_marker
        quantization = unsafe withUnsafeBytes(of: &header.quantization) {
            unsafe $0.bindMemory(to: UInt16.self).map(Int.init)
        }
        layout = PlaneLayout(header)
    }

    deinit { unsafe prep_jpeg_decoder_destroy(handle) }

    /// Starts the decode: of a file with several scans, this reads all of them.
    ///
    /// - Parameters:
    ///   - memory: bytes that libjpeg may use for coefficients.
    ///   - scans: scans that it may read.
    /// - Throws: `memory-limit`, `too-many-scans`, `damaged`, `truncated` and `out-of-memory`.
    mutating func start(memory: Int, scans: Int) throws(CodecError) {
        let hasStarted = unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return unsafe prep_jpeg_start(handle, base, buffer.count, memory, Int32(clamping: scans))
        }
        if !hasStarted {
            throw unsafe Self.failure(of: handle) ?? CodecError(.damaged, .decode, "the decode can't start")
        }
    }

    mutating func readBatch(into window: inout RowWindow) throws(CodecError) {
        let (offsets, strides) = window.nextBatches(of: layout)
        let isRead = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe window.bytes.withUnsafeMutableBufferPointer { rows in
                guard let base = input.baseAddress, let rows = rows.baseAddress else { return false }
                return unsafe prep_jpeg_read_batch(handle, base, input.count, rows, offsets, strides)
            }
        }
        if !isRead { throw unsafe Self.failure(of: handle) ?? CodecError(.damaged, .decode, "there are too few rows") }
    }

    /// Reads what is behind the last row, so that its oddities become complaints. A failure there takes nothing away.
    mutating func finish() {
        unsafe bytes.withUnsafeBufferPointer { input in
            guard let base = input.baseAddress else { return }
            unsafe prep_jpeg_finish(handle, base, input.count)
        }
    }

    /// What libjpeg complained of so far, first of its kind each.
    var complaints: Complaints { unsafe Complaints(prep_jpeg_decoder_report(handle).pointee) }

    /// Why the last call failed; nil if it did not.
    private static func failure(of handle: OpaquePointer) -> CodecError? {
        var report = unsafe prep_jpeg_decoder_report(handle).pointee
        let message = text(&report.message)
        let offset = Int(report.offset)
        switch report.failure {
        case PREP_JPEG_FAILURE_NONE: return nil
        case PREP_JPEG_FAILURE_MEMORY: return CodecError(.memory, .decode, offset: offset, message)
        case PREP_JPEG_FAILURE_SCANS: return CodecError(.scans, .decode, offset: offset, message)
        case PREP_JPEG_FAILURE_UNSUPPORTED: return CodecError(.unsupportedJPEG, .decode, offset: offset, message)
        default:
            let ended = Complaints(report).inputEnded != nil
            return CodecError(ended ? .truncated : .damaged, .decode, offset: offset, message)
        }
    }

    /// What libjpeg complained of, by kind. See `prep_jpeg_complaint_kind`.
    struct Complaints {
        var inputEnded: CodecWarning?
        var truncated: CodecWarning?
        var damaged: CodecWarning?
        var irregular: CodecWarning?

        fileprivate init(_ report: prep_jpeg_report) {
            let complaints = report.complaints
            inputEnded = Self.warning("missing-eoi", complaints.0)
            truncated = Self.warning("truncated", complaints.1)
            damaged = Self.warning("damaged", complaints.2)
            irregular = Self.warning("irregular", complaints.3)
        }

        private static func warning(_ code: String, _ complaint: prep_jpeg_complaint) -> CodecWarning? {
            guard complaint.occurred else { return nil }
            var complaint = complaint
            return CodecWarning(code, offset: Int(complaint.offset), text(&complaint.message))
        }
    }
}

extension JPEGDecoder.Color {
    fileprivate init?(_ color: prep_jpeg_color, components: Int32) {
        switch (color, components) {
        case (PREP_JPEG_GRAY, 1): self = .gray
        case (PREP_JPEG_YCBCR, 3): self = .yCbCr
        case (PREP_JPEG_RGB, 3): self = .rgb
        case (PREP_JPEG_CMYK, 4): self = .cmyk
        case (PREP_JPEG_YCCK, 4): self = .ycck
        default: return nil
        }
    }
}

extension PlaneLayout {
    fileprivate init(_ header: prep_jpeg_header) {
        let components = [header.components.0, header.components.1, header.components.2, header.components.3]
        // A lone component's sampling means nothing, but its blocks come `vertical` rows at a time.
        self.init(
            size: PixelSize(width: Int(header.width), height: Int(header.height)),
            components: components.prefix(Int(header.component_count)).map {
                Component(
                    horizontal: Int($0.horizontal), vertical: Int($0.vertical), storedWidth: Int($0.stored_width),
                    batchRows: Int($0.vertical) * 8)
            })
    }
}
