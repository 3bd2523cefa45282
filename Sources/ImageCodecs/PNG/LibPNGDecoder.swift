// `unsafe`: owns a C handle, and passes it the addresses of arrays for the duration of a call.

internal import CPNGShim
internal import Diagnostics
internal import Imaging
internal import SystemSupport

/// Decodes a PNG with libpng to rows of 8-bit gray or of Y, Cb and Cr, blended with an opaque background.
@safe struct LibPNGDecoder: ~Copyable, PlaneDecoder {
    /// The number of rows in a batch.
    static let batchRowCount = 16

    private(set) var layout: PlaneLayout
    let iccProfile: [UInt8]?
    /// Whether a grayscale image becomes a color image because of the background.
    let isTintedByBackground: Bool

    private let bytes: [UInt8]
    private let handle: OpaquePointer
    let rowConverter: PixelRowConverter
    private let isInterlaced: Bool
    /// The codes of the errors after which the decoded part of the image is used.
    private let toleratedErrorCodes: Set<CodecError.Code>
    private var decodedRowCount = 0
    /// A batch of rows, or the whole image if it is interlaced. Empty until the first row is read, because the fast
    /// decoder may read the file instead.
    private var rowBuffer: ContiguousArray<UInt8> = []
    /// The tolerated error that ended decoding early.
    private(set) var toleratedError: CodecError?

    /// Reads the header. An interlaced image takes width × height × channels bytes of memory.
    ///
    /// - Throws: ``CodecError/Code/damaged``, ``CodecError/Code/truncated`` or ``CodecError/Code/outOfMemory``.
    init(
        _ bytes: [UInt8], limits: ImageLimits, background: RGBColor, toleratedErrorCodes: Set<CodecError.Code>,
        ignoresGamma: Bool, toneMapping: ToneMappingTables?, instructionSet: InstructionSet
    ) throws(CodecError) {
        guard let handle = unsafe prep_png_decoder_create() else {
            throw CodecError(.outOfMemory, stage: .decode, message: "not enough memory for a decoder")
        }
        var header = unsafe prep_png_header()
        let isRead = unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return unsafe prep_png_decoder_read_header(
                handle, base, buffer.count, limits.iccBytes, UInt32(clamping: limits.segments),
                !toleratedErrorCodes.isEmpty,
                &header)
        }
        guard isRead else {
            let failure = unsafe Self.lastError(of: handle)
            unsafe prep_png_decoder_destroy(handle)
            throw failure
        }
        unsafe self.handle = handle
        self.bytes = bytes
        self.toleratedErrorCodes = toleratedErrorCodes
        isInterlaced = unsafe header.is_interlaced
        iccProfile = unsafe header.icc_profile.map {
            unsafe Array(UnsafeBufferPointer(start: $0, count: Int(header.icc_byte_count)))
        }
        let channels = unsafe Int(header.channel_count)
        rowConverter = unsafe PixelRowConverter(
            channelCount: channels, fileGamma: ignoresGamma ? 0 : Int(header.file_gamma), background: background,
            instructionSet: instructionSet)
        isTintedByBackground = channels == 2 && !background.isGray
        let size = unsafe PixelSize(width: Int(header.width), height: Int(header.height))
        let component = PlaneLayout.ComponentSampling(
            horizontalSampling: 1, verticalSampling: 1, paddedWidth: size.width, batchRowCount: Self.batchRowCount)
        layout = PlaneLayout(
            storedSize: size,
            components: [PlaneLayout.ComponentSampling](repeating: component, count: rowConverter.planeCount))
        layout.toneMapping = toneMapping
    }

    deinit { unsafe prep_png_decoder_destroy(handle) }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(CodecError) {
        let count = min(Self.batchRowCount, layout.storedSize.height - decodedRowCount)
        if !isInterlaced {
            try readRows(count: count)
        } else if decodedRowCount == 0 {
            for _ in 0..<7 { try readRows(count: layout.storedSize.height) }
        }
        let stride = layout.storedSize.width * rowConverter.channelCount
        let first = isInterlaced ? decodedRowCount : 0
        rowConverter.convertRowsToPlanes(
            rowBuffer.span.extracting((first * stride)..<((first + count) * stride)), count: count, into: &ringBuffer)
        decodedRowCount += count
    }

    /// Reads the data after the last row. Returns whether the file is complete, and the warning of the whole file.
    mutating func finishDecoding() -> (isComplete: Bool, warning: Diagnostic?) {
        let isComplete = unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return unsafe prep_png_decoder_finish(handle, base, buffer.count)
        }
        return (isComplete, irregularityWarning)
    }

    /// The first anomaly so far, as a warning.
    var irregularityWarning: Diagnostic? {
        var report = unsafe prep_png_decoder_report(handle).pointee
        guard report.has_warning else { return nil }
        return Diagnostic(
            .irregular, offset: Int(report.warning_offset), message: string(fromCArray: &report.warning_message))
    }

    /// The error of the last call.
    var lastError: CodecError { unsafe Self.lastError(of: handle) }

    private mutating func readRows(count: Int) throws(CodecError) {
        let stride = layout.storedSize.width * rowConverter.channelCount
        if rowBuffer.isEmpty {
            let rows = isInterlaced ? layout.storedSize.height : Self.batchRowCount
            rowBuffer = ContiguousArray(repeating: 0, count: stride * rows)
        }
        // Rows of the previous batch must not appear where this batch is incomplete or missing.
        if !toleratedErrorCodes.isEmpty && !isInterlaced {
            for i in rowBuffer.indices { rowBuffer[i] = 0 }
        }
        if toleratedError != nil { return }
        let isRead = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe rowBuffer.withUnsafeMutableBufferPointer { rows in
                guard let base = input.baseAddress, let rows = rows.baseAddress else { return false }
                return unsafe prep_png_decoder_read_rows(handle, base, input.count, rows, stride, UInt32(count))
            }
        }
        if isRead { return }
        guard toleratedErrorCodes.contains(lastError.code) else { throw lastError }
        toleratedError = lastError
    }

    private static func lastError(of handle: OpaquePointer) -> CodecError {
        var report = unsafe prep_png_decoder_report(handle).pointee
        let code = report.input_ended ? CodecError.Code.truncated : .damaged
        return CodecError(
            code, stage: .decode, offset: Int(report.failure_offset),
            message: string(fromCArray: &report.failure_message))
    }
}
