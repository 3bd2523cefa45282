import Foundation
import HTTPCalls
import HTTPTypes
import SHA256
import Testing
import TestSupport
import Uploading

@testable import ManifestReport

@Suite("prep report")
struct ReportTests {
    /// One run over the samples, and its report, for all tests.
    private static let sampleReport = Result<(page: ReportPageReader, lines: [ManifestLineFixture]), any Error> {
        let workspace = try TestWorkspace()
        let inputs = ["photos", "damaged", "recordings"].map {
            SampleMedia.repositoryURL.appending(path: "Samples/\($0)").path
        }
        #expect(try PrepProcess(arguments: ["run"] + inputs + ["--output", "out"], in: workspace.url).exitStatus == 1)
        let report = try workspace.runPrep("report", "out/manifest.jsonl", "--output", "report.html")
        #expect(report.exitStatus == 0 && report.standardError == "" && report.standardOutput == "")
        return (try ReportPageReader(try workspace.contents(ofFileAt: "report.html")), try workspace.manifestLines())
    }

    @Test("The page is written to standard output as to a file")
    func pageOnStandardOutput() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(Self.makeManifestLine("a.jpg", "skipped"), at: "manifest.jsonl")
        #expect(try workspace.runPrep("report", "manifest.jsonl", "-o", "report.html").exitStatus == 0)
        let run = try workspace.runPrep("report", "manifest.jsonl", "-o", "-")
        #expect(run.exitStatus == 0)
        #expect(Data(run.standardOutput.utf8) == (try workspace.contents(ofFileAt: "report.html")))
        #expect(workspace.filePaths() == ["manifest.jsonl", "report.html"])
    }

    /// Returns a manifest line with the members that a report uses.
    private static func makeManifestLine(
        _ input: String, _ verdict: String? = "converted", output: String? = nil, bytes: (Int, Int)? = nil,
        sha256: String? = nil,
        kind: String = "image",
        reasons: [[String: Any]] = [], seconds: Double? = nil, upload: [String: Any]? = nil
    ) throws -> Data {
        var line: [String: Any] = [
            "input": input, "output": output ?? NSNull(), "kind": kind, "verdict": verdict ?? NSNull(),
            "reasons": reasons,
            "warnings": [], "format": NSNull(), "input_bytes": bytes?.0 ?? NSNull(),
            "output_bytes": bytes?.1 ?? NSNull(),
            "sha256": sha256 ?? NSNull(), "elapsed_ms": 1,
        ]
        line["upload"] = upload
        if let seconds { line["audio"] = ["duration_seconds": seconds] }
        return try JSONSerialization.data(withJSONObject: line) + Data("\n".utf8)
    }

    private static var rejectionReasons: [[String: Any]] {
        [["code": "truncated", "message": "it ends <b>early</b>", "offset": 12]]
    }

    /// Returns the report of the given lines.
    private func makeReportPage(_ lines: [Data]) throws -> ReportPageReader {
        let workspace = try TestWorkspace()
        try workspace.writeFile(lines.reduce(Data(), +), at: "manifest.jsonl")
        let report = try workspace.runPrep("report", "manifest.jsonl", "--output", "report.html")
        #expect(report.exitStatus == 0, "\(report.standardError)")
        #expect(workspace.filePaths() == ["manifest.jsonl", "report.html"])
        return try ReportPageReader(try workspace.contents(ofFileAt: "report.html"))
    }

    @Test("It lists every input with its outcome, first those that are not ready")
    func reportListsEveryInputFailuresFirst() throws {
        let (page, lines) = try Self.sampleReport.get()
        let listed = page.rows.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        #expect(listed.map(\.name) == lines.map(\.input))
        #expect(listed.map(\.outcome) == lines.map(\.verdict))
        #expect(listed.map(\.inputBytes) == lines.map(\.inputBytes))
        #expect(listed.map(\.outputBytes) == lines.map(\.outputBytes))
        #expect(listed.map(\.diagnosticCodes) == lines.map { ($0.reasons + $0.warnings).map(\.code) })
        let unready = page.rows.map { $0.outcome == "rejected" }
        #expect(unready == [true, true, true, true] + Array(repeating: false, count: lines.count - 4))
        #expect(page.rows.filter { $0.kind == "recording" }.allSatisfy { ($0.seconds ?? 0) > 0 })
    }

    @Test("It begins with the failures and the saved bytes")
    func headlineStatesFailuresAndSavings() throws {
        let (page, lines) = try Self.sampleReport.get()
        #expect(page.headline == "22 of 26 files are ready, 4 are not")
        let saved = lines.filter { $0.output != nil }
        let before = saved.compactMap(\.inputBytes).reduce(0, +), after = saved.compactMap(\.outputBytes).reduce(0, +)
        let figures =
            "\(QuantityFormat.bytes(before)) became \(QuantityFormat.bytes(after)), "
            + "\(QuantityFormat.bytes(before - after)) less"
        #expect(page.html.contains(figures), "\(figures)")
        #expect(page.html.contains("<strong>\(QuantityFormat.percentSaved(from: before, to: after))</strong>"))
        #expect(page.html.contains("10 converted, 2 passthrough, 1 cleaned, 9 accepted"))
    }

    @Test("Thumbnails before and after are small JPEGs without metadata")
    func thumbnailsAreSmallAndWithoutMetadata() throws {
        let page = try Self.sampleReport.get().page
        // Twelve images twice, and the intact part of one that was truncated.
        #expect(page.embeddedImages.count == 2 * 12 + 1)
        for image in page.embeddedImages {
            let segments = try StrictJPEGParser(parsing: image)
            #expect(segments.leakedMetadataDescriptions == [] && SampleMedia.privateTextsFound(in: image) == [])
            let size = try #require(segments.frameSize)
            #expect(max(size.width, size.height) == 160)
        }
    }

    @Test("It refers to nothing that a browser would load")
    func pageLoadsNothingExternal() throws {
        let html = try Self.sampleReport.get().page.html
        for address in ["http:", "https:", "file:", "url(", "@import", "<iframe", "<object", " style="] {
            #expect(!html.contains(address), "\(address)")
        }
        let sources = html.matches(of: #/(?:src|href|action|srcset)="([^"]*)"/#).map { String($0.1) }
        #expect(sources.allSatisfy { $0.hasPrefix("data:") || $0.hasPrefix("#") })
        #expect(html.contains("content=\"default-src 'none'; img-src data:; style-src 'sha256-"))
    }

    @Test("The same manifest and media give the same bytes")
    func reportIsDeterministic() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b.jpg", "in/c.jpg")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        for name in ["1.html", "2.html"] {
            #expect(try workspace.runPrep("report", "out/manifest.jsonl", "--output", name).exitStatus == 0)
        }
        #expect(try workspace.contents(ofFileAt: "1.html") == workspace.contents(ofFileAt: "2.html"))
    }

    @Test("Names are shown completely, and are never markup")
    func hostileNamesAreEscaped() throws {
        let names = [
            "</script><script>alert(1)</script>.jpg", "<!--<script>.jpg", "\"quoted\" 'twice' &amp;.jpg",
            "\u{202E}gpj.exe",
            "a\u{2028}b\u{2029}c", "new\nline\t\u{1}\u{7F}", "back\\slash\\u003c", "日本語/写真.jpg", "\u{FFFD}",
        ]
        let page = try makeReportPage(
            try names.map { try Self.makeManifestLine($0, "rejected", reasons: Self.rejectionReasons) })
        #expect(page.rows.map(\.name) == names)
        #expect(page.html.matches(of: #/<\/?script/#).count == 4, "two scripts begin and end")
        #expect(!page.html.contains("<!--") && !page.html.contains("<b>"))
        #expect(page.html.contains("it ends &lt;b&gt;early&lt;/b&gt; <span class=\"at\">at byte 12</span>"))
        let markup = page.html.components(separatedBy: "id=\"data\">")[0]
        #expect(!markup.unicodeScalars.contains { ["\u{202E}", "\u{2028}", "\u{1}", "\u{7F}"].contains($0) })
        #expect(markup.contains("\\u{202E}gpj.exe"))
    }

    @Test(
        "Extreme numbers do not overflow",
        arguments: [(Int.max, 0), (Int.min, Int.min), (0, Int.max), (Int.max, Int.max)])
    func implausibleNumbersDoNotOverflow(_ before: Int, _ after: Int) throws {
        let one = try Self.makeManifestLine("a", output: "a", bytes: (before, after), kind: "audio", seconds: 1e300)
        #expect(try makeReportPage([one, one, one]).headline == "All 3 files are ready")
    }

    @Test("Sections without anything to show are left out, and no column is empty")
    func emptySectionsAreOmitted() throws {
        let ready = try Self.makeManifestLine("a.jpg", output: "a.jpg", bytes: (10, 5)),
            rejected = try Self.makeManifestLine("b.jpg", "rejected")
        let recording = try Self.makeManifestLine("c.wav", "accepted", kind: "audio", seconds: 2)
        let planned = try Self.makeManifestLine("d.jpg", nil, output: "d.jpg")
        for (lines, columns) in [
            ([], []), ([ready], [["outcomes"], ["sizes"]]), ([planned], [["outcomes"]]),
            ([rejected], [["unready"], ["outcomes"]]), ([recording], [["lengths"], ["outcomes"]]),
            ([ready, rejected, recording], [["unready", "lengths"], ["outcomes", "sizes"]]),
        ] as [([Data], [[String]])] {
            let main = try #require(
                try makeReportPage(lines).html.firstMatch(of: #/<main>([\s\S]*)<section id="files"/#)
            ).output
                .1
            let found = main.split(separator: "<div>\n<section").dropFirst().map { column in
                ("<section" + column).matches(of: #/<section id="(\w+)"/#).map { String($0.output.1) }
            }
            #expect(found == columns)
        }
    }

    @Test("Files that the server may not have are listed with the reason")
    func failedUploadsNeedAttention() throws {
        func line(_ name: String, _ status: String, code: String? = nil) throws -> Data {
            var upload: [String: Any] = ["status": status, "attempts": 1]
            if let code { upload["reason"] = ["code": code, "message": "no <answer>", "status": 503] }
            return try Self.makeManifestLine(name, output: name, bytes: (10, 5), upload: upload)
        }
        let sent = try [line("a.jpg", "acknowledged"), line("b.jpg", "duplicate-of")]
        let page = try makeReportPage(
            sent + [
                line("c.jpg", "failed", code: "unreachable"), line("d.jpg", "not-sent", code: "quota-exhausted"),
                line("e.jpg", "outcome-unknown", code: "outcome-unknown"),
            ])
        #expect(page.headline == "2 of 5 files are uploaded, 3 are not")
        #expect(page.rows.map(\.outcome) == ["unsent", "unsent", "unconfirmed", "converted", "converted"])
        #expect(
            page.rows.prefix(3).map(\.diagnosticCodes) == [["unreachable"], ["quota-exhausted"], ["outcome-unknown"]])
        #expect(page.html.contains("<h2 id=\"unready-title\">Not uploaded</h2>"))
        #expect(page.html.contains("no &lt;answer&gt;"))
        #expect(try makeReportPage(sent).headline == "All 2 files are uploaded")
    }

    @Test("Planned inputs of a dry run are marked as such")
    func dryRunManifestIsReportedAsPlanned() throws {
        let page = try makeReportPage([
            try Self.makeManifestLine("a.jpg", nil, output: "a.jpg"),
            try Self.makeManifestLine("b.jpg", nil, output: "b.jpg"),
        ])
        #expect(page.headline == "2 files planned")
        #expect(page.rows.map(\.outcome) == ["planned", "planned"])
    }

    @Test("An incomplete last line is left out; a manifest may be empty")
    func incompleteLastLineIsIgnored() throws {
        let whole = try Self.makeManifestLine("a.jpg", output: "a.jpg", bytes: (10, 5))
        #expect(try makeReportPage([whole, Self.makeManifestLine("b.jpg").prefix(40)]).rows.map(\.name) == ["a.jpg"])
        #expect(try makeReportPage([]).headline == "The manifest is empty")
    }

    @Test("Missing media have no thumbnail, and --media locates outputs")
    func missingMediaGivesNoImagesAndMediaOptionLocatesOutputs() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        try workspace.writeFile(try workspace.contents(ofFileAt: "out/a.jpg"), at: "moved/a.jpg")
        try FileManager.default.removeItem(at: workspace.fileURL(at: "in"))
        try FileManager.default.removeItem(at: workspace.fileURL(at: "out/a.jpg"))
        for (options, count) in [([], 0), (["--media", "moved"], 1), (["--media", "nowhere"], 0)] {
            let arguments = ["report", "out/manifest.jsonl", "--output", "report.html"] + options
            #expect(try PrepProcess(arguments: arguments, in: workspace.url).exitStatus == 0)
            #expect(
                try ReportPageReader(try workspace.contents(ofFileAt: "report.html")).embeddedImages.count == count,
                "\(options)")
        }
    }

    @Test("No output outside its directory is shown, whatever the manifest contains")
    func outputsOutsideDirectoryAreNotShown() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "secret.jpg", "out/shown.jpg")
        let names = ["../secret.jpg", workspace.fileURL(at: "secret.jpg").path, "shown.jpg"]
        let photo = try workspace.contents(ofFileAt: "secret.jpg")
        var digest = SHA256Hasher()
        digest.update(bytes: Array(photo))
        let sha256 = digest.hexDigest()
        let lines = try names.map {
            try Self.makeManifestLine("gone", output: $0, bytes: (10, photo.count), sha256: sha256)
        }
        try workspace.writeFile(lines.reduce(Data(), +), at: "out/manifest.jsonl")
        #expect(try workspace.runPrep("report", "out/manifest.jsonl", "--output", "report.html").exitStatus == 0)
        #expect(try ReportPageReader(try workspace.contents(ofFileAt: "report.html")).embeddedImages.count == 1)
    }

    @Test(
        "A failure has status 2 and a message, and changes nothing",
        arguments: [
            ("in/a.jpg", "report.html", "line 1 of in/a.jpg is not a manifest line"),
            ("missing.jsonl", "report.html", "missing.jsonl can't be read"),
            ("out/manifest.jsonl", "out/manifest.jsonl", "would replace the manifest"),
            ("out/manifest.jsonl", "in/a.jpg", "would replace an input"),
            ("out/manifest.jsonl", "out/a.jpg", "would replace an output"),
            ("out/manifest.jsonl", "in", "not a regular file"),
            ("out/manifest.jsonl", "missing/report.html", "missing/report.html can't be written"),
        ])
    func impossibleReportFailsAndChangesNothing(_ manifest: String, _ output: String, _ message: String) throws {
        let workspace = try TestWorkspace()
        // An image has too few line feeds to be split into short lines.
        try workspace.writeSmallImage(at: "in/a.jpg")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        let files = workspace.filePaths(), before = try files.map { try workspace.contents(ofFileAt: $0) }
        let report = try workspace.runPrep("report", manifest, "--output", output)
        #expect(report.exitStatus == 2)
        #expect(
            report.standardError.hasPrefix("prep: ") && report.standardError.contains(message),
            "\(report.standardError)")
        #expect(workspace.filePaths() == files)
        #expect(try files.map { try workspace.contents(ofFileAt: $0) } == before)
    }

    @Test("--output must be given")
    func missingOutputOptionIsUsageError() throws {
        #expect(try TestWorkspace().runPrep("report", "manifest.jsonl").exitStatus == 64)
    }
}
