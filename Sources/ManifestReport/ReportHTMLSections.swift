internal import Batch
internal import Diagnostics

/// The sections of the page. They do not need its script, except for the list of files.
enum ReportHTMLSections {
    /// Returns the header: a sentence on how many files are ready, and a row of figures.
    static func header(title: String, summary: ReportSummary) -> String {
        let total = summary.totals
        let figures = [
            figure(
                name: "Inputs", value: QuantityFormat.count(total.fileCount),
                detail: QuantityFormat.bytes(total.inputBytes)),
            figure(
                name: "Ready", value: QuantityFormat.count(summary.readyCount),
                detail: outcomeCountsText(of: summary) { $0.isReadyForUpload }),
            figure(
                name: "Not ready", value: QuantityFormat.count(summary.failedOrRejectedCount),
                detail: outcomeCountsText(of: summary) { $0.isFailedOrRejected },
                style: summary.failedOrRejectedCount > 0 ? "bad" : nil),
            figure(
                name: "Saved",
                value: total.withOutput.files == 0
                    ? "–" : QuantityFormat.percentSaved(from: total.withOutput.inputBytes, to: total.outputBytes),
                detail: savingsText(for: total), style: "good"),
        ]
        return """
            <header>
            <p class="source"><bdi>\(HTMLEscaping.escapedPrefix(of: title))</bdi></p>
            <h1>\(headline(for: summary))</h1>
            <dl class="figures">
            \(figures.joined(separator: "\n"))
            </dl>
            </header>
            """
    }

