import Batch
import Foundation
import ManifestReport
import SystemPackage
import TestSupport
import Testing

@Suite("An HTML report of a manifest")
struct HTMLReportTests {
    private static let line = #"""
        {"input":"in/<b>.wav","output":null,"kind":"audio","verdict":"rejected","reasons":[{"code":"too-long",\#
        "message":"m"}],"warnings":[],"format":"wav","input_bytes":44,"output_bytes":null,"sha256":null,\#
        "elapsed_ms":1}

        """#

    @Test("The page has the rows, the script and the style sheet, and no markup of the manifest")
    func pageIsSelfContained() async throws {
        let directory = try TemporaryDirectory()
        let manifest = try directory.writeFile(Data(Self.line.utf8), named: "manifest.jsonl")
        let page = directory.fileURL(named: "report.html")
        try await HTMLReport(manifest: FilePath(manifest.path)).write(to: FilePath(page.path))
        let html = try String(contentsOf: page, encoding: .utf8)
        for part in ["too-long", "\"use strict\"", "color-scheme: light dark", "script-src 'sha256-"] {
            #expect(html.contains(part))
        }
        #expect(!html.contains("<b>.wav"))
    }

    @Test("A report does not replace its manifest")
    func reportCannotReplaceItsManifest() async throws {
        let directory = try TemporaryDirectory()
        let manifest = FilePath(try directory.writeFile(Data(Self.line.utf8), named: "manifest.jsonl").path)
        let error = await #expect(throws: BatchError.self) {
            try await HTMLReport(manifest: manifest).write(to: manifest)
        }
        #expect(error?.code == .wouldOverwrite)
    }

    @Test("An invalid manifest is an error that names the line")
    func invalidManifestIsAnError() async throws {
        let directory = try TemporaryDirectory()
        let manifest = try directory.writeFile(Data((Self.line + "{}\n").utf8), named: "manifest.jsonl")
        let page = directory.fileURL(named: "report.html")
        let error = await #expect(throws: BatchError.self) {
            try await HTMLReport(manifest: FilePath(manifest.path)).write(to: FilePath(page.path))
        }
        #expect(error?.code == .invalidInput && error?.message.hasPrefix("line 2 of ") == true)
        #expect(!FileManager.default.fileExists(atPath: page.path))
    }
}
