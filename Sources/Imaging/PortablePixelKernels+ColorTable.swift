/// The conversion of planes by a table, in plain Swift. Layouts and units are those of `pixel_kernels.h`.
extension PortablePixelKernels {
    static func convertLuma(
        _ luma: inout ContiguousArray<UInt8>, at start: Int, cb: Span<UInt8>, cr: Span<UInt8>,
        with table: ColorConversionTable
    ) {
        var samples = luma.mutableSpan
        let values = ColorConversionTable.cornerWeights
        let cells = table.lumaCells.span, weights = values.span
        for x in cb.indices {
            let place = TablePlace(y: samples[start + x], cb: cb[x], cr: cr[x])
            samples[start + x] = interpolate(cells, at: place.cell * 8, weights, at: place.weights)
        }
    }

    static func convertChroma(
        cb: inout ContiguousArray<UInt8>, cr: inout ContiguousArray<UInt8>, at start: Int, luma: Span<UInt8>,
        with table: ColorConversionTable
    ) {
        var bluish = cb.mutableSpan, reddish = cr.mutableSpan
        let values = ColorConversionTable.cornerWeights
        let cells = table.chromaCells.span, weights = values.span
        for x in luma.indices {
            let place = TablePlace(y: luma[x], cb: bluish[start + x], cr: reddish[start + x])
            bluish[start + x] = interpolate(cells, at: place.cell * 16, weights, at: place.weights)
            reddish[start + x] = interpolate(cells, at: place.cell * 16 + 8, weights, at: place.weights)
        }
    }

    /// Returns the weighted mean of a cell's corners, rounded and clamped.
    @inline(__always)
    private static func interpolate(
        _ cells: Span<Int16>, at cell: Int, _ weights: Span<Int16>, at group: Int
    ) -> UInt8 {
        let values = cells.extracting(cell..<(cell + 8)), weights = weights.extracting(group..<(group + 8))
        var sum: Int32 = 1 << 14
        for corner in 0..<8 { sum &+= Int32(values[corner]) &* Int32(weights[corner]) }
        return UInt8(clamping: sum >> 15)
    }
}

/// The place of a color in a table: the number of its cell, and the first of the weights of the cell's corners.
private struct TablePlace {
    let cell, weights: Int

    @inline(__always)
    init(y: UInt8, cb: UInt8, cr: UInt8) {
        cell = Int(cb >> 3) << 10 | Int(cr >> 3) << 5 | Int(y >> 3)
        weights = (Int(cb & 7) << 6 | Int(cr & 7) << 3 | Int(y & 7)) * 8
    }
}
