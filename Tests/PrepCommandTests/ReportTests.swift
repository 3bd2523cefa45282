import Foundation
import TestSupport
import Testing
import Uploading

@testable import prep

@Suite("prep report")
struct ReportTests {
    /// One run over the samples, and its report, for all tests.
    private static let samples = Result<(page: ReportPageReader, lines: [Line]), any Error> {
        let workspace = try Workspace()
        let inputs = ["photos", "damaged", "recordings"].map {
            Samples.repository.appending(path: "Samples/\($0)").path
        }
        #expect(try PrepProcess(["run"] + inputs + ["--output", "out"], in: workspace.url).status == 1)
        let report = try workspace.prep("report", "out/manifest.jsonl", "--output", "report.html")
        #expect(report.status == 0 && report.errors == "" && report.output == "")
        return (try ReportPageReader(try workspace.contents("report.html")), try workspace.manifest())
    }

    /// A manifest's line, with what matters here.
    private static func line(
        _ input: String, _ verdict: String? = "converted", output: String? = nil, bytes: (Int, Int)? = nil,
        sha256: String? = nil,
        kind: String = "image",
        reasons: [[String: Any]] = [], seconds: Double? = nil
    ) throws -> Data {
        var line: [String: Any] = [
            "input": input, "output": output ?? NSNull(), "kind": kind, "verdict": verdict ?? NSNull(),
            "reasons": reasons,
            "warnings": [], "format": NSNull(), "input_bytes": bytes?.0 ?? NSNull(),
            "output_bytes": bytes?.1 ?? NSNull(),
            "sha256": sha256 ?? NSNull(), "elapsed_ms": 1,
        ]
        if let seconds { line["audio"] = ["duration_seconds": seconds] }
        return try JSONSerialization.data(withJSONObject: line) + Data("\n".utf8)
    }

    private static var refusal: [[String: Any]] {
        [["code": "truncated", "message": "it ends <b>early</b>", "offset": 12]]
    }

    /// The report on these lines alone.
    private func page(_ lines: [Data]) throws -> ReportPageReader {
        let workspace = try Workspace()
        try workspace.write(lines.reduce(Data(), +), "manifest.jsonl")
        let report = try workspace.prep("report", "manifest.jsonl", "--output", "report.html")
        #expect(report.status == 0, "\(report.errors)")
        #expect(workspace.files() == ["manifest.jsonl", "report.html"])
        return try ReportPageReader(try workspace.contents("report.html"))
    }

    @Test("It lists every input with its outcome, what is not ready first")
    func rows() throws {
        let (page, lines) = try Self.samples.get()
        let listed = page.rows.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        #expect(listed.map(\.name) == lines.map(\.input))
        #expect(listed.map(\.outcome) == lines.map(\.verdict))
        #expect(listed.map(\.inputBytes) == lines.map(\.inputBytes))
        #expect(listed.map(\.outputBytes) == lines.map(\.outputBytes))
        #expect(listed.map(\.codes) == lines.map { ($0.reasons + $0.warnings).map(\.code) })
        let unready = page.rows.map { $0.outcome == "rejected" }
        #expect(unready == [true, true, true, true] + Array(repeating: false, count: lines.count - 4))
        #expect(page.rows.filter { $0.kind == "recording" }.allSatisfy { ($0.seconds ?? 0) > 0 })
    }

    @Test("Its first words are what failed and what was saved")
    func figures() throws {
        let (page, lines) = try Self.samples.get()
        #expect(page.headline == "21 of 25 files are ready, 4 are not")
        let saved = lines.filter { $0.output != nil }
        let before = saved.compactMap(\.inputBytes).reduce(0, +), after = saved.compactMap(\.outputBytes).reduce(0, +)
        let figures =
            "\(QuantityFormat.bytes(before)) became \(QuantityFormat.bytes(after)), \(QuantityFormat.bytes(before - after)) less"
        #expect(page.html.contains(figures), "\(figures)")
        #expect(page.html.contains("<strong>\(QuantityFormat.percentSaved(from: before, to: after))</strong>"))
        #expect(page.html.contains("9 converted, 2 passthrough, 1 cleaned, 9 accepted"))
    }

