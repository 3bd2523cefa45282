internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The report as one page: what a browser needs is in it, and what it may load from elsewhere is nothing.
struct ReportPage {
    /// Bytes that the page may have.
    static let maxBytes = 20_000_000

    /// What the manifest is called.
    var title: String
    var summary: ReportSummary
    var thumbnailPairs: [ThumbnailPair]

    /// Hands over the page, a piece at a time. Rows are left out where it would become larger than it may be.
    func writeHTML(rows: consuming ReportRowList, to file: borrowing AtomicFile) throws(RunError) {
        let head = Array((documentHeadHTML + summarySectionsHTML).utf8), tail = Array(documentTailHTML.utf8)
        // What counts the rows stands between; its length hardly depends on the counts.
        rows.shrink(toByteCount: Self.maxBytes - head.count - tail.count - 1000)
        try file.write(head)
        try file.write(
            Array((ReportHTMLSections.filesSection(for: summary, listedCount: rows.rowCount) + rowDataHeadHTML).utf8))
        try rows.writeJSON(to: file)
        try file.write(tail)
    }

    private var documentHeadHTML: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(contentSecurityPolicy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <link rel="icon" href="data:,">
        <title>\(HTMLEscaping.escapedPrefix(of: title)) · prep report</title>
        <style>\(ReportStyleSheet.css)</style>
        </head>
        <body>
        <a class="skip" href="#files">Skip to the files</a>

        """
    }

    /// Nothing is loaded, and no script or style but this page's own is heeded: not even one that a name brought in.
    private var contentSecurityPolicy: String {
        "default-src 'none'; img-src data:; style-src \(Self.cspHashSource(for: ReportStyleSheet.css)); "
            + "script-src \(Self.cspHashSource(for: ReportScript.javaScript)); base-uri 'none'; form-action 'none'"
    }

    private static func cspHashSource(for text: String) -> String {
        var digest = SHA256Hasher()
        digest.update(bytes: Array(text.utf8))
        let digits = Array(digest.hexDigest())
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        return "'sha256-\(Data(bytes).base64EncodedString())'"
    }

    private var summarySectionsHTML: String {
        """
        \(ReportHTMLSections.header(title: title, summary: summary))
        <main>
        \(summaryColumnsHTML)
        \(ThumbnailSection.html(for: thumbnailPairs))

        """
    }

    /// The sections that have something to show, in two columns where there are two of them.
    private var summaryColumnsHTML: String {
        let unready = [
            ReportHTMLSections.failuresSection(for: summary), ReportHTMLSections.durationsSection(for: summary),
        ].filter { !$0.isEmpty }
        let outcomes = [
            ReportHTMLSections.outcomesSection(for: summary), ReportHTMLSections.outputSizesSection(for: summary),
        ].filter { !$0.isEmpty }
        let columns = unready.isEmpty ? outcomes.map { [$0] } : [unready, outcomes]
        if columns.isEmpty { return "" }
        let content = columns.map { "<div>\n\($0.joined(separator: "\n"))\n</div>" }
        return "<div class=\"columns\">\n\(content.joined(separator: "\n"))\n</div>"
    }

    /// What the script reads before the rows.
    private var rowDataHeadHTML: String {
        var names = ScriptSafeJSONWriter(), kinds = ScriptSafeJSONWriter()
        names.appendArray { json in for outcome in ReportOutcome.allCases { json.append(outcome.name) } }
        kinds.appendArray { json in for kind in ReportRow.mediaKindNames { json.append(kind) } }
        return """
            </main>
            \(ThumbnailSection.enlargementDialogHTML)
            <script type="application/json" id="data">
            {"outcomes":\(String(decoding: names.bytes, as: UTF8.self)),\
            "kinds":\(String(decoding: kinds.bytes, as: UTF8.self)),"rows":[

            """
    }

    private var documentTailHTML: String {
        """

        ]}
        </script>
        <script>\(ReportScript.javaScript)</script>
        </body>
        </html>

        """
    }
}
