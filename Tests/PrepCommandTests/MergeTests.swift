import Foundation
import TestSupport
import Testing

@Suite("The manifests of parts become that of the whole")
struct MergeTests {
    @Test("Parts of a batch in which names collide are, merged, what one run is", arguments: [1, 3, 7])
    func parts(_ count: Int) throws {
        let workspace = try Workspace()
        for number in 0..<12 {
            try workspace.writePhotos("in/\(number).png", "in/\(number).png.jpg", "in/sub/\(number).jpg")
        }
        try workspace.write(Data("text".utf8), "in/notes.txt")
        #expect(try workspace.prep("in", "--output", "whole").status == 1)
        for part in 1...count { _ = try workspace.prep("in", "--output", "out", "--shard", "\(part)/\(count)") }
        let names = (1...count).map { "out/manifest-\($0)-of-\(count).jsonl" }
        let run = try PrepProcess(["merge", "--output", "merged"] + names, in: workspace.url)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(try workspace.lines("merged").timeless == workspace.manifest("whole").timeless)
        #expect(try workspace.lines("merged").count == 37)
        for file in workspace.files(below: "whole") where file != "manifest.jsonl" {
            #expect(try workspace.contents("out/\(file)") == workspace.contents("whole/\(file)"))
        }
    }

    /// A manifest of two photos, at `out/manifest.jsonl`.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b.jpg")
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        return workspace
    }

    @Test("A torn last line is left out; a line that another manifest repeats comes once")
    func tornAndRepeated() throws {
        let workspace = try workspace()
        try workspace.shell("(cat out/manifest.jsonl; printf '{\"input\":\"in/c') > torn")
        let run = try workspace.prep("merge", "torn", "out/manifest.jsonl", "torn")
        #expect(run.status == 0)
        #expect(try Line.all(in: run.output) == workspace.manifest())
    }

    @Test("A line that is none, before the last, ends it")
    func damaged() throws {
        let workspace = try workspace()
        try workspace.shell("(echo '{\"input\":1}'; cat out/manifest.jsonl) > damaged")
        let run = try workspace.prep("merge", "damaged", "--output", "merged")
        #expect(run.status == 2)
        #expect(run.errors == "prep: line 1 of damaged is not a manifest's\n")
        #expect(!workspace.exists("merged"))
    }

    @Test("What was prepared counts more than what failed")
    func retried() throws {
        let workspace = try workspace()
        try workspace.shell("rm in/b.jpg")
        #expect(try workspace.prep("in/a.jpg", "in/b.jpg", "--output", "late", "--base", "in").status == 1)
        for order in [["late/manifest.jsonl", "out/manifest.jsonl"], ["out/manifest.jsonl", "late/manifest.jsonl"]] {
            let run = try PrepProcess(["merge"] + order, in: workspace.url)
            #expect(run.status == 0)
            #expect(try Line.all(in: run.output).outcomes == ["in/a.jpg": "converted", "in/b.jpg": "converted"])
        }
    }

    @Test("Results that contradict each other are told of")
    func contradiction() throws {
        let workspace = try workspace()
        #expect(try workspace.prep("in", "--output", "other", "--quality", "40").status == 0)
        let run = try workspace.prep("merge", "out/manifest.jsonl", "other/manifest.jsonl")
        #expect(run.status == 1)
        #expect(run.errors.contains("prep: in/a.jpg: it was prepared twice, with different results\n"))
        #expect(try Line.all(in: run.output).timeless == workspace.manifest().timeless)
    }

    @Test("Inputs of runs that knew nothing of each other, with one output, are told apart as one run would")
    func collision() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("x/a.jpg", "y/a.jpg")
        for directory in ["x", "y"] {
            _ = try workspace.prep(directory, "--output", "out", "--manifest", "\(directory).jsonl", "--no-state")
        }
        let run = try workspace.prep("merge", "y.jsonl", "x.jsonl")
        #expect(run.status == 1)
        #expect(
            try Line.all(in: run.output).outcomes == ["x/a.jpg": "converted", "y/a.jpg": "rejected name-collision"])
    }

    @Test("A link that is named is followed, and stays", arguments: [true, false])
    func linkedOutput(_ leadsSomewhere: Bool) throws {
        let workspace = try workspace()
        try workspace.write(Data(), "elsewhere/other")
        if leadsSomewhere { try workspace.write(Data("old".utf8), "elsewhere/lines") }
        try workspace.link("link", to: "elsewhere/lines")
        #expect(try workspace.prep("merge", "out/manifest.jsonl", "--output", "link").status == 0)
        let link = workspace.file("link").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "elsewhere/lines")
        #expect(
            try workspace.contents("elsewhere/lines") == Data(workspace.prep("merge", "out/manifest.jsonl").output.utf8)
        )
        #expect(try workspace.names(in: "elsewhere") == ["lines", "other"])
    }

    @Test("A device or a pipe that is named, or that a link leads to, is written to and stays")
    func specialOutput() throws {
        let workspace = try workspace()
        try workspace.shell(
            """
            mkfifo pipe; ln -s pipe link; ln -s /dev/null none
            cat pipe > copy & $PREP merge out/manifest.jsonl -o link && wait
            $PREP merge out/manifest.jsonl -o none
            """)
        #expect(try workspace.contents("copy") == Data(workspace.prep("merge", "out/manifest.jsonl").output.utf8))
        #expect(try workspace.shell("test -p pipe -a -L link -a -L none -a -c /dev/null").status == 0)
    }

    @Test("A manifest that is to be merged is not written over")
    func ontoItself() throws {
        let workspace = try workspace()
        let before = try workspace.contents("out/manifest.jsonl")
        let run = try workspace.prep("merge", "out/manifest.jsonl", "--output", "out/manifest.jsonl")
        #expect(run.status == 2)
        #expect(try workspace.contents("out/manifest.jsonl") == before)
    }
}
