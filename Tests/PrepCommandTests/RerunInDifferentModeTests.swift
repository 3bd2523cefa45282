import Foundation
import Testing

@Suite("A later run over the same inputs with other options")
struct RerunInDifferentModeTests {
    @Test("A file that is not media is skipped in a directory and rejected if named, whatever its record")
    func recordedNonMediaIsSkippedInDirectoryAndRejectedWhenNamed() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(Data("text".utf8), at: "in/note.txt")
        for _ in 0..<2 {
            #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
            #expect(try workspace.manifestLines().verdictsByInput == ["in/note.txt": "skipped unrecognized-format"])
            #expect(try workspace.runPrep("in/note.txt", "--output", "out").exitStatus == 1)
            #expect(try workspace.manifestLines().verdictsByInput == ["in/note.txt": "rejected unrecognized-format"])
        }
    }

    @Test("A plan that has an input twice is rejected: one of its outputs would not be written")
    func planWithDuplicateInputIsRejected() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        let plan = try workspace.runPrep("in", "--output", "out", "--dry-run").standardOutput
        let renamed = plan.replacing("\"output\":\"a.jpg\"", with: "\"output\":\"b.jpg\"")
        try workspace.writeFile(Data((plan + renamed).utf8), at: "plan.jsonl")
        let run = try workspace.runPrep("run", "--plan", "plan.jsonl", "--output", "out")
        #expect(run.exitStatus == 2)
        #expect(run.standardError == "prep: the plan has in/a.jpg twice\n")
    }

    @Test("A complete manifest is written to a device or through a link, and replaces neither")
    func mergedManifestIsWrittenThroughLinksAndToDevices() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        #expect(try workspace.runPrep("in", "--output", "out", "--shard", "1/1").exitStatus == 0)
        let part = "out/manifest-1-of-1.jsonl"
        #expect(
            try workspace.runPrep("merge", part, "--output", "/dev/stdout").standardOutput.utf8.elementsEqual(
                workspace.contents(ofFileAt: part)))
        try workspace.writeFile(Data(), at: "whole.jsonl")
        try workspace.createSymbolicLink(at: "link", to: "whole.jsonl")
        #expect(try workspace.runPrep("merge", part, "--output", "link").exitStatus == 0)
        #expect(try workspace.contents(ofFileAt: "whole.jsonl") == workspace.contents(ofFileAt: part))
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: workspace.fileURL(at: "link").path)
                == "whole.jsonl")
    }

    @Test("No output replaces the run's own files, wherever they are")
    func outputsNeverReplaceRunFiles() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b.jpg", "in/c.jpg")
        let run = try workspace.runPrep(
            "in", "--output", "out", "--manifest", "out/a.jpg", "--state", "out/b.jpg")
        #expect(run.exitStatus == 1)
        #expect(
            try workspace.manifestLines(at: "out/a.jpg").verdictsByInput == [
                "in/a.jpg": "rejected reserved-name", "in/b.jpg": "rejected reserved-name", "in/c.jpg": "converted",
            ])
    }

    @Test("Absolute paths in a list are below the working directory, by whatever path it was reached")
    func absoluteListPathsBelowLinkedWorkingDirectoryAreRelative() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "real/in/a.jpg")
        try workspace.createSymbolicLink(at: "link", to: "real")
        let run = try workspace.runShellScript(
            "cd link && printf '%s\\n' \"$PWD/in/a.jpg\" | $PREP run --files-from - --output ../out")
        #expect(run.exitStatus == 0)
        #expect(try workspace.manifestLines().outputsByInput.values.sorted() == ["in/a.jpg"])
    }

    @Test("Lines of a plan that need no preparation are not reported as done before")
    func completedPlanLinesAreNotCountedAsEarlierRun() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(Data("text".utf8), at: "in/a.jpg")
        try workspace.writeFile(
            Data((try workspace.runPrep("in", "--output", "out", "--dry-run").standardOutput).utf8), at: "plan")
        let run = try workspace.runPrep("run", "--plan", "plan", "--output", "out")
        #expect(run.exitStatus == 1)
        #expect(!run.standardError.contains("before"))
        #expect(try workspace.manifestLines().verdictsByInput == ["in/a.jpg": "rejected unrecognized-format"])
    }
}
