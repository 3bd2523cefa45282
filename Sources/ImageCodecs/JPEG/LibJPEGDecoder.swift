// `unsafe`: owns a C handle, and passes it the addresses of arrays for the duration of a call.

internal import CJPEGShim
internal import Diagnostics
internal import Imaging
internal import SystemSupport

/// Decodes a JPEG's components with libjpeg as they are stored, without chroma upsampling or color conversion.
@safe struct LibJPEGDecoder: ~Copyable, PlaneDecoder {
    /// The color model of the components, as libjpeg determines it.
    enum ColorModel {
        case gray, yCbCr, rgb, cmyk, ycck

        /// Whether the components must be converted to Y, Cb and Cr before resampling.
        var requiresConversion: Bool { self != .gray && self != .yCbCr }
    }

    private(set) var layout: PlaneLayout
    /// The planes at half size. A component that is stored at half size already is not reduced.
    let halfSizeLayout: PlaneLayout
    let colorModel: ColorModel
    /// Whether there is an Adobe marker, with which CMYK is stored inverted.
    let hasAdobeMarker: Bool
    /// The first component's quantization table, in natural order.
    let firstQuantizationTable: [UInt16]

    private let bytes: [UInt8]
    private let handle: OpaquePointer

    /// Reads the header.
    ///
    /// - Throws: ``CodecError/Code/damaged``, ``CodecError/Code/truncated``, ``CodecError/Code/unsupportedJPEG``,
    ///   ``CodecError/Code/unsupportedColor`` or ``CodecError/Code/outOfMemory``.
    init(_ bytes: [UInt8]) throws(CodecError) {
        guard let handle = unsafe prep_jpeg_decoder_create() else {
            throw CodecError(.outOfMemory, stage: .decode, message: "not enough memory for a decoder")
        }
        var header = prep_jpeg_header()
        let isRead = unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return unsafe prep_jpeg_decoder_read_header(handle, base, buffer.count, &header)
        }
        guard isRead, let color = ColorModel(header.color_model, componentCount: header.component_count) else {
            let failure = unsafe Self.lastError(of: handle)
            unsafe prep_jpeg_decoder_destroy(handle)
            throw failure
                ?? CodecError(
                    .unsupportedColor, stage: .decode, message: "the color model of the components is unknown")
        }
        unsafe self.handle = handle
        self.bytes = bytes
        self.colorModel = color
        hasAdobeMarker = header.has_adobe_marker
        firstQuantizationTable = unsafe withUnsafeBytes(of: &header.first_quantization_table) {
            unsafe Array($0.bindMemory(to: UInt16.self))
        }
        layout = PlaneLayout(header, isHalfSize: false)
        halfSizeLayout = PlaneLayout(header, isHalfSize: true)
    }

    deinit { unsafe prep_jpeg_decoder_destroy(handle) }

    /// Starts decoding. This reads all scans of a file with more than one.
    ///
    /// - Parameters:
    ///   - isHalfSize: Whether to decode the planes of ``halfSizeLayout``.
    ///   - maxMemory: The maximum memory for coefficients, in bytes.
    ///   - maxScans: The maximum number of scans.
    /// - Throws: ``CodecError/Code/memoryLimitExceeded``, ``CodecError/Code/tooManyScans``, ``CodecError/Code/damaged``
    ///   or ``CodecError/Code/truncated``.
    mutating func startDecoding(
        isHalfSize: Bool = false, maxMemory: Int, maxScans: Int
    ) throws(CodecError) {
        if isHalfSize { layout = halfSizeLayout }
        let hasStarted = unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return unsafe prep_jpeg_decoder_start(
                handle, base, buffer.count, isHalfSize, maxMemory, Int32(clamping: maxScans))
        }
        if !hasStarted {
            throw unsafe Self.lastError(of: handle)
                ?? CodecError(.damaged, stage: .decode, message: "decoding cannot start")
        }
    }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(CodecError) {
        let (offsets, strides) = ringBuffer.nextBatchDestinations(for: layout)
        let isRead = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe ringBuffer.bytes.withUnsafeMutableBufferPointer { rows in
                guard let base = input.baseAddress, let rows = rows.baseAddress else { return false }
                return unsafe prep_jpeg_decoder_read_mcu_row(handle, base, input.count, rows, offsets, strides)
            }
        }
        if !isRead {
            throw unsafe Self.lastError(of: handle)
                ?? CodecError(.damaged, stage: .decode, message: "there are too few rows")
        }
    }

    /// Reads the data after the last row for its diagnostics. A failure there does not affect the decoded rows.
    mutating func finishDecoding() {
        unsafe bytes.withUnsafeBufferPointer { input in
            guard let base = input.baseAddress else { return }
            unsafe prep_jpeg_decoder_finish(handle, base, input.count)
        }
    }

    /// The diagnostics of libjpeg so far, the first of each kind.
    var diagnostics: Diagnostics { unsafe Diagnostics(prep_jpeg_decoder_report(handle).pointee) }

    /// Returns the error of the last call, or `nil` if it succeeded.
    private static func lastError(of handle: OpaquePointer) -> CodecError? {
        var report = unsafe prep_jpeg_decoder_report(handle).pointee
        let message = string(fromCArray: &report.message)
        let offset = Int(report.offset)
        switch report.failure_kind {
        case PREP_JPEG_FAILURE_NONE: return nil
        case PREP_JPEG_FAILURE_MEMORY:
            return CodecError(.memoryLimitExceeded, stage: .decode, offset: offset, message: message)
        case PREP_JPEG_FAILURE_TOO_MANY_SCANS:
            return CodecError(.tooManyScans, stage: .decode, offset: offset, message: message)
        case PREP_JPEG_FAILURE_UNSUPPORTED:
            return CodecError(.unsupportedJPEG, stage: .decode, offset: offset, message: message)
        default:
            let ended = Diagnostics(report).missingEndOfImage != nil
            return CodecError(ended ? .truncated : .damaged, stage: .decode, offset: offset, message: message)
        }
    }

    /// The diagnostics of libjpeg by kind. See `prep_jpeg_diagnostic_kind`.
    struct Diagnostics {
        var missingEndOfImage: Diagnostic?
        var truncation: Diagnostic?
        var damage: Diagnostic?
        var irregularity: Diagnostic?

        fileprivate init(_ report: prep_jpeg_error_report) {
            let diagnostics = report.diagnostics
            missingEndOfImage = Self.makeWarning(code: .missingEndOfImage, from: diagnostics.0)
            truncation = Self.makeWarning(code: .truncated, from: diagnostics.1)
            damage = Self.makeWarning(code: .damaged, from: diagnostics.2)
            irregularity = Self.makeWarning(code: .irregular, from: diagnostics.3)
        }

        private static func makeWarning(code: Diagnostic.Code, from diagnostic: prep_jpeg_diagnostic) -> Diagnostic? {
            guard diagnostic.occurred else { return nil }
            var diagnostic = diagnostic
            return Diagnostic(
                code, offset: Int(diagnostic.offset), message: string(fromCArray: &diagnostic.message))
        }
    }
}

