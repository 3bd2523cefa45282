/// Counts of values in ranges that grow like a logarithmic scale, with bounds that people use.
struct Histogram: Sendable {
    /// A range, and how many values are in it.
    struct Bar {
        var label: String
        var count: Int
    }

    /// Where ranges begin and end; what is below the first or above the last has a range of its own.
    private let bounds: [Double]
    private let label: @Sendable (Double) -> String
    private var counts: [Int]

    private init(bounds: [Double], label: @escaping @Sendable (Double) -> String) {
        self.bounds = bounds
        self.label = label
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// For bytes: 1, 2, 5, 10 kB and so on to a gigabyte.
    static var sizes: Histogram {
        let bounds = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8].flatMap { [$0, 2 * $0, 5 * $0] } + [1e9]
        return Histogram(bounds: bounds) { Quantity.bytes(Int($0), digits: 0) }
    }

    /// For seconds, to three hours.
    static var durations: Histogram {
        Histogram(bounds: [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 10_800]) { seconds in
            seconds < 60
                ? "\(Int(seconds)) s" : seconds < 3600 ? "\(Int(seconds) / 60) min" : "\(Int(seconds) / 3600) h"
        }
    }

    mutating func add(_ value: Double) { counts[bounds.firstIndex { value < $0 } ?? bounds.count] += 1 }

    /// From the first range with a value to the last.
    var bars: [Bar] {
        guard let first = counts.firstIndex(where: { $0 > 0 }), let last = counts.lastIndex(where: { $0 > 0 }) else {
            return []
        }
        return (first...last).map { Bar(label: range($0), count: counts[$0]) }
    }

    private func range(_ index: Int) -> String {
        if index == 0 { return "under \(label(bounds[0]))" }
        if index == bounds.count { return "\(label(bounds[index - 1])) and more" }
        return "\(label(bounds[index - 1])) to \(label(bounds[index]))"
    }
}
