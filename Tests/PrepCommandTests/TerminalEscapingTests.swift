import Foundation
import SystemSupport
import Testing

@testable import prep

@Suite("Names in files and arguments cannot control the terminal")
struct TerminalEscapingTests {
    /// Colors, a cleared screen, a forged line, and right-to-left text.
    private static let hostileName = "\u{1B}[2J\u{7}\nprep: all is well\r\u{7F}\u{9B}31m\u{202E}gpj.\u{2066}\u{61C}x"
    private static let escapedHostileName =
        #"\u{1B}[2J\u{7}\u{A}prep: all is well\u{D}\u{7F}\u{9B}31m\u{202E}gpj.\u{2066}\u{61C}x"#

    private func expectEscaped(_ text: String, lineCount lines: Int, sourceLocation: SourceLocation = #_sourceLocation)
    {
        let invisible = text.unicodeScalars.filter { $0 != "\n" && $0.isInvisibleOrControl }
        #expect(invisible.isEmpty, "\(text.debugDescription)", sourceLocation: sourceLocation)
        #expect(text.count { $0 == "\n" } == lines, "\(text.debugDescription)", sourceLocation: sourceLocation)
        #expect(text.contains(Self.escapedHostileName), "\(text.debugDescription)", sourceLocation: sourceLocation)
    }

    @Test(
        "Control and bidirectional characters are shown by their code points, and other text is unchanged",
        arguments: [
            ("plain \\ é 日本 👩‍👩‍👧 \u{FFFD}", "plain \\ é 日本 👩‍👩‍👧 \u{FFFD}"),
            ("\0\u{1B}\n\t", #"\u{0}\u{1B}\u{A}\u{9}"#),
            ("\r\n", #"\u{D}\u{A}"#), ("\u{7F}\u{80}\u{9F}\u{A0}", "\\u{7F}\\u{80}\\u{9F}\u{A0}"),
            ("\u{61C}\u{200E}\u{200F}", #"\u{61C}\u{200E}\u{200F}"#),
            ("\u{202A}\u{202E}\u{2066}\u{2069}", #"\u{202A}\u{202E}\u{2066}\u{2069}"#),
            ("e\u{301}\u{1B}", "e\u{301}\\u{1B}"),
        ])
    func invisibleScalarsAreEscaped(_ text: String, _ expected: String) {
        #expect(text.escapingInvisibleScalars == expected)
        #expect(text.escapingInvisibleScalars.escapingInvisibleScalars == expected)
    }

    @Test("Names in messages of a run are escaped, and exact in the manifest")
    func runMessagesEscapeNames() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(Data("text".utf8), at: "in/\(Self.hostileName).jpg")
        try workspace.createSymbolicLink(at: "in/\(Self.hostileName)", to: "..")
        let run = try workspace.runPrep("in", "--output", "out")
        #expect(run.exitStatus == 1)
        // The link, the file, the summary and the line of its reason.
        expectEscaped(run.standardError, lineCount: 4)
        #expect(try workspace.manifestLines().map(\.input) == ["in/\(Self.hostileName).jpg"])
        let dry = try workspace.runPrep("in", "--output", "out", "--dry-run", "--quiet")
        #expect(
            try ManifestLineFixture.parseManifest(dry.standardOutput).map(\.input) == ["in/\(Self.hostileName).jpg"])
    }

    @Test("Names in the table of `inspect` are escaped, and the columns stay aligned")
    func inspectTableEscapesNamesAndKeepsColumns() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "\(Self.hostileName).png", "a.jpg")
        let run = try workspace.runPrep("inspect", "\(Self.hostileName).png", "a.jpg")
        #expect(run.exitStatus == 0 && run.standardError == "")
        let lines = run.standardOutput.split(separator: "\n", omittingEmptySubsequences: false).filter {
            !$0.hasPrefix("    ")
        }
        expectEscaped(run.standardOutput, lineCount: run.standardOutput.split(separator: "\n").count)
        #expect(lines.count == 4)
        let columns = lines.prefix(3).map { line in
            line.range(of: line.hasPrefix("FILE") ? "FORMAT" : "jpeg").map {
                line.distance(from: line.startIndex, to: $0.lowerBound)
            }
        }
        #expect(columns[0] != nil && Set(columns).count == 1)
    }

    @Test(
        "Arguments in error messages are escaped, whatever is wrong with them",
        arguments: [
            (["in", "--output", "out", "--\(hostileName)"], 3), (["in", "--output", "out", "--\(hostileName)=1"], 3),
            (["in", "--output", "out", "--quality", hostileName], 4),
            (["in", "--output", "out", "--quality=\(hostileName)"], 4),
            (["in", "--output", "out", "--progress", hostileName], 4), (["inspect", "a", "--json=\(hostileName)"], 3),
            (["merge", hostileName], 1), (["report", hostileName, "--output", "page"], 1),
            (["in", "-o", "out", "--base", hostileName], 1),
        ])
    func usageMessagesEscapeArguments(_ arguments: [String], _ lines: Int) throws {
        let workspace = try TestWorkspace()
        let run = try PrepProcess(arguments: arguments, in: workspace.url)
        #expect(run.exitStatus == 64 || run.exitStatus == 2)
        #expect(run.standardOutput == "")
        expectEscaped(run.standardError, lineCount: lines)
    }

    @Test("An argument that is not UTF-8 is repeated with U+FFFD")
    func nonUTF8ArgumentIsShownWithReplacementCharacter() throws {
        let run = try TestWorkspace().runShellScript("\"$PREP\" in --output out \"$(printf -- '--\\351\\033')\"")
        #expect(run.exitStatus == 64)
        #expect(
            run.standardError.hasPrefix("Error: Unknown option '--\u{FFFD}\\u{1B}'\n"),
            "\(run.standardError.debugDescription)")
    }

    @Test("Reasons and names from a plan or a manifest are escaped")
    func textsFromPlansAndManifestsAreEscaped() throws {
        let workspace = try TestWorkspace()
        let line: [String: Any] = [
            "input": Self.hostileName, "output": NSNull(), "kind": "image", "verdict": "rejected",
            "reasons": [["code": Self.hostileName, "message": "m"]], "warnings": [], "format": NSNull(),
            "input_bytes": 1, "output_bytes": NSNull(), "sha256": NSNull(), "elapsed_ms": 1,
        ]
        var converted = line
        (converted["verdict"], converted["output"]) = ("converted", "a")
        var other = converted
        other["output"] = "b"
        for (name, line) in [("plan", line), ("1", converted), ("2", other)] {
            try workspace.writeFile(try JSONSerialization.data(withJSONObject: line) + Data("\n".utf8), at: name)
        }
        expectEscaped(try workspace.runPrep("run", "--plan", "plan", "--output", "out").standardError, lineCount: 2)
        expectEscaped(try workspace.runPrep("merge", "1", "2", "--output", "merged").standardError, lineCount: 1)
    }
}
