/// Counts values in ranges that grow roughly logarithmically, with round bounds.
struct Histogram: Sendable {
    /// A range and the number of values in it.
    struct Bar {
        var label: String
        var count: Int
    }

    /// The bounds of the ranges. There is one more range below the first bound and one above the last.
    private let bounds: [Double]
    private let formatBound: @Sendable (Double) -> String
    private var counts: [Int]

    private init(bounds: [Double], formatBound: @escaping @Sendable (Double) -> String) {
        self.bounds = bounds
        self.formatBound = formatBound
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// A histogram of sizes in bytes, with bounds of 1, 2, 5, 10 kB and so on up to 1 GB.
    static var ofByteSizes: Histogram {
        let bounds = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8].flatMap { [$0, 2 * $0, 5 * $0] } + [1e9]
        return Histogram(bounds: bounds) { QuantityFormat.bytes(Int($0), fractionDigits: 0) }
    }

    /// A histogram of durations in seconds, with bounds from 1 second to 3 hours.
    static var ofDurations: Histogram {
        Histogram(bounds: [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 10_800]) { seconds in
            seconds < 60
                ? "\(Int(seconds)) s" : seconds < 3600 ? "\(Int(seconds) / 60) min" : "\(Int(seconds) / 3600) h"
        }
    }

    mutating func addValue(_ value: Double) { counts[bounds.firstIndex { value < $0 } ?? bounds.count] += 1 }

    /// The ranges from the first to the last that contain a value.
    var bars: [Bar] {
        guard let first = counts.firstIndex(where: { $0 > 0 }), let last = counts.lastIndex(where: { $0 > 0 }) else {
            return []
        }
        return (first...last).map { Bar(label: rangeLabel(at: $0), count: counts[$0]) }
    }

    private func rangeLabel(at index: Int) -> String {
        if index == 0 { return "under \(formatBound(bounds[0]))" }
        if index == bounds.count { return "\(formatBound(bounds[index - 1])) and more" }
        return "\(formatBound(bounds[index - 1])) to \(formatBound(bounds[index]))"
    }
}
