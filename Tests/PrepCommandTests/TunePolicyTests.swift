import Foundation
import Imaging
import MediaPrep
import TestSupport
import Testing

@Suite("prep tune-policy")
struct TunePolicyTests {
    /// Writes gray images with detail around a mean luma.
    private func writeImages(_ count: Int, mean: Int, below folder: String, to workspace: TestWorkspace) throws {
        for index in 0..<count {
            var random = SplitMix64(seed: UInt64(index))
            let png = PNGFileBuilder(size: PixelSize(width: 96, height: 64), colorType: .gray) { x, y in
                [mean + 3 * index + random.number(in: -4...4) + ((x / 16 + y / 16) % 2 == 0 ? 20 : -20)]
            }
            try workspace.writeFile(Data(png.fileBytes), at: "\(folder)/\(index).png")
        }
    }

    private func makeWorkspace(exampleCount: Int = 12) throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try writeImages(exampleCount, mean: 100, below: "good", to: workspace)
        return workspace
    }

    @Test("The policy that it writes accepts the examples and rejects others, and both are on the page")
    func writtenPolicyIsApplied() throws {
        let workspace = try makeWorkspace()
        try writeImages(3, mean: 30, below: "dark", to: workspace)
        let run = try workspace.runPrep(
            "tune-policy", "good", "--try", "dark", "--output", "policy.json", "--page", "page.html", "--action",
            "reject")
        #expect(run.exitStatus == 0 && run.standardOutput == "")
        #expect(
            run.standardError == """
                prep: the policy rejects 0 of 12 examples
                prep: the policy rejects 3 of 3 other images

                """)
        let accepted = try workspace.runPrep("good", "--output", "out", "--image-policy", "policy.json")
        #expect(accepted.exitStatus == 0)
        #expect(try workspace.runPrep("dark", "--output", "no", "--image-policy", "policy.json").exitStatus == 1)
        let reasons = try workspace.manifestLines(inOutput: "no").map { $0.reasons.map(\.code) }
        #expect(reasons.count == 3 && reasons.allSatisfy { $0.contains("too-dark") })

        let page = try ReportPageReader(try workspace.contents(ofFileAt: "page.html"))
        #expect(page.headline == "The policy accepts 12 of 15 images")
        #expect(page.rows.map(\.name) == (0..<3).map { "dark/\($0).png" } + page.rows.dropFirst(3).map(\.name))
        #expect(page.rows.prefix(3).map(\.diagnosticCodes) == reasons)
        #expect(page.rows.dropFirst(3).allSatisfy { $0.outcome == "accepted" && $0.name.hasPrefix("good/") })
        #expect(page.embeddedImages.count == 15)
        #expect(page.html.contains("<code>too-dark</code></th><td>at least ") && !page.html.contains("After: none"))
    }

    @Test("It writes the same bytes for any number of jobs, by default to standard output, with rules that warn")
    func outputIsDeterministic() throws {
        let workspace = try makeWorkspace()
        let printed = try workspace.runPrep("tune-policy", "good", "--page", "a.html", "-j", "1")
        let again = try workspace.runPrep("tune-policy", "good", "--page", "b.html", "-j", "3", "-o", "policy.json")
        #expect(printed.exitStatus == 0 && again.exitStatus == 0)
        #expect(try workspace.contents(ofFileAt: "policy.json") == Data(printed.standardOutput.utf8))
        #expect(try workspace.contents(ofFileAt: "a.html") == workspace.contents(ofFileAt: "b.html"))
        let policy = try JSONDecoder().decode(ImagePolicy.self, from: Data(printed.standardOutput.utf8))
        #expect(policy.rules[.tooDark] != nil && policy.rules.values.allSatisfy { $0.action == .warn })
    }

    @Test("Files that cannot be decoded are named, and other files in a directory are skipped")
    func undecodableFilesAreNamed() throws {
        let workspace = try makeWorkspace()
        let whole = try workspace.contents(ofFileAt: "good/0.png")
        try workspace.writeFile(whole.prefix(whole.count / 2), at: "good/cut.png")
        try workspace.writeFile(Data("notes".utf8), at: "good/notes.txt")
        try workspace.writeFile(Data(contentsOf: SampleMedia.goodAudio(named: "visit-note.wav")), at: "good/a.wav")
        // Both would have the output 1.jpg of a run.
        try workspace.writeFile(try SmallImage.ear.get(), at: "good/1.jpg")
        let run = try workspace.runPrep("tune-policy", "good", "--output", "policy.json")
        #expect(run.exitStatus == 1 && workspace.fileExists(at: "policy.json"))
        let lines = run.standardError.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("prep: good/cut.png: rejected (truncated)"))
        #expect(lines.last == "prep: the policy rejects 0 of 13 examples")
    }

    @Test("Too few examples are an error, and nothing is written")
    func tooFewExamplesAreAnError() throws {
        let workspace = try makeWorkspace(exampleCount: 9)
        let run = try workspace.runPrep("tune-policy", "good", "-o", "policy.json", "--page", "page.html")
        #expect(
            run.exitStatus == 2 && run.standardError.contains("too few examples that can be measured: 9 (at least 10"))
        #expect(!workspace.fileExists(at: "policy.json") && !workspace.fileExists(at: "page.html"))
        #expect(try workspace.runPrep("tune-policy", "missing").exitStatus == 2)
    }

    @Test(
        "An example is not replaced, and neither is the page by the policy",
        arguments: [
            ["--output", "good/0.png"], ["--page", "good/0.png"], ["--page", "dark/0.png", "--try", "dark"],
            ["--page", "page.html", "--output", "./page.html"],
        ])
    func inputsAreNotReplaced(_ options: [String]) throws {
        let workspace = try makeWorkspace()
        try writeImages(1, mean: 30, below: "dark", to: workspace)
        let paths = ["good/0.png", "dark/0.png"]
        let before = try paths.map(workspace.contents)
        let run = try PrepProcess(arguments: ["tune-policy", "good"] + options, in: workspace.url)
        #expect(run.exitStatus == 2 && run.standardError.contains("would replace"))
        #expect(try paths.map(workspace.contents) == before)
    }

    @Test(
        "Invalid usage has status 64",
        arguments: [
            [], ["good", "--max-rejected", "51"], ["good", "--max-rejected", "-1"], ["good", "--action", "delete"],
            ["good", "--jobs", "0"], ["good", "--page", "-"], ["good", "--page", "a", "--output", "a"],
        ])
    func invalidUsage(_ arguments: [String]) throws {
        let workspace = try makeWorkspace()
        #expect(try PrepProcess(arguments: ["tune-policy"] + arguments, in: workspace.url).exitStatus == 64)
        #expect(try workspace.entryNames(in: "") == ["good"])
    }
}
