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

    init(_ decoder: consuming JPEGDecoder) {
        let source = decoder.layout
        let width = source.size.width
        let batchRows = source.maxVertical * 8
        self.batchRows = batchRows
        let component = PlaneLayout.Component(horizontal: 1, vertical: 1, storedWidth: width, batchRows: batchRows)
        layout = PlaneLayout(size: source.size, components: [component, component, component])
        stored = RowWindow(source, keeping: source.components.map { _ in 0 })
        rows = source.components.map { _ in [UInt8](repeating: 0, count: width) }
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

    private func convert(into window: inout RowWindow, row: Int) {
        let starts = window.rings.map { $0.nextBatch + row * $0.stride }
        let isInverted = decoder.hasAdobeMarker, color = decoder.color
        let (first, second, third, black) = (rows[0], rows[1], rows[2], rows[rows.count - 1])
        var target = window.bytes.mutableSpan
        for x in 0..<layout.size.width {
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
            let converted = ColorConversion.yCbCr(r, g, b)
            target[starts[0] + x] = converted.y
            target[starts[1] + x] = converted.cb
            target[starts[2] + x] = converted.cr
        }
    }
}