    @Test("Pictures are small JPEGs without metadata, before and after")
    func pictures() throws {
        let page = try Self.samples.get().page
        // Eleven photos twice, and what is there of one that was cut short.
        #expect(page.pictures.count == 2 * 11 + 1)
        for picture in page.pictures {
            let segments = try SegmentWalker(picture)
            #expect(segments.leaks == [] && Samples.privateTexts(in: picture) == [])
            let size = try #require(segments.frameSize)
            #expect(max(size.width, size.height) == 160)
        }
    }

    @Test("It names nothing that a browser would load")
    func closed() throws {
        let html = try Self.samples.get().page.html
        for address in ["http:", "https:", "file:", "url(", "@import", "<iframe", "<object", " style="] {
            #expect(!html.contains(address), "\(address)")
        }
        let sources = html.matches(of: #/(?:src|href|action|srcset)="([^"]*)"/#).map { String($0.1) }
        #expect(sources.allSatisfy { $0.hasPrefix("data:") || $0.hasPrefix("#") })
        #expect(html.contains("content=\"default-src 'none'; img-src data:; style-src 'sha256-"))
    }

    @Test("The same manifest and media give the same bytes")
    func deterministic() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b.jpg", "in/c.jpg")
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        for name in ["1.html", "2.html"] {
            #expect(try workspace.prep("report", "out/manifest.jsonl", "--output", name).status == 0)
        }
        #expect(try workspace.contents("1.html") == workspace.contents("2.html"))
    }

    @Test("Names come through whole, and are never markup")
    func hostileNames() throws {
        let names = [
            "</script><script>alert(1)</script>.jpg", "<!--<script>.jpg", "\"quoted\" 'twice' &amp;.jpg",
            "\u{202E}gpj.exe",
            "a\u{2028}b\u{2029}c", "new\nline\t\u{1}\u{7F}", "back\\slash\\u003c", "日本語/写真.jpg", "\u{FFFD}",
        ]
        let page = try page(try names.map { try Self.line($0, "rejected", reasons: Self.refusal) })
        #expect(page.rows.map(\.name) == names)
        #expect(page.html.matches(of: #/<\/?script/#).count == 4, "two scripts begin and end")
        #expect(!page.html.contains("<!--") && !page.html.contains("<b>"))
        #expect(page.html.contains("it ends &lt;b&gt;early&lt;/b&gt; <span class=\"at\">at byte 12</span>"))
        let markup = page.html.components(separatedBy: "id=\"data\">")[0]
        #expect(!markup.unicodeScalars.contains { ["\u{202E}", "\u{2028}", "\u{1}", "\u{7F}"].contains($0) })
        #expect(markup.contains("\\u{202E}gpj.exe"))
    }

    @Test(
        "Numbers that nobody can mean overflow nothing",
        arguments: [(Int.max, 0), (Int.min, Int.min), (0, Int.max), (Int.max, Int.max)])
    func hostileNumbers(_ before: Int, _ after: Int) throws {
        let one = try Self.line("a", output: "a", bytes: (before, after), kind: "audio", seconds: 1e300)
        #expect(try page([one, one, one]).headline == "All 3 files are ready")
    }

