internal import Imaging

/// Turns the components of an RGB, CMYK or YCCK JPEG into full-size Y, Cb and Cr, row by row.
///
/// A subsampled component is repeated: each of its samples covers just the pixels that it stands for.
struct JPEGColorDecoder: ~Copyable, PlaneDecoder {
    let layout: PlaneLayout
    private var decoder: JPEGDecoder
    private var stored: RowWindow
    private let batchRows: Int
    private var rowsDone = 0
    /// One row of each stored component, at the picture's width.
    private var rows: [[UInt8]]
    /// One row of red, green and blue.
    private var pixels: ContiguousArray<UInt8>
    private let kernels: Kernels

    init(_ decoder: consuming JPEGDecoder, instructionSet: InstructionSet) {
        let source = decoder.layout
        let width = source.size.width
        let batchRows = source.maxVertical * 8
        self.batchRows = batchRows
        let component = PlaneLayout.Component(horizontal: 1, vertical: 1, storedWidth: width, batchRows: batchRows)
        layout = PlaneLayout(size: source.size, components: [component, component, component])
        stored = RowWindow(source, keeping: source.components.map { _ in 0 })
        rows = source.components.map { _ in [UInt8](repeating: 0, count: width) }
        pixels = ContiguousArray(repeating: 0, count: width * 3)
        kernels = Kernels(instructionSet: instructionSet)
        self.decoder = decoder
    }

    /// Reads what is behind the last row, and returns what libjpeg complained of.
    mutating func finish() -> JPEGDecoder.Complaints {
        decoder.finish()
        return decoder.complaints
    }

    mutating func readBatch(into window: inout RowWindow) throws(CodecError) {
        try decoder.readBatch(into: &stored)
        for y in 0..<min(batchRows, layout.size.height - rowsDone) {
            for c in rows.indices { expand(component: c, row: y) }
            convert(into: &window, row: y)
        }
        rowsDone += batchRows
    }

    /// Fills `rows[c]` with the samples of component `c` for row `row` of the batch.
    private mutating func expand(component c: Int, row: Int) {
        let source = decoder.layout
        let component = source.components[c], ring = stored.rings[c]
        let start = ring.offset + row * component.vertical / source.maxVertical * ring.stride
        let (sampling, maximum) = (component.horizontal, source.maxHorizontal)
        for x in rows[c].indices {
            rows[c][x] = stored.bytes[start + (sampling == maximum ? x : x * sampling / maximum)]
        }
    }

    private mutating func convert(into window: inout RowWindow, row: Int) {
        makePixels()
        let starts = window.rings.map { $0.nextBatch + row * $0.stride }
        kernels.convertPixels(pixels.span, into: &window.bytes, at: starts)
    }

    private mutating func makePixels() {
        let isInverted = decoder.hasAdobeMarker, color = decoder.color, width = layout.size.width
        let (first, second, third, black) = (rows[0], rows[1], rows[2], rows[rows.count - 1])
        var target = pixels.mutableSpan
        for x in 0..<width {
            var (r, g, b) = (first[x], second[x], third[x])
            // YCCK holds the complements of C, M and Y as if they were red, green and blue.
            if color == .ycck {
                let rgb = ColorConversion.rgb(r, g, b)
                (r, g, b) = (255 - rgb.r, 255 - rgb.g, 255 - rgb.b)
            }
            if color != .rgb {
                let mask: UInt8 = isInverted ? 0 : 255, light = black[x] ^ mask
                r = ColorConversion.product(r ^ mask, light)
                g = ColorConversion.product(g ^ mask, light)
                b = ColorConversion.product(b ^ mask, light)
            }
            (target[3 * x], target[3 * x + 1], target[3 * x + 2]) = (r, g, b)
        }
    }
}
