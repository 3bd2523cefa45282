// `unsafe`: mkfifo takes the address of a path.

import Foundation
import Testing

@Suite("Which files a report shows pictures of")
struct ReportPictureTests {
    /// Two photos, what a run made of them, and a photo elsewhere.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b.jpg", "elsewhere/secret.jpg")
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        return workspace
    }

    /// How many pictures the report has that the shell makes with these arguments.
    private func pictures(
        _ workspace: Workspace, _ arguments: String, before: String = "", warns: Bool = false
    ) throws -> Int {
        let report = try workspace.shell("\(before) \"$PREP\" report --output report.html \(arguments)")
        #expect(report.status == 0 && (report.errors != "") == warns, "\(report.errors)")
        if warns { #expect(report.errors.hasPrefix("prep: warning: the report has no pictures, ")) }
        return try ReportPageReader(try workspace.contents("report.html")).pictures.count
    }

    /// Changes the manifest's lines.
    private func rewrite(_ workspace: Workspace, _ change: (inout [String: Any]) -> Void) throws {
        let lines = try workspace.contents("out/manifest.jsonl").split(separator: UInt8(ascii: "\n")).map { line in
            var line = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
            change(&line)
            return try JSONSerialization.data(withJSONObject: line) + Data("\n".utf8)
        }
        try workspace.write(lines.reduce(Data(), +), "out/manifest.jsonl")
    }

    @Test("An input of another size is not shown, nor an output of another digest, even of the same size")
    func changed() throws {
        let workspace = try workspace()
        #expect(try pictures(workspace, "out/manifest.jsonl") == 4)
        try workspace.shell("printf x >>in/a.jpg")
        #expect(try pictures(workspace, "out/manifest.jsonl") == 3)
        var output = try workspace.contents("out/b.jpg")
        output[output.count - 3] ^= 1
        try workspace.write(output, "out/b.jpg")
        #expect(try pictures(workspace, "out/manifest.jsonl") == 2)
    }

    @Test("Without a size there is no picture of an input, and without a digest none of an output")
    func unknown() throws {
        let workspace = try workspace()
        try rewrite(workspace) { $0["input_bytes"] = NSNull() }
        #expect(try pictures(workspace, "out/manifest.jsonl") == 2)
        try rewrite(workspace) { $0["sha256"] = NSNull() }
        #expect(try pictures(workspace, "out/manifest.jsonl") == 0)
    }

    @Test(
        "A line that names a file that it doesn't describe shows nothing of it",
        arguments: [0, 1, 1 << 60, -1, Int.max])
    func foreignFile(_ size: Int) throws {
        let workspace = try workspace()
        try rewrite(workspace) { ($0["input"], $0["input_bytes"]) = ("elsewhere/secret.jpg", size) }
        #expect(try pictures(workspace, "out/manifest.jsonl") == 2)
    }

    @Test("A manifest from standard input shows only what is in a directory of --media")
    func standardInput() throws {
        let workspace = try workspace()
        for (options, count) in [
            ("--media out", 2), ("--media in", 2), ("--media in --media out", 4), ("--media nowhere", 0),
        ] {
            #expect(
                try pictures(workspace, "- \(options) <out/manifest.jsonl", warns: count == 0) == count, "\(options)")
        }
        #expect(try pictures(workspace, "- <out/manifest.jsonl", warns: true) == 0)
        #expect(try pictures(workspace, "/dev/stdin", before: "cat out/manifest.jsonl |", warns: true) == 0)
    }

    @Test("A manifest of another user shows only what is in a directory of --media", .enabled(if: geteuid() == 0))
    func anotherUser() throws {
        let workspace = try workspace()
        try workspace.shell("chown 65534 out/manifest.jsonl")
        #expect(try pictures(workspace, "out/manifest.jsonl", warns: true) == 0)
        #expect(try pictures(workspace, "out/manifest.jsonl --media in --media out") == 4)
    }

    @Test("Links and dots don't lead out of the directories of --media")
    func confined() throws {
        let workspace = try workspace()
        let size = try workspace.contents("elsewhere/secret.jpg").count
        try workspace.link("in/link.jpg", to: "../elsewhere/secret.jpg")
        try workspace.link("in/directory", to: "../elsewhere")
        try workspace.link("inside", to: "in")
        // The name of one directory begins like that of another.
        try workspace.writePhotos("in more/a.jpg")
        var names = [
            "in/link.jpg", "in/directory/secret.jpg", "in/../elsewhere/secret.jpg", "in more/a.jpg", "inside/a.jpg",
        ].makeIterator()
        let line = try #require(try workspace.contents("out/manifest.jsonl").split(separator: UInt8(ascii: "\n")).first)
        try workspace.write(Data(repeating: 0, count: 0), "out/manifest.jsonl")
        try workspace.write(Data(Array(repeating: line + Data("\n".utf8), count: 5).joined()), "out/manifest.jsonl")
        try rewrite(workspace) { ($0["input"], $0["input_bytes"], $0["sha256"]) = (names.next() ?? "", size, NSNull()) }
        #expect(try pictures(workspace, "- --media in <out/manifest.jsonl") == 1)
        #expect(try pictures(workspace, "- --media inside <out/manifest.jsonl") == 1)
        #expect(try pictures(workspace, "out/manifest.jsonl") == 5)
    }

    @Test("With several --media, an output is shown from the first that has it")
    func severalDirectories() throws {
        let workspace = try workspace()
        try workspace.write(try workspace.contents("out/a.jpg"), "1/a.jpg")
        try workspace.write(try workspace.contents("out/b.jpg"), "2/b.jpg")
        try workspace.writePhotos("1/b.jpg")
        try FileManager.default.removeItem(at: workspace.file("in"))
        #expect(try pictures(workspace, "out/manifest.jsonl --media 1 --media 2") == 2)
        #expect(try pictures(workspace, "out/manifest.jsonl --media 1") == 1)
    }

    @Test("Pipes, devices and directories are no pictures, and hold nothing up")
    func specialFiles() throws {
        let workspace = try workspace()
        try #require(unsafe mkfifo(workspace.file("in/pipe").path, 0o600) == 0)
        for name in ["in/pipe", "/dev/zero", "/dev/tty", "in"] {
            try rewrite(workspace) { ($0["input"], $0["input_bytes"]) = (name, 0) }
            #expect(try pictures(workspace, "out/manifest.jsonl") == 2)
        }
    }
}
