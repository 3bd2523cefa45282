import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import prep

@Suite("Outputs are whole or not there, and inputs stay as they are")
struct OutputTests {
    @Test("The output directory is made, with those above it; of the run's own files nothing stays")
    func makesDirectory() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        #expect(try workspace.prep("in", "--output", "new/and/deeper").status == 0)
        #expect(workspace.files(below: "new") == ["and/deeper/a.jpg", "and/deeper/manifest.jsonl"])
        #expect(!workspace.exists("new/and/deeper/.prep"))
    }

    @Test("Inputs are not changed, and nothing is made outside the output directory")
    func inputsStay() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b/c.jpg")
        try workspace.write(Data("text".utf8), "in/d.jpg")
        let before = try workspace.files().map { try workspace.contents($0) }
        _ = try workspace.prep("in", "--output", "out")
        #expect(
            workspace.files() == [
                "in/a.jpg", "in/b/c.jpg", "in/d.jpg", "out/a.jpg", "out/b/c.jpg", "out/manifest.jsonl",
            ])
        #expect(try workspace.files().prefix(3).map { try workspace.contents($0) } == before)
    }

    @Test("An output replaces one of an earlier run")
    func replaces() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.write(Data("old".utf8), "out/a.jpg")
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        #expect(try SegmentWalker(workspace.contents("out/a.jpg")).leaks == [])
    }

    @Test(
        "The input directory is refused as the output directory, under any name",
        arguments: ["in", "in/", "./in/.", "link"])
    func inputAsOutput(_ output: String) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.link("link", to: "in")
        let before = try workspace.contents("in/a.jpg")
        let run = try workspace.prep("in", "--output", output)
        #expect(run.status == 2)
        #expect(run.errors == "prep: in is the output directory: results must not be mixed with inputs\n")
        #expect(workspace.files(below: "in") == ["a.jpg"])
        #expect(try workspace.contents("in/a.jpg") == before)
        #expect(!workspace.exists("in/.prep"))
    }

    @Test("An output that would replace an input is rejected, the input stays, the others are prepared")
    func overwritesInput() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b.png")
        let before = try workspace.contents("in/a.jpg")
        #expect(try workspace.prep("in/a.jpg", "in/b.png", "--output", "in").status == 1)
        #expect(
            try workspace.manifest("in").outcomes == ["in/a.jpg": "rejected overwrites-input", "in/b.png": "converted"])
        #expect(try workspace.contents("in/a.jpg") == before)
        #expect(workspace.files(below: "in") == ["a.jpg", "b.png", "b.png.jpg", "manifest.jsonl"])
    }

    @Test("An output never replaces an input that another part of the batch takes", arguments: 0..<8)
    func overwritesInputOfOtherShard(_ part: Int) throws {
        let workspace = try Workspace()
        // The first's output is the second, whose own output has another name.
        try workspace.writePhotos("in/a.jpg")
        let second = try workspace.write(try SmallPhoto.throat.get(), "out/in/a.jpg")
        _ = try workspace.prep("in", "out/in/a.jpg", "--output", "out", "--shard", "\(part)/8")
        #expect(try Data(contentsOf: second) == SmallPhoto.throat.get())
    }

    @Test("An output directory that can't be made ends the run", arguments: ["file", "file/below"])
    func directoryNotMade(_ output: String) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.write(Data("text".utf8), "file")
        let run = try workspace.prep("in", "--output", output)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("prep: the output directory \(output) can't be made: "))
        #expect(try workspace.contents("file") == Data("text".utf8))
    }

    @Test("An output that can't be written has failed, and leaves nothing; the rest is done")
    func unwritable() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b/c.jpg", "in/d.jpg")
        try workspace.write(Data("in the way".utf8), "out/b")
        try FileManager.default.createDirectory(at: workspace.file("out/d.jpg/e"), withIntermediateDirectories: true)
        let run = try workspace.prep("in", "--output", "out")
        #expect(run.status == 1)
        let lines = try workspace.manifest()
        #expect(
            lines.outcomes == [
                "in/a.jpg": "converted", "in/b/c.jpg": "failed unwritable", "in/d.jpg": "failed unwritable",
            ])
        #expect(lines.outputs == ["in/a.jpg": "a.jpg"])
        #expect(lines.filter { $0.sha256 != nil }.count == 1)
        #expect(workspace.files(below: "out") == ["a.jpg", "b", "manifest.jsonl"])
        #expect(!workspace.exists("out/.prep"))
    }

    @Test("A draft that a killed run of the same process number left behind is in nobody's way")
    func draftOfKilledRun() throws {
        let workspace = try Workspace()
        let directory = try OutputDirectory(FilePath(workspace.file("out").path))
        // Containers number their processes alike, so one run's first draft may have the name of another's.
        try workspace.write(Data("part of".utf8), "out/.prep/tmp/\(ProcessInfo.processInfo.processIdentifier)-1")
        _ = try directory.write(to: "a.jpg", sparing: []) { write in try write([1, 2, 3]) }
        #expect(try workspace.contents("out/a.jpg") == Data([1, 2, 3]))
    }

    @Test("A run that ends takes nothing away from another that still writes to the same directory")
    func twoRuns() throws {
        let workspace = try Workspace()
        let path = FilePath(workspace.file("out").path)
        let first = try OutputDirectory(path), second = try OutputDirectory(path)
        _ = try first.write(to: "a.jpg", sparing: []) { write in try write([1]) }
        first.close()
        _ = try second.write(to: "b.jpg", sparing: []) { write in try write([2]) }
        second.close()
        #expect(workspace.files(below: "out") == ["a.jpg", "b.jpg"])
        #expect(!workspace.exists("out/.prep"))
    }
}