    @Test("Sections without anything to show are left out, and no column is empty")
    func sections() throws {
        let ready = try Self.line("a.jpg", output: "a.jpg", bytes: (10, 5)),
            rejected = try Self.line("b.jpg", "rejected")
        let recording = try Self.line("c.wav", "accepted", kind: "audio", seconds: 2)
        let planned = try Self.line("d.jpg", nil, output: "d.jpg")
        for (lines, columns) in [
            ([], []), ([ready], [["outcomes"], ["sizes"]]), ([planned], [["outcomes"]]),
            ([rejected], [["unready"], ["outcomes"]]), ([recording], [["lengths"], ["outcomes"]]),
            ([ready, rejected, recording], [["unready", "lengths"], ["outcomes", "sizes"]]),
        ] as [([Data], [[String]])] {
            let main = try #require(try page(lines).html.firstMatch(of: #/<main>([\s\S]*)<section id="files"/#)).output
                .1
            let found = main.split(separator: "<div>\n<section").dropFirst().map { column in
                ("<section" + column).matches(of: #/<section id="(\w+)"/#).map { String($0.output.1) }
            }
            #expect(found == columns)
        }
    }

    @Test("What a dry run only plans is told so")
    func planned() throws {
        let page = try page([
            try Self.line("a.jpg", nil, output: "a.jpg"), try Self.line("b.jpg", nil, output: "b.jpg"),
        ])
        #expect(page.headline == "2 files planned")
        #expect(page.rows.map(\.outcome) == ["planned", "planned"])
    }

    @Test("A last line that was cut off is left out; a manifest may be empty")
    func torn() throws {
        let whole = try Self.line("a.jpg", output: "a.jpg", bytes: (10, 5))
        #expect(try page([whole, Self.line("b.jpg").prefix(40)]).rows.map(\.name) == ["a.jpg"])
        #expect(try page([]).headline == "The manifest is empty")
    }

    @Test("Media that isn't there gives no picture, and --media says where outputs are")
    func media() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        try workspace.write(try workspace.contents("out/a.jpg"), "moved/a.jpg")
        try FileManager.default.removeItem(at: workspace.file("in"))
        try FileManager.default.removeItem(at: workspace.file("out/a.jpg"))
        for (options, pictures) in [([], 0), (["--media", "moved"], 1), (["--media", "nowhere"], 0)] {
            let arguments = ["report", "out/manifest.jsonl", "--output", "report.html"] + options
            #expect(try PrepProcess(arguments, in: workspace.url).status == 0)
            #expect(
                try ReportPageReader(try workspace.contents("report.html")).pictures.count == pictures, "\(options)")
        }
    }

    @Test("No output outside of its directory is shown, whatever the manifest says")
    func escaping() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("secret.jpg", "out/shown.jpg")
        let names = ["../secret.jpg", workspace.file("secret.jpg").path, "shown.jpg"]
        let photo = try workspace.contents("secret.jpg")
        var digest = SHA256Hasher()
        digest.update(bytes: Array(photo))
        let sha256 = digest.hexDigest()
        let lines = try names.map { try Self.line("gone", output: $0, bytes: (10, photo.count), sha256: sha256) }
        try workspace.write(lines.reduce(Data(), +), "out/manifest.jsonl")
        #expect(try workspace.prep("report", "out/manifest.jsonl", "--output", "report.html").status == 0)
        #expect(try ReportPageReader(try workspace.contents("report.html")).pictures.count == 1)
    }

    @Test(
        "What it can't do it says, with status 2, and leaves everything as it was",
        arguments: [
            ("in/a.jpg", "report.html", "line 1 of in/a.jpg is not a manifest's"),
            ("missing.jsonl", "report.html", "missing.jsonl can't be read"),
            ("out/manifest.jsonl", "out/manifest.jsonl", "would replace the manifest"),
            ("out/manifest.jsonl", "in/a.jpg", "would replace an input"),
            ("out/manifest.jsonl", "out/a.jpg", "would replace an output"),
            ("out/manifest.jsonl", "in", "not a regular file"),
            ("out/manifest.jsonl", "missing/report.html", "missing/report.html can't be written"),
        ])
    func refused(_ manifest: String, _ output: String, _ message: String) throws {
        let workspace = try Workspace()
        // A photo's own line ends are too few to make a line of it.
        try workspace.writePhotos("in/a.jpg")
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        let files = workspace.files(), before = try files.map { try workspace.contents($0) }
        let report = try workspace.prep("report", manifest, "--output", output)
        #expect(report.status == 2)
        #expect(report.errors.hasPrefix("prep: ") && report.errors.contains(message), "\(report.errors)")
        #expect(workspace.files() == files)
        #expect(try files.map { try workspace.contents($0) } == before)
    }

    @Test("The page has a place: --output must be given")
    func usage() throws {
        #expect(try Workspace().prep("report", "manifest.jsonl").status == 64)
    }
}
