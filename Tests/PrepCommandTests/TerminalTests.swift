import Foundation
import Testing

@testable import prep

@Suite("Nothing that is named by files or arguments controls the terminal")
struct TerminalTests {
    /// Colours, a cleared screen, a false line, and text that runs backwards.
    private static let hostile = "\u{1B}[2J\u{7}\nprep: all is well\r\u{7F}\u{9B}31m\u{202E}gpj.\u{2066}\u{61C}x"
    private static let shown =
        #"\u{1B}[2J\u{7}\u{A}prep: all is well\u{D}\u{7F}\u{9B}31m\u{202E}gpj.\u{2066}\u{61C}x"#

    private func expectVisible(_ text: String, _ lines: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        let invisible = text.unicodeScalars.filter { $0 != "\n" && $0.isInvisibleOrControl }
        #expect(invisible.isEmpty, "\(text.debugDescription)", sourceLocation: sourceLocation)
        #expect(text.count { $0 == "\n" } == lines, "\(text.debugDescription)", sourceLocation: sourceLocation)
        #expect(text.contains(Self.shown), "\(text.debugDescription)", sourceLocation: sourceLocation)
    }

    @Test(
        "Controls and marks of direction are shown by their numbers, and other text stays",
        arguments: [
            ("plain \\ é 日本 👩‍👩‍👧 \u{FFFD}", "plain \\ é 日本 👩‍👩‍👧 \u{FFFD}"), ("\0\u{1B}\n\t", #"\u{0}\u{1B}\u{A}\u{9}"#),
            ("\r\n", #"\u{D}\u{A}"#), ("\u{7F}\u{80}\u{9F}\u{A0}", "\\u{7F}\\u{80}\\u{9F}\u{A0}"),
            ("\u{61C}\u{200E}\u{200F}", #"\u{61C}\u{200E}\u{200F}"#),
            ("\u{202A}\u{202E}\u{2066}\u{2069}", #"\u{202A}\u{202E}\u{2066}\u{2069}"#),
            ("e\u{301}\u{1B}", "e\u{301}\\u{1B}"),
        ])
    func visible(_ text: String, _ expected: String) {
        #expect(text.escapingInvisibleScalars == expected)
        #expect(text.escapingInvisibleScalars.escapingInvisibleScalars == expected)
    }

    @Test("Names in messages of a run are shown, and are exact in the manifest")
    func run() throws {
        let workspace = try Workspace()
        try workspace.write(Data("text".utf8), "in/\(Self.hostile).jpg")
        try workspace.link("in/\(Self.hostile)", to: "..")
        let run = try workspace.prep("in", "--output", "out")
        #expect(run.status == 1)
        // The link, the file, the summary and its reason.
        expectVisible(run.errors, 4)
        #expect(try workspace.manifest().map(\.input) == ["in/\(Self.hostile).jpg"])
        let dry = try workspace.prep("in", "--output", "out", "--dry-run", "--quiet")
        #expect(try Line.all(in: dry.output).map(\.input) == ["in/\(Self.hostile).jpg"])
    }

    @Test("Names in the table of `inspect` are shown, and columns stay columns")
    func inspect() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("\(Self.hostile).png", "a.jpg")
        let run = try workspace.prep("inspect", "\(Self.hostile).png", "a.jpg")
        #expect(run.status == 0 && run.errors == "")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("    ") }
        expectVisible(run.output, run.output.split(separator: "\n").count)
        #expect(lines.count == 4)
        let columns = lines.prefix(3).map { line in
            line.range(of: line.hasPrefix("FILE") ? "FORMAT" : "jpeg").map {
                line.distance(from: line.startIndex, to: $0.lowerBound)
            }
        }
        #expect(columns[0] != nil && Set(columns).count == 1)
    }

    @Test(
        "Arguments that are repeated in messages are shown, whatever is wrong with them",
        arguments: [
            (["in", "--output", "out", "--\(hostile)"], 3), (["in", "--output", "out", "--\(hostile)=1"], 3),
            (["in", "--output", "out", "--quality", hostile], 4),
            (["in", "--output", "out", "--quality=\(hostile)"], 4),
            (["in", "--output", "out", "--progress", hostile], 4), (["inspect", "a", "--json=\(hostile)"], 3),
            (["merge", hostile], 1), (["report", hostile, "--output", "page"], 1),
            (["in", "-o", "out", "--base", hostile], 1),
        ])
    func arguments(_ arguments: [String], _ lines: Int) throws {
        let workspace = try Workspace()
        let run = try PrepProcess(arguments, in: workspace.url)
        #expect(run.status == 64 || run.status == 2)
        #expect(run.output == "")
        expectVisible(run.errors, lines)
    }

    @Test("An argument that is not UTF-8 is repeated with U+FFFD")
    func bytes() throws {
        let run = try Workspace().shell("\"$PREP\" in --output out \"$(printf -- '--\\351\\033')\"")
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: Unknown option '--\u{FFFD}\\u{1B}'\n"), "\(run.errors.debugDescription)")
    }

    @Test("Reasons and names that a plan or a manifest states are shown")
    func manifests() throws {
        let workspace = try Workspace()
        let line: [String: Any] = [
            "input": Self.hostile, "output": NSNull(), "kind": "image", "verdict": "rejected",
            "reasons": [["code": Self.hostile, "message": "m"]], "warnings": [], "format": NSNull(),
            "input_bytes": 1, "output_bytes": NSNull(), "sha256": NSNull(), "elapsed_ms": 1,
        ]
        var converted = line
        (converted["verdict"], converted["output"]) = ("converted", "a")
        var other = converted
        other["output"] = "b"
        for (name, line) in [("plan", line), ("1", converted), ("2", other)] {
            try workspace.write(try JSONSerialization.data(withJSONObject: line) + Data("\n".utf8), name)
        }
        expectVisible(try workspace.prep("run", "--plan", "plan", "--output", "out").errors, 2)
        expectVisible(try workspace.prep("merge", "1", "2", "--output", "merged").errors, 1)
    }
}