extension LibJPEGDecoder.ColorModel {
    fileprivate init?(_ color: prep_jpeg_color_model, componentCount: Int32) {
        switch (color, componentCount) {
        case (PREP_JPEG_COLOR_GRAY, 1): self = .gray
        case (PREP_JPEG_COLOR_YCBCR, 3): self = .yCbCr
        case (PREP_JPEG_COLOR_RGB, 3): self = .rgb
        case (PREP_JPEG_COLOR_CMYK, 4): self = .cmyk
        case (PREP_JPEG_COLOR_YCCK, 4): self = .ycck
        default: return nil
        }
    }
}

extension PlaneLayout {
    fileprivate init(_ header: prep_jpeg_header, isHalfSize: Bool) {
        let components = [header.components.0, header.components.1, header.components.2, header.components.3]
        // A single component's sampling factors do not subsample it, but its blocks arrive `vertical_sampling` rows at
        // a time.
        self.init(
            storedSize: PixelSize(width: Int(header.width), height: Int(header.height)),
            components: components.prefix(Int(header.component_count)).map {
                let blockSize = isHalfSize ? Int($0.half_size_block_size) : 8
                return ComponentSampling(
                    horizontalSampling: Int($0.horizontal_sampling), verticalSampling: Int($0.vertical_sampling),
                    paddedWidth: Int($0.blocks_per_row) * blockSize,
                    batchRowCount: Int($0.vertical_sampling) * blockSize, shrinkFactor: 8 / blockSize)
            })
    }
}
