/// A rectangle of samples.
struct SampleBounds: Equatable {
    var columns, rows: Range<Int>
}

extension Plane {
    /// The highest luma in a black margin. Compression adds up to about 20 levels next to the image.
    private static let maxMarginLevel: UInt8 = 24
    /// The number of brighter samples with which a row or column is no margin. It does not depend on the length, so
    /// that the bounds are the same if another margin is added.
    private static let minBrightCount = 4

    /// The plane without black margins: rows and columns at the edges that are dark from end to end. The whole plane if
    /// every row is dark.
    ///
    /// - Complexity: Linear in the samples of the margins.
    var litBounds: SampleBounds {
        let samples = samples.span
        func isLit(from start: Int, count: Int, step: Int) -> Bool {
            var brightCount = 0, index = start
            for _ in 0..<count {
                if samples[index] > Self.maxMarginLevel {
                    brightCount += 1
                    if brightCount == Self.minBrightCount { return true }
                }
                index += step
            }
            return false
        }
        let whole = SampleBounds(columns: 0..<width, rows: 0..<height)
        func isRowLit(_ row: Int) -> Bool { isLit(from: row * stride, count: width, step: 1) }
        guard let top = whole.rows.first(where: isRowLit), let bottom = whole.rows.last(where: isRowLit) else {
            return whole
        }
        func isColumnLit(_ column: Int) -> Bool { isLit(from: column, count: height, step: stride) }
        guard let left = whole.columns.first(where: isColumnLit), let right = whole.columns.last(where: isColumnLit)
        else { return whole }
        return SampleBounds(columns: left..<(right + 1), rows: top..<(bottom + 1))
    }

    /// Cuts bounds off at both ends of each axis, so that their lengths are multiples of `unit`.
    ///
    /// If an odd number is cut off, the darker end loses one more. So the bounds of a turned image are the turned ones.
    func bounds(_ bounds: SampleBounds, cutToMultiplesOf unit: Int) -> SampleBounds {
        let samples = samples.span
        func brightness(columns: Range<Int>, rows: Range<Int>) -> Int {
            var sum = 0
            for row in rows { for column in columns { sum += Int(samples[row * stride + column]) } }
            return sum
        }
        func cut(_ range: Range<Int>, brightness: (Range<Int>) -> Int) -> Range<Int> {
            let rest = range.count % unit
            var start = range.lowerBound + rest / 2
            if rest % 2 == 1, brightness(range.prefix(1)) < brightness(range.suffix(1)) { start += 1 }
            return start..<(start + range.count - rest)
        }
        return SampleBounds(
            columns: cut(bounds.columns) { brightness(columns: $0, rows: bounds.rows) },
            rows: cut(bounds.rows) { brightness(columns: bounds.columns, rows: $0) })
    }
}
