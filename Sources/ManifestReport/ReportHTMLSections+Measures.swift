internal import Batch

// The distributions of the images' measures.
extension ReportHTMLSections {
    /// Returns a small distribution for each measure that an image has, or an empty string if no image was measured.
    static func measuresSection(for summary: ReportSummary) -> String {
        if summary.measuredImageCount == 0 { return "" }
        let count = QuantityFormat.count(summary.measuredImageCount)
        let items = summary.measureDistributions.filter { !$0.isEmpty }.map(distributionItem)
        return section(
            id: "measures", title: "Measures of images",
            content: """
                <p class="quiet">\(count) \(summary.measuredImageCount == 1 ? "image" : "images") measured</p>
                <ul class="measures">
                \(items.joined(separator: "\n"))
                </ul>
                """)
    }

    private static func distributionItem(_ distribution: MeasureDistribution) -> String {
        let highest = max(1, distribution.counts.max() ?? 1)
        let width = 100 / Double(MeasureDistribution.barCount)
        let bars = distribution.counts.enumerated().filter { $0.element > 0 }.map { index, count in
            // Any value at all has a visible bar.
            let height = max(4, 100 * Double(count) / Double(highest))
            return "<rect x=\"\(percent(Double(index) * width))\" y=\"\(percent(100 - height))\" "
                + "width=\"\(percent(width - 0.6))\" height=\"\(percent(height))\"/>"
        }
        let measure = distribution.measure
        return """
            <li><strong>\(measure.title)</strong> <span class="quiet">\(number(distribution.smallest)) to \
            \(number(distribution.largest))</span>
            <svg aria-hidden="true">\(bars.joined())</svg>
            <span class="scale"><span>0</span><span>\(number(measure.maxShownValue))</span></span></li>
            """
    }

    private static func percent(_ value: Double) -> String {
        DecimalFormat.string(from: value, fractionDigits: 1) + "%"
    }

    private static func number(_ value: Double) -> String {
        value < 10 ? DecimalFormat.string(from: value, fractionDigits: 2) : String(Int(value.rounded()))
    }
}
