internal import Batch
internal import MediaPrep

// The header's row of figures, and the histograms.
extension ReportHTMLSections {
    /// Returns the header: a sentence on how many files are ready, and a row of figures.
    ///
    /// - Parameter policy: The policy that gave the outcomes, of images that were only measured; else `nil`.
    static func header(title: String, summary: ReportSummary, policy: ImagePolicy?) -> String {
        """
        <header>
        <p class="source"><bdi>\(HTMLEscaping.escapedPrefix(of: title))</bdi></p>
        <h1>\(policy == nil ? headline(for: summary) : policyHeadline(for: summary))</h1>
        <dl class="figures">
        \(figures(for: summary).dropLast(policy == nil ? 0 : 1).joined(separator: "\n"))
        </dl>
        </header>
        """
    }

    /// Returns the figures. The last one is what a run saved.
    private static func figures(for summary: ReportSummary) -> [String] {
        let total = summary.totals
        return [
            figure(
                name: "Inputs", value: QuantityFormat.count(total.fileCount),
                detail: QuantityFormat.bytes(total.inputBytes)),
            figure(
                name: summary.isOfUpload ? "Uploaded" : "Ready", value: QuantityFormat.count(summary.readyCount),
                detail: outcomeCountsText(of: summary) { $0.isReady }),
            figure(
                name: summary.isOfUpload ? "Not uploaded" : "Not ready",
                value: QuantityFormat.count(summary.unreadyCount),
                detail: outcomeCountsText(of: summary) { $0.needsAttention },
                style: summary.unreadyCount > 0 ? "bad" : nil),
            figure(
                name: "Saved",
                value: total.withOutput.files == 0
                    ? "–" : QuantityFormat.percentSaved(from: total.withOutput.inputBytes, to: total.outputBytes),
                detail: savingsText(for: total), style: "good"),
        ]
    }

    private static func headline(for summary: ReportSummary) -> String {
        let files = summary.totals.fileCount, planned = summary.totalsByOutcome[.planned]?.fileCount ?? 0
        let count = "\(QuantityFormat.count(files)) \(files == 1 ? "file" : "files")"
        if files == 0 { return "The manifest is empty" }
        if planned == files { return "\(count) planned" }
        let state = summary.isOfUpload ? "uploaded" : "ready"
        if summary.readyCount == files { return files == 1 ? "The file is \(state)" : "All \(count) are \(state)" }
        let ready =
            "\(QuantityFormat.count(summary.readyCount)) of \(count) \(summary.readyCount == 1 ? "is" : "are") "
            + state
        if summary.unreadyCount == 0 { return ready + ", nothing failed" }
        return ready
            + ", \(QuantityFormat.count(summary.unreadyCount)) "
            + "\(summary.unreadyCount == 1 ? "is" : "are") not"
    }

    private static func outcomeCountsText(of summary: ReportSummary, where isListed: (ReportOutcome) -> Bool) -> String
    {
        let parts = ReportOutcome.allCases.filter(isListed).compactMap { outcome in
            summary.totalsByOutcome[outcome].map { "\(QuantityFormat.count($0.fileCount)) \(outcome.name)" }
        }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }

    private static func savingsText(for total: ReportSummary.FileTotals) -> String {
        guard total.withOutput.files > 0 else { return "no output" }
        let saved = total.withOutput.inputBytes - total.outputBytes
        let difference = saved < 0 ? "\(QuantityFormat.bytes(-saved)) more" : "\(QuantityFormat.bytes(saved)) less"
        return
            "\(QuantityFormat.bytes(total.withOutput.inputBytes)) became \(QuantityFormat.bytes(total.outputBytes)), "
            + "\(difference)"
    }

    private static func figure(name: String, value: String, detail: String, style: String? = nil) -> String {
        "<div\(style.map { " class=\"\($0)\"" } ?? "")><dt>\(name)</dt><dd><strong>\(value)</strong> "
            + "<span>\(detail)</span></dd></div>"
    }

    /// Returns a histogram of the outputs' sizes, or an empty string if there are no outputs.
    static func outputSizesSection(for summary: ReportSummary) -> String {
        if summary.totals.withOutput.files == 0 { return "" }
        let content =
            "<p class=\"quiet\">\(QuantityFormat.count(summary.totals.withOutput.files)) outputs, "
            + "\(QuantityFormat.bytes(summary.totals.outputBytes)) in all</p>"
        return section(
            id: "sizes", title: "Sizes of outputs",
            content: content + histogramTable(summary.outputSizeHistogram, quantityTitle: "Size", countTitle: "Outputs")
        )
    }

    /// Returns a histogram of the audio files' durations, or an empty string if there are none.
    static func durationsSection(for summary: ReportSummary) -> String {
        if summary.audioFileCount == 0 { return "" }
        let lengths = summary.durationStatistics, unknown = summary.audioFileCount - lengths.count
        var parts = ["\(QuantityFormat.count(lengths.count)) of known length"]
        if lengths.count > 0 {
            parts += [
                "\(QuantityFormat.seconds(lengths.totalSeconds)) in all",
                "shortest \(QuantityFormat.seconds(lengths.shortestSeconds))",
                "longest \(QuantityFormat.seconds(lengths.longestSeconds))",
            ]
        }
        if unknown > 0 { parts.append("\(QuantityFormat.count(unknown)) of unknown length") }
        return section(
            id: "lengths", title: "Lengths of recordings",
            content: "<p class=\"quiet\">\(parts.joined(separator: ", "))</p>"
                + histogramTable(summary.durationHistogram, quantityTitle: "Length", countTitle: "Recordings"))
    }

    /// Returns a histogram as a table, so that assistive technology can read the counts.
    private static func histogramTable(
        _ histogram: Histogram, quantityTitle quantity: String, countTitle things: String
    ) -> String {
        let bars = histogram.bars
        guard let highest = bars.map(\.count).max() else { return "" }
        let rows = bars.map { bar in
            // A range with any value at all has a visible bar.
            let width = bar.count == 0 ? 0 : max(0.5, 100 * Double(bar.count) / Double(highest))
            return """
                <tr><th scope="row">\(bar.label)</th>\
                <td class="bar"><svg aria-hidden="true">\
                <rect width="\(DecimalFormat.string(from: width, fractionDigits: 1))%" height="100%"/></svg></td>\
                <td>\(QuantityFormat.count(bar.count))</td></tr>
                """
        }
        return """
            <table class="bars">
            <thead class="unseen"><tr><th scope="col">\(quantity)</th><td></td>\
            <th scope="col">\(things)</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            """
    }
}