    private static func headline(for summary: ReportSummary) -> String {
        let files = summary.totals.fileCount, planned = summary.totalsByOutcome[.planned]?.fileCount ?? 0
        let count = "\(QuantityFormat.count(files)) \(files == 1 ? "file" : "files")"
        if files == 0 { return "The manifest is empty" }
        if planned == files { return "\(count) planned" }
        if summary.readyCount == files { return files == 1 ? "The file is ready" : "All \(count) are ready" }
        let ready =
            "\(QuantityFormat.count(summary.readyCount)) of \(count) \(summary.readyCount == 1 ? "is" : "are") ready"
        if summary.failedOrRejectedCount == 0 { return ready + ", nothing failed" }
        return ready
            + ", \(QuantityFormat.count(summary.failedOrRejectedCount)) "
            + "\(summary.failedOrRejectedCount == 1 ? "is" : "are") not"
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

    /// The number of failed and rejected files that are visible without expanding the list.
    private static let initiallyVisibleFailures = 8

    /// Returns a list of the first failed and rejected files with their reasons, or an empty string if there are none.
    static func failuresSection(for summary: ReportSummary) -> String {
        let items = summary.firstFailedRows.map(failureItem)
        if items.isEmpty { return "" }
        var content =
            "<ul class=\"problems\">\n\(items.prefix(initiallyVisibleFailures).joined(separator: "\n"))\n</ul>"
        let more = items.dropFirst(initiallyVisibleFailures)
        if !more.isEmpty {
            let left = summary.failedOrRejectedCount - items.count
            content += """
                <details><summary>\(QuantityFormat.count(more.count)) more</summary>
                <ul class="problems">
                \(more.joined(separator: "\n"))
                </ul>
                \(left == 0
                    ? "" : "<p class=\"quiet\">And \(QuantityFormat.count(left)) more, in the list of files.</p>")
                </details>
                """
        }
        return section(id: "unready", title: "Not ready", content: content)
    }

    private static func failureItem(for row: ReportRow) -> String {
        let reasons = row.diagnostics.filter { !$0.isWarning }.prefix(5).map { note in
            let place =
                note.reason.offset.map { " <span class=\"at\">at byte \(QuantityFormat.count($0))</span>" } ?? ""
            return
                "<p><code>\(HTMLEscaping.escapedPrefix(of: note.reason.code.rawValue, maxLength: 60))</code> "
                + "\(HTMLEscaping.escapedPrefix(of: note.reason.message))\(place)</p>"
        }
        return """
            <li><span class="badge \(row.outcome.name)">\(row.outcome.name)</span>
            <div><bdi class="name">\(pathHTML(row.name))</bdi>\(reasons.joined())</div></li>
            """
    }

    /// Returns the HTML of a path, in which the directory is less prominent than the file name.
    static func pathHTML(_ path: String) -> String {
        let parts = path.unicodeScalars
        guard let slash = parts.lastIndex(of: "/"), parts.index(after: slash) != parts.endIndex else {
            return HTMLEscaping.escapedPrefix(of: path)
        }
        let directory = String(parts[...slash]), last = String(parts[parts.index(after: slash)...])
        return
            "<span class=\"dir\">\(HTMLEscaping.escapedPrefix(of: directory, maxLength: 150))</span>"
            + "\(HTMLEscaping.escapedPrefix(of: last, maxLength: 255))"
    }

    /// Returns a table of outcomes and reasons with their counts, or an empty string if there are no files.
    static func outcomesSection(for summary: ReportSummary) -> String {
        if summary.totals.fileCount == 0 { return "" }
        let rows = ReportOutcome.allCases.compactMap { outcome in
            summary.totalsByOutcome[outcome].map { outcomeRows(outcome, totals: $0, summary: summary) }
        }
        let table = """
            <table class="outcomes">
            <thead><tr><th scope="col">Outcome</th><th scope="col">Files</th><th scope="col">Before</th>\
            <th scope="col">After</th><th scope="col">Saved</th></tr></thead>
            \(rows.joined(separator: "\n"))
            </table>
            """
        return section(id: "outcomes", title: "Outcomes", content: table)
    }

    private static func outcomeRows(
        _ outcome: ReportOutcome, totals total: ReportSummary.FileTotals, summary: ReportSummary
    )
        -> String
    {
        let hasOutput = total.withOutput.files > 0
        let after = hasOutput ? QuantityFormat.bytes(total.outputBytes) : "–"
        let saved =
            hasOutput ? QuantityFormat.percentSaved(from: total.withOutput.inputBytes, to: total.outputBytes) : "–"
        let causes = [false, true].flatMap { areWarnings in
            summary.diagnosticCounts(of: outcome, areWarnings: areWarnings).map { cause in
                """
                <tr class="cause"><th scope="row">\(areWarnings ? "warning " : "")\
                <code>\(HTMLEscaping.escapedPrefix(of: cause.code, maxLength: 60))</code></th>\
                <td>\(QuantityFormat.count(cause.count))</td><td></td><td></td><td></td></tr>
                """
            }
        }
        return """
            <tbody><tr><th scope="row"><span class="badge \(outcome.name)">\(outcome.name)</span></th>\
            <td>\(QuantityFormat.count(total.fileCount))</td><td>\(QuantityFormat.bytes(total.inputBytes))</td>\
            <td>\(after)</td><td>\(saved)</td></tr>
            \(causes.joined(separator: "\n"))</tbody>
            """
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

    /// Returns the section for the list of all files. The script fills the list and makes it visible.
    static func filesSection(for summary: ReportSummary, listedCount: Int) -> String {
        let missing = summary.totals.fileCount - listedCount
        let note =
            missing == 0
            ? ""
            : """
            <p class="note">\(QuantityFormat.count(missing)) files are not listed, to keep this page small: the list \
            begins with what is not ready, then what has warnings. All of them are in the counts and sums above, and \
            in the manifest.</p>
            """
        return """
            <section id="files" aria-labelledby="files-title" tabindex="-1">
            <h2 id="files-title">Files</h2>
            <noscript><p class="note">The list of all files needs JavaScript, which is off.</p></noscript>
            \(note)
            <div id="list" hidden></div>
            </section>

            """
    }

    static func section(id: String, title: String, content: String) -> String {
        """
        <section id="\(id)" aria-labelledby="\(id)-title">
        <h2 id="\(id)-title">\(title)</h2>
        \(content)
        </section>
        """
    }
}
