// `unsafe`: mkfifo takes the address of a path.

import Foundation
import Testing

@Suite("Images that a report shows")
struct ReportImageTests {
    /// Two images, the output of a run over them, and an image elsewhere.
    private func makePreparedWorkspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b.jpg", "elsewhere/secret.jpg")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        return workspace
    }

    /// Returns the number of images in a report with the given arguments.
    private func embeddedImageCount(
        _ workspace: TestWorkspace, _ arguments: String, before: String = "", warns: Bool = false
    ) throws -> Int {
        let report = try workspace.runShellScript("\(before) \"$PREP\" report --output report.html \(arguments)")
        #expect(report.exitStatus == 0 && (report.standardError != "") == warns, "\(report.standardError)")
        if warns { #expect(report.standardError.contains("prep: warning: the report has no images, ")) }
        return try ReportPageReader(try workspace.contents(ofFileAt: "report.html")).embeddedImages.count
    }

    /// Changes the manifest's lines.
    private func rewriteManifestLines(_ workspace: TestWorkspace, _ change: (inout [String: Any]) -> Void) throws {
        let lines = try workspace.contents(ofFileAt: "out/manifest.jsonl").split(separator: UInt8(ascii: "\n")).map {
            line in
            var line = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
            change(&line)
            return try JSONSerialization.data(withJSONObject: line) + Data("\n".utf8)
        }
        try workspace.writeFile(lines.reduce(Data(), +), at: "out/manifest.jsonl")
    }

    @Test("An input with another size, or an output with another digest, is not shown")
    func filesWithOtherSizeOrDigestAreNotShown() throws {
        let workspace = try makePreparedWorkspace()
        #expect(try embeddedImageCount(workspace, "out/manifest.jsonl") == 4)
        try workspace.runShellScript("printf x >>in/a.jpg")
        #expect(try embeddedImageCount(workspace, "out/manifest.jsonl") == 3)
        var output = try workspace.contents(ofFileAt: "out/b.jpg")
        output[output.count - 3] ^= 1
        try workspace.writeFile(output, at: "out/b.jpg")
        #expect(try embeddedImageCount(workspace, "out/manifest.jsonl") == 2)
    }

    @Test("An input without a size, or an output without a digest, is not shown")
    func filesWithoutSizeOrDigestAreNotShown() throws {
        let workspace = try makePreparedWorkspace()
        try rewriteManifestLines(workspace) { $0["input_bytes"] = NSNull() }
        #expect(try embeddedImageCount(workspace, "out/manifest.jsonl") == 2)
        try rewriteManifestLines(workspace) { $0["sha256"] = NSNull() }
        #expect(try embeddedImageCount(workspace, "out/manifest.jsonl") == 0)
    }

    @Test(
        "A file that a line names without describing it is not shown",
        arguments: [0, 1, 1 << 60, -1, Int.max])
    func fileNotDescribedByManifestIsNotShown(_ size: Int) throws {
        let workspace = try makePreparedWorkspace()
        try rewriteManifestLines(workspace) { ($0["input"], $0["input_bytes"]) = ("elsewhere/secret.jpg", size) }
        #expect(try embeddedImageCount(workspace, "out/manifest.jsonl") == 2)
    }

    @Test("A manifest from standard input only shows files in a directory of --media")
    func manifestFromStandardInputShowsOnlyMediaDirectories() throws {
        let workspace = try makePreparedWorkspace()
        for (options, count) in [
            ("--media out", 2), ("--media in", 2), ("--media in --media out", 4), ("--media nowhere", 0),
        ] {
            #expect(
                try embeddedImageCount(workspace, "- \(options) <out/manifest.jsonl", warns: count == 0) == count,
                "\(options)")
        }
        let missing = try workspace.runShellScript("$PREP report -o report.html --media nowhere - <out/manifest.jsonl")
        #expect(missing.standardError.hasPrefix("prep: warning: nowhere does not exist, or is not a directory\n"))
        #expect(missing.standardError.contains("because the manifest is read from standard input; name their"))
        #expect(try embeddedImageCount(workspace, "- <out/manifest.jsonl", warns: true) == 0)
        #expect(try embeddedImageCount(workspace, "/dev/stdin", before: "cat out/manifest.jsonl |", warns: true) == 0)
    }

    @Test("A manifest of another user only shows files in a directory of --media", .enabled(if: geteuid() == 0))
    func manifestOfAnotherUserShowsOnlyMediaDirectories() throws {
        let workspace = try makePreparedWorkspace()
        try workspace.runShellScript("chown 65534 out/manifest.jsonl")
        #expect(try embeddedImageCount(workspace, "out/manifest.jsonl", warns: true) == 0)
        #expect(try embeddedImageCount(workspace, "out/manifest.jsonl --media in --media out") == 4)
    }

    @Test("Links and `..` don't lead out of the directories of --media")
    func linksAndDotsCannotLeaveMediaDirectories() throws {
        let workspace = try makePreparedWorkspace()
        let size = try workspace.contents(ofFileAt: "elsewhere/secret.jpg").count
        try workspace.createSymbolicLink(at: "in/link.jpg", to: "../elsewhere/secret.jpg")
        try workspace.createSymbolicLink(at: "in/directory", to: "../elsewhere")
        try workspace.createSymbolicLink(at: "inside", to: "in")
        // The name of one directory is a prefix of the other's.
        try workspace.writeSmallImage(at: "in more/a.jpg")
        var names = [
            "in/link.jpg", "in/directory/secret.jpg", "in/../elsewhere/secret.jpg", "in more/a.jpg", "inside/a.jpg",
        ].makeIterator()
        let line = try #require(
            try workspace.contents(ofFileAt: "out/manifest.jsonl").split(separator: UInt8(ascii: "\n")).first)
        try workspace.writeFile(Data(repeating: 0, count: 0), at: "out/manifest.jsonl")
        try workspace.writeFile(
            Data(Array(repeating: line + Data("\n".utf8), count: 5).joined()), at: "out/manifest.jsonl")
        try rewriteManifestLines(workspace) {
            ($0["input"], $0["input_bytes"], $0["sha256"]) = (names.next() ?? "", size, NSNull())
        }
        #expect(try embeddedImageCount(workspace, "- --media in <out/manifest.jsonl") == 1)
        #expect(try embeddedImageCount(workspace, "- --media inside <out/manifest.jsonl") == 1)
        #expect(try embeddedImageCount(workspace, "out/manifest.jsonl") == 5)
    }

    @Test("With several --media, an output is shown from the first directory that has it")
    func firstMediaDirectoryWithOutputIsUsed() throws {
        let workspace = try makePreparedWorkspace()
        try workspace.writeFile(try workspace.contents(ofFileAt: "out/a.jpg"), at: "1/a.jpg")
        try workspace.writeFile(try workspace.contents(ofFileAt: "out/b.jpg"), at: "2/b.jpg")
        try workspace.writeSmallImage(at: "1/b.jpg")
        try FileManager.default.removeItem(at: workspace.fileURL(at: "in"))
        #expect(try embeddedImageCount(workspace, "out/manifest.jsonl --media 1 --media 2") == 2)
        #expect(try embeddedImageCount(workspace, "out/manifest.jsonl --media 1") == 1)
    }

    @Test("Pipes, devices and directories are not shown, and do not block")
    func specialFilesAreNotShownAndDoNotBlock() throws {
        let workspace = try makePreparedWorkspace()
        try #require(unsafe mkfifo(workspace.fileURL(at: "in/pipe").path, 0o600) == 0)
        for name in ["in/pipe", "/dev/zero", "/dev/tty", "in"] {
            try rewriteManifestLines(workspace) { ($0["input"], $0["input_bytes"]) = (name, 0) }
            #expect(try embeddedImageCount(workspace, "out/manifest.jsonl") == 2)
        }
    }
}
