/// The parts of the page that don't need its script.
enum ReportSections {
    /// What failed and what was saved, in one sentence and a row of figures.
    static func header(_ title: String, _ summary: ReportSummary) -> String {
        let total = summary.total
        let figures = [
            figure("Inputs", Quantity.count(total.files), Quantity.bytes(total.inputBytes)),
            figure("Ready", Quantity.count(summary.ready), outcomeList(summary) { $0.isReady }),
            figure(
                "Not ready", Quantity.count(summary.notReady), outcomeList(summary) { $0.isUnready },
                style: summary.notReady > 0 ? "bad" : nil),
            figure(
                "Saved",
                total.saved.files == 0 ? "–" : Quantity.saving(from: total.saved.inputBytes, to: total.outputBytes),
                saving(total), style: "good"),
        ]
        return """
            <header>
            <p class="source"><bdi>\(HTML.clipped(title))</bdi></p>
            <h1>\(headline(summary))</h1>
            <dl class="figures">
            \(figures.joined(separator: "\n"))
            </dl>
            </header>
            """
    }

    private static func headline(_ summary: ReportSummary) -> String {
        let files = summary.total.files, planned = summary.outcomes[.planned]?.files ?? 0
        let count = "\(Quantity.count(files)) \(files == 1 ? "file" : "files")"
        if files == 0 { return "The manifest is empty" }
        if planned == files { return "\(count) planned" }
        if summary.ready == files { return files == 1 ? "The file is ready" : "All \(count) are ready" }
        let ready = "\(Quantity.count(summary.ready)) of \(count) \(summary.ready == 1 ? "is" : "are") ready"
        if summary.notReady == 0 { return ready + ", nothing failed" }
        return ready + ", \(Quantity.count(summary.notReady)) \(summary.notReady == 1 ? "is" : "are") not"
    }

    private static func outcomeList(_ summary: ReportSummary, _ isListed: (Outcome) -> Bool) -> String {
        let parts = Outcome.allCases.filter(isListed).compactMap { outcome in
            summary.outcomes[outcome].map { "\(Quantity.count($0.files)) \(outcome.name)" }
        }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }

    private static func saving(_ total: ReportSummary.Total) -> String {
        guard total.saved.files > 0 else { return "no output" }
        let saved = total.saved.inputBytes - total.outputBytes
        let difference = saved < 0 ? "\(Quantity.bytes(-saved)) more" : "\(Quantity.bytes(saved)) less"
        return "\(Quantity.bytes(total.saved.inputBytes)) became \(Quantity.bytes(total.outputBytes)), \(difference)"
    }

