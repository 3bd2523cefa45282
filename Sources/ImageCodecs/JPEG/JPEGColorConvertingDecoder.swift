internal import Imaging

/// Converts the components of an RGB, CMYK or YCCK JPEG to full-size Y, Cb and Cr, row by row.
///
/// Subsampled components are enlarged by repetition: each sample covers exactly the pixels that it represents.
struct JPEGColorConvertingDecoder: ~Copyable, PlaneDecoder {
    let layout: PlaneLayout
    private var decoder: LibJPEGDecoder
    private var storedRows: RowRingBuffer
    private let batchRowCount: Int
    private var decodedRowCount = 0
    /// One row of each stored component, enlarged to the image's width.
    private var componentRows: [[UInt8]]
    /// One row of RGB pixels.
    private var rgbRow: ContiguousArray<UInt8>
    /// The conversion of CMYK by its profile; `nil` to convert by formula.
    private let inkTable: InkTable?
    private let kernels: PixelKernels

    init(_ decoder: consuming LibJPEGDecoder, inkTable: InkTable? = nil, instructionSet: InstructionSet) {
        self.inkTable = inkTable
        let source = decoder.layout
        let width = source.storedSize.width
        let batchRows = source.maxVerticalSampling * 8
        self.batchRowCount = batchRows
        let component = PlaneLayout.ComponentSampling(
            horizontalSampling: 1, verticalSampling: 1, paddedWidth: width, batchRowCount: batchRows)
        layout = PlaneLayout(storedSize: source.storedSize, components: [component, component, component])
        storedRows = RowRingBuffer(layout: source, retainedRowCounts: source.components.map { _ in 0 })
        componentRows = source.components.map { _ in [UInt8](repeating: 0, count: width) }
        rgbRow = ContiguousArray(repeating: 0, count: width * 3)
        kernels = PixelKernels(instructionSet: instructionSet)
        self.decoder = decoder
    }

    /// Reads the data after the last row, and returns libjpeg's diagnostics.
    mutating func finishDecoding() -> LibJPEGDecoder.Diagnostics {
        decoder.finishDecoding()
        return decoder.diagnostics
    }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(CodecError) {
        try decoder.decodeRowBatch(into: &storedRows)
        for y in 0..<min(batchRowCount, layout.storedSize.height - decodedRowCount) {
            for c in componentRows.indices { upsampleRow(ofComponent: c, batchRow: y) }
            convertRowToYCbCr(into: &ringBuffer, batchRow: y)
        }
        decodedRowCount += batchRowCount
    }

    /// Fills `componentRows[c]` with row `batchRow` of the batch, enlarged to the image's width.
    private mutating func upsampleRow(ofComponent c: Int, batchRow: Int) {
        let source = decoder.layout
        let component = source.components[c], ring = storedRows.rings[c]
        let start = ring.startOffset + batchRow * component.verticalSampling / source.maxVerticalSampling * ring.stride
        let (sampling, maximum) = (component.horizontalSampling, source.maxHorizontalSampling)
        for x in componentRows[c].indices {
            componentRows[c][x] = storedRows.bytes[start + (sampling == maximum ? x : x * sampling / maximum)]
        }
    }

    private mutating func convertRowToYCbCr(into ringBuffer: inout RowRingBuffer, batchRow: Int) {
        convertRowToRGB()
        let starts = ringBuffer.rings.map { $0.nextBatchOffset + batchRow * $0.stride }
        kernels.convertRGBToYCbCr(rgbRow.span, into: &ringBuffer.bytes, planeOffsets: starts)
    }

    private mutating func convertRowToRGB() {
        let isInverted = decoder.hasAdobeMarker, color = decoder.colorModel, width = layout.storedSize.width
        let (first, second, third, black) = (
            componentRows[0], componentRows[1], componentRows[2], componentRows[componentRows.count - 1]
        )
        let inkTable = inkTable
        var target = rgbRow.mutableSpan
        for x in 0..<width {
            var (r, g, b) = (first[x], second[x], third[x])
            // YCCK stores the complements of C, M and Y as if they were red, green and blue.
            if color == .ycck {
                let rgb = YCbCrToRGBConversion.rgb(y: r, cb: g, cr: b)
                (r, g, b) = (255 - rgb.r, 255 - rgb.g, 255 - rgb.b)
            }
            if color != .rgb {
                let mask: UInt8 = isInverted ? 0 : 255, light = black[x] ^ mask
                if let inkTable {
                    (r, g, b) = inkTable.rgb(c: ~(r ^ mask), m: ~(g ^ mask), y: ~(b ^ mask), k: ~light)
                } else {
                    r = YCbCrToRGBConversion.normalizedProduct(r ^ mask, light)
                    g = YCbCrToRGBConversion.normalizedProduct(g ^ mask, light)
                    b = YCbCrToRGBConversion.normalizedProduct(b ^ mask, light)
                }
            }
            (target[3 * x], target[3 * x + 1], target[3 * x + 2]) = (r, g, b)
        }
    }
}
