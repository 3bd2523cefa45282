/// The exposure of an image's field of view.
struct ExposureMeasures {
    /// Luma levels, 0 to 255.
    private(set) var mean = 0.0, percentile5 = 0.0, percentile95 = 0.0
    /// Shares of the samples, 0 to 1.
    private(set) var clippedLow = 0.0, clippedHigh = 0.0
    /// The number of cells in the field.
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

    /// The difference of the percentiles divided by their sum.
    var contrast: Double {
        percentile95 + percentile5 > 0 ? (percentile95 - percentile5) / (percentile95 + percentile5) : 0
    }

    /// Returns the level of the cell with `rank` cells below it.
    private static func level(below rank: Int, in histogram: ContiguousArray<UInt32>) -> Double {
        var seen = 0
        for (level, count) in histogram.enumerated() {
            seen += Int(count)
            if seen > rank { return Double(level) }
        }
        return 255
    }
}
