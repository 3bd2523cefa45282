internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The report as one page: what a browser needs is in it, and what it may load from elsewhere is nothing.
struct ReportPage {
    /// Bytes that the page may have.
    static let limit = 20_000_000

    /// What the manifest is called.
    var title: String
    var summary: ReportSummary
    var pictures: [PicturePair]

    /// Hands over the page, a piece at a time. Rows are left out where it would become larger than it may be.
    func write(_ rows: consuming RowList, to file: borrowing WholeFile) throws(RunError) {
        let head = Array((documentHead + sections).utf8), tail = Array(documentTail.utf8)
        // What counts the rows stands between; its length hardly depends on the counts.
        rows.shrink(to: Self.limit - head.count - tail.count - 1000)
        try file.write(head)
        try file.write(Array((ReportSections.files(summary, listed: rows.count) + dataHead).utf8))
        try rows.write(to: file)
        try file.write(tail)
    }

    private var documentHead: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <link rel="icon" href="data:,">
        <title>\(HTML.clipped(title)) · prep report</title>
        <style>\(ReportStyle.text)</style>
        </head>
        <body>
        <a class="skip" href="#files">Skip to the files</a>

        """
    }

    /// Nothing is loaded, and no script or style but this page's own is heeded: not even one that a name brought in.
    private var policy: String {
        "default-src 'none'; img-src data:; style-src \(Self.source(ReportStyle.text)); "
            + "script-src \(Self.source(ReportScript.text)); base-uri 'none'; form-action 'none'"
    }

    private static func source(_ text: String) -> String {
        var digest = SHA256Hasher()
        digest.update(bytes: Array(text.utf8))
        let digits = Array(digest.hexDigest())
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        return "'sha256-\(Data(bytes).base64EncodedString())'"
    }

    private var sections: String {
        """
        \(ReportSections.header(title, summary))
        <main>
        \(columns)
        \(PictureSection.html(pictures))

        """
    }

    /// The sections that have something to show, in two columns where there are two of them.
    private var columns: String {
        let unready = [ReportSections.unready(summary), ReportSections.lengths(summary)].filter { !$0.isEmpty }
        let outcomes = [ReportSections.outcomes(summary), ReportSections.sizes(summary)].filter { !$0.isEmpty }
        let columns = unready.isEmpty ? outcomes.map { [$0] } : [unready, outcomes]
        if columns.isEmpty { return "" }
        let content = columns.map { "<div>\n\($0.joined(separator: "\n"))\n</div>" }
        return "<div class=\"columns\">\n\(content.joined(separator: "\n"))\n</div>"
    }

    /// What the script reads before the rows.
    private var dataHead: String {
        var names = JSONText(), kinds = JSONText()
        names.list { json in for outcome in Outcome.allCases { json.add(outcome.name) } }
        kinds.list { json in for kind in ReportRow.kinds { json.add(kind) } }
        return """
            </main>
            \(PictureSection.dialog)
            <script type="application/json" id="data">
            {"outcomes":\(String(decoding: names.bytes, as: UTF8.self)),\
            "kinds":\(String(decoding: kinds.bytes, as: UTF8.self)),"rows":[

            """
    }

    private var documentTail: String {
        """

        ]}
        </script>
        <script>\(ReportScript.text)</script>
        </body>
        </html>

        """
    }
}
