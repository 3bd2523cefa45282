internal import Diagnostics

/// The sections of the page. They do not need its script, except for the list of files.
enum ReportHTMLSections {
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
            let left = summary.unreadyCount - items.count
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
        return section(id: "unready", title: summary.isOfUpload ? "Not uploaded" : "Not ready", content: content)
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

    /// Returns the section for the list of all files. The script fills the list and makes it visible.
    static func filesSection(for summary: ReportSummary, listedCount: Int) -> String {
        let missing = summary.totals.fileCount - listedCount
        let note =
            missing == 0
            ? ""
            : """
            <p class="note">\(QuantityFormat.count(missing)) files are not listed, to keep this page small: the list \
            begins with files that have problems, then those with warnings. All of them are in the counts and sums \
            above, and in the manifest.</p>
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
