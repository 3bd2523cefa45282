/// The exposure of an image's field of view.
struct ExposureMeasures {
    /// Luma levels, 0 to 255.
    private(set) var mean = 0.0, percentile5 = 0.0, percentile95 = 0.0
    /// Shares of the samples, 0 to 1.
    private(set) var clippedLow = 0.0, clippedHigh = 0.0
    /// The number of cells in the field; 0 if the plane is too narrow for cells.
    let cellCount: Int

    /// Measures the cells in the field of view.
    ///
    /// The percentiles are those of the cells' means, so that noise and single samples do not change them.
    init(_ cells: LumaCells, isInField: ContiguousArray<Bool>) {
        let exposure = PixelKernels.measureExposure(of: cells, isInField: isInField)
        let (sum, black, white, count) = (
            exposure.totals[0], exposure.totals[1], exposure.totals[2], Int(exposure.totals[3])
        )
        cellCount = count
        guard count > 0 else { return }
        let samples = Double(count * LumaCells.side * LumaCells.side)
        mean = Double(sum) / samples
        clippedLow = Double(black) / samples
        clippedHigh = Double(white) / samples
        percentile5 = Self.level(below: 5 * count / 100, in: exposure.histogram)
        percentile95 = Self.level(below: 95 * count / 100, in: exposure.histogram)
    }

    /// Measures the samples in `bounds` of a plane that is too narrow for cells.
    init(_ plane: Plane, in bounds: SampleBounds) {
        cellCount = 0
        var histogram = ContiguousArray<UInt32>(repeating: 0, count: 256)
        for row in bounds.rows {
            for column in bounds.columns { histogram[Int(plane.samples[row * plane.stride + column])] += 1 }
        }
        let count = bounds.rows.count * bounds.columns.count, samples = Double(count)
        let sum = histogram.enumerated().reduce(0) { $0 + $1.offset * Int($1.element) }
        mean = Double(sum) / samples
        clippedLow = Double(histogram[...Int(LumaCells.blackLimit)].reduce(0, +)) / samples
        clippedHigh = Double(histogram[Int(LumaCells.whiteLimit)...].reduce(0, +)) / samples
        percentile5 = Self.level(below: 5 * count / 100, in: histogram)
        percentile95 = Self.level(below: 95 * count / 100, in: histogram)
    }

    /// The difference of the percentiles divided by their sum.
    var contrast: Double {
        percentile95 + percentile5 > 0 ? (percentile95 - percentile5) / (percentile95 + percentile5) : 0
    }

    /// Returns the level of the cell, or sample, with `rank` of them below it.
    private static func level(below rank: Int, in histogram: ContiguousArray<UInt32>) -> Double {
        var seen = 0
        for (level, count) in histogram.enumerated() {
            seen += Int(count)
            if seen > rank { return Double(level) }
        }
        return 255
    }
}
