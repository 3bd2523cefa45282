internal import Batch
internal import MediaPrep
internal import SHA256
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The report as a self-contained HTML page. It loads nothing from elsewhere.
struct ReportPage {
    /// The maximum size of the page, in bytes.
    static let maxBytes = 20_000_000

    /// The name of the manifest.
    var title: String
    var summary: ReportSummary
    var thumbnailPairs: [ThumbnailPair]
    /// The policy that gave the outcomes, of images that were only measured; `nil` for the outcomes of a run.
    var policy: ImagePolicy?

    /// Writes the page, replacing an existing file.
    ///
    /// - Throws: `BatchError` if the file cannot be written.
    func write(rows: consuming ReportRowList, to path: FilePath, access: OutputAccess) throws(BatchError) {
        let file = try AtomicFile(path: path, access: access)
        try writeHTML(rows: rows, to: file)
        try file.moveIntoPlace()
    }

    /// Writes the page to a file in pieces. Rows that would exceed the maximum size are left out.
    ///
    /// - Throws: `BatchError` if the file cannot be written.
    private func writeHTML(rows: consuming ReportRowList, to file: borrowing AtomicFile) throws(BatchError) {
        let head = Array((documentHeadHTML + summarySectionsHTML).utf8), tail = Array(documentTailHTML.utf8)
        // The reserve of 1,000 bytes is for the markup between `head` and the rows, which contains row counts.
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
        <style>\(Self.styleSheet)</style>
        </head>
        <body>
        <a class="skip" href="#files">Skip to the files</a>

        """
    }

    /// The content security policy. Nothing is loaded, and only this page's own script and style sheet are allowed.
    /// That excludes a script that a file name injects.
    private var contentSecurityPolicy: String {
        "default-src 'none'; img-src data:; style-src \(Self.cspHashSource(for: Self.styleSheet)); "
            + "script-src \(Self.cspHashSource(for: Self.script)); base-uri 'none'; form-action 'none'"
    }

    private static let styleSheet = String(decoding: PackageResources.report_css, as: UTF8.self)
    private static let script = String(decoding: PackageResources.report_js, as: UTF8.self)

    private static func cspHashSource(for text: String) -> String {
        let digest = SHA256Hasher(hashing: Array(text.utf8)).digestBytes()
        return "'sha256-\(Data(digest).base64EncodedString())'"
    }

    private var summarySectionsHTML: String {
        """
        \(ReportHTMLSections.header(title: title, summary: summary, policy: policy))
        <main>
        \(summaryColumnsHTML)
        \(ReportHTMLSections.measuresSection(for: summary))
        \(ThumbnailSection.html(for: thumbnailPairs, isOfRun: policy == nil))

        """
    }

    /// The sections with content, in two columns if both have any.
    private var summaryColumnsHTML: String {
        let unready = [
            ReportHTMLSections.failuresSection(for: summary), ReportHTMLSections.durationsSection(for: summary),
        ].filter { !$0.isEmpty }
        let outcomes = [
            policy.map { ReportHTMLSections.policySection(for: $0, summary: summary) } ?? "",
            ReportHTMLSections.outcomesSection(for: summary), ReportHTMLSections.outputSizesSection(for: summary),
        ].filter { !$0.isEmpty }
        let columns = unready.isEmpty ? outcomes.map { [$0] } : [unready, outcomes]
        if columns.isEmpty { return "" }
        let content = columns.map { "<div>\n\($0.joined(separator: "\n"))\n</div>" }
        return "<div class=\"columns\">\n\(content.joined(separator: "\n"))\n</div>"
    }

    /// The start of the data that the script reads: the names of outcomes, kinds and measures, up to the rows.
    private var rowDataHeadHTML: String {
        var names = ScriptSafeJSONWriter(), kinds = ScriptSafeJSONWriter(), measures = ScriptSafeJSONWriter()
        names.appendArray { json in for outcome in ReportOutcome.allCases { json.append(outcome.name) } }
        kinds.appendArray { json in for kind in ReportRow.mediaKindNames { json.append(kind) } }
        measures.appendArray { json in for measure in ReportMeasure.allCases { json.append(measure.title) } }
        return """
            </main>
            \(ThumbnailSection.enlargementDialogHTML)
            <script type="application/json" id="data">
            {"outcomes":\(String(decoding: names.bytes, as: UTF8.self)),\
            "kinds":\(String(decoding: kinds.bytes, as: UTF8.self)),\
            "measures":\(String(decoding: measures.bytes, as: UTF8.self)),"rows":[

            """
    }

    private var documentTailHTML: String {
        """

        ]}
        </script>
        <script>\(Self.script)</script>
        </body>
        </html>

        """
    }
}