    private static func figure(_ name: String, _ value: String, _ detail: String, style: String? = nil) -> String {
        "<div\(style.map { " class=\"\($0)\"" } ?? "")><dt>\(name)</dt><dd><strong>\(value)</strong> <span>\(detail)</span></dd></div>"
    }

    /// How many of the files that are not ready are seen at once.
    private static let firstUnready = 8

    /// The first files that are not ready, each with its reason; empty if all are.
    static func unready(_ summary: ReportSummary) -> String {
        let items = summary.unready.map(item)
        if items.isEmpty { return "" }
        var content = "<ul class=\"problems\">\n\(items.prefix(firstUnready).joined(separator: "\n"))\n</ul>"
        let more = items.dropFirst(firstUnready)
        if !more.isEmpty {
            let left = summary.notReady - items.count
            content += """
                <details><summary>\(Quantity.count(more.count)) more</summary>
                <ul class="problems">
                \(more.joined(separator: "\n"))
                </ul>
                \(left == 0 ? "" : "<p class=\"quiet\">And \(Quantity.count(left)) more, in the list of files.</p>")
                </details>
                """
        }
        return section("unready", "Not ready", content)
    }

    private static func item(_ row: ReportRow) -> String {
        let reasons = row.notes.filter { !$0.isWarning }.prefix(5).map { note in
            let place = note.reason.offset.map { " <span class=\"at\">at byte \(Quantity.count($0))</span>" } ?? ""
            return
                "<p><code>\(HTML.clipped(note.reason.code, to: 60))</code> \(HTML.clipped(note.reason.message))\(place)</p>"
        }
        return """
            <li><span class="badge \(row.outcome.name)">\(row.outcome.name)</span>
            <div><bdi class="name">\(name(row.name))</bdi>\(reasons.joined())</div></li>
            """
    }

    /// A path, its last part more visible than what leads there.
    static func name(_ path: String) -> String {
        let parts = path.unicodeScalars
        guard let slash = parts.lastIndex(of: "/"), parts.index(after: slash) != parts.endIndex else {
            return HTML.clipped(path)
        }
        let directory = String(parts[...slash]), last = String(parts[parts.index(after: slash)...])
        return "<span class=\"dir\">\(HTML.clipped(directory, to: 150))</span>\(HTML.clipped(last, to: 255))"
    }

    /// What became of the files, and why, with counts; empty if there are none.
    static func outcomes(_ summary: ReportSummary) -> String {
        if summary.total.files == 0 { return "" }
        let rows = Outcome.allCases.compactMap { outcome in
            summary.outcomes[outcome].map { outcomeRows(outcome, $0, summary) }
        }
        let table = """
            <table class="outcomes">
            <thead><tr><th scope="col">Outcome</th><th scope="col">Files</th><th scope="col">Before</th>\
            <th scope="col">After</th><th scope="col">Saved</th></tr></thead>
            \(rows.joined(separator: "\n"))
            </table>
            """
        return section("outcomes", "Outcomes", table)
    }

    private static func outcomeRows(_ outcome: Outcome, _ total: ReportSummary.Total, _ summary: ReportSummary)
        -> String
    {
        let hasOutput = total.saved.files > 0
        let after = hasOutput ? Quantity.bytes(total.outputBytes) : "–"
        let saved = hasOutput ? Quantity.saving(from: total.saved.inputBytes, to: total.outputBytes) : "–"
        let causes = [false, true].flatMap { areWarnings in
            summary.causes(of: outcome, areWarnings: areWarnings).map { cause in
                """
                <tr class="cause"><th scope="row">\(areWarnings ? "warning " : "")\
                <code>\(HTML.clipped(cause.code, to: 60))</code></th>\
                <td>\(Quantity.count(cause.count))</td><td></td><td></td><td></td></tr>
                """
            }
        }
        return """
            <tbody><tr><th scope="row"><span class="badge \(outcome.name)">\(outcome.name)</span></th>\
            <td>\(Quantity.count(total.files))</td><td>\(Quantity.bytes(total.inputBytes))</td><td>\(after)</td>\
            <td>\(saved)</td></tr>
            \(causes.joined(separator: "\n"))</tbody>
            """
    }

    /// How large the outputs are; empty if there are none.
    static func sizes(_ summary: ReportSummary) -> String {
        if summary.total.saved.files == 0 { return "" }
        let content =
            "<p class=\"quiet\">\(Quantity.count(summary.total.saved.files)) outputs, "
            + "\(Quantity.bytes(summary.total.outputBytes)) in all</p>"
        return section("sizes", "Sizes of outputs", content + bars(summary.outputSizes, "Size", "Outputs"))
    }

    /// How long the recordings are; empty if there are none.
    static func lengths(_ summary: ReportSummary) -> String {
        if summary.recordings == 0 { return "" }
        let lengths = summary.lengths, unknown = summary.recordings - lengths.count
        var parts = ["\(Quantity.count(lengths.count)) of known length"]
        if lengths.count > 0 {
            parts += [
                "\(Quantity.seconds(lengths.total)) in all", "shortest \(Quantity.seconds(lengths.shortest))",
                "longest \(Quantity.seconds(lengths.longest))",
            ]
        }
        if unknown > 0 { parts.append("\(Quantity.count(unknown)) of unknown length") }
        return section(
            "lengths", "Lengths of recordings",
            "<p class=\"quiet\">\(parts.joined(separator: ", "))</p>" + bars(summary.durations, "Length", "Recordings"))
    }

    /// A histogram as a table, so that what can't see the bars reads the counts.
    private static func bars(_ histogram: Histogram, _ quantity: String, _ things: String) -> String {
        let bars = histogram.bars
        guard let highest = bars.map(\.count).max() else { return "" }
        let rows = bars.map { bar in
            // A bar is seen wherever there is anything at all.
            let width = bar.count == 0 ? 0 : max(0.5, 100 * Double(bar.count) / Double(highest))
            return """
                <tr><th scope="row">\(bar.label)</th>\
                <td class="bar"><svg aria-hidden="true"><rect width="\(Decimal.text(width, digits: 1))%" height="100%"/></svg></td>\
                <td>\(Quantity.count(bar.count))</td></tr>
                """
        }
        return """
            <table class="bars">
            <thead class="unseen"><tr><th scope="col">\(quantity)</th><td></td><th scope="col">\(things)</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            """
    }

    /// The list of all files, which the script fills: it stays hidden without it.
    static func files(_ summary: ReportSummary, listed: Int) -> String {
        let missing = summary.total.files - listed
        let note =
            missing == 0
            ? ""
            : """
            <p class="note">\(Quantity.count(missing)) files are not listed, to keep this page small: the list begins with what \
            is not ready, then what has warnings. All of them are in the counts and sums above, and in the manifest.</p>
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

    static func section(_ id: String, _ title: String, _ content: String) -> String {
        """
        <section id="\(id)" aria-labelledby="\(id)-title">
        <h2 id="\(id)-title">\(title)</h2>
        \(content)
        </section>
        """
    }
}
