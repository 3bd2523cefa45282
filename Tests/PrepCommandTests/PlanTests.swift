import Foundation
import TestSupport
import Testing

@Suite("A dry run says what would be done, and a plan is done as it says")
struct PlanTests {
    /// Two photos, a recording, a text, and two that collide; and what a dry run says of them, in `plan`.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b/c.png", "in/d.png", "in/d.png.jpg")
        try workspace.write(wave(tone(0.5)), "in/note.wav")
        try workspace.write(Data("text".utf8), "in/notes.txt")
        let run = try workspace.prep("in", "--output", "out", "--dry-run", "--manifest", "plan")
        #expect(run.status == 1)
        return workspace
    }

    /// Changes the plan by a script of sed.
    private func edit(_ workspace: Workspace, _ script: String) throws {
        #expect(try workspace.shell("sed '\(script)' plan > edited").status == 0)
    }

    @Test("A dry run makes nothing, and its manifest has a line for each input")
    func dryRun() throws {
        let workspace = try workspace()
        #expect(!workspace.exists("out"))
        let run = try workspace.prep("in", "--output", "out", "--dry-run")
        #expect(run.output.split(separator: "\n").count == 6)
        #expect(run.errors.contains("6 inputs: "))
        #expect(!workspace.exists("out"))
        let text = String(decoding: try workspace.contents("plan"), as: UTF8.self)
        #expect(text.contains(#""input":"in/a.jpg","input_bytes""#))
        #expect(text.contains(#""output":"b/c.png.jpg""#))
        #expect(text.contains(#""code":"name-collision""#))
    }

    @Test("A plan leads to what the run itself does, lines and bytes alike")
    func sameAsRun() throws {
        let workspace = try workspace()
        #expect(try workspace.prep("in", "--output", "out").status == 1)
        #expect(try workspace.prep("--plan", "plan", "--output", "planned").status == 1)
        #expect(try workspace.manifest("planned").timeless == workspace.manifest().timeless)
        for file in workspace.files(below: "out") where file != "manifest.jsonl" {
            #expect(try workspace.contents("planned/\(file)") == workspace.contents("out/\(file)"))
        }
        let again = try workspace.prep("--plan", "plan", "--output", "out")
        #expect(again.errors.contains("nothing to do"))
    }

    @Test("After a run, a dry run repeats what was done, and says that nothing is to be")
    func dryRunAfterRun() throws {
        let workspace = try workspace()
        #expect(try workspace.prep("in", "--output", "out").status == 1)
        let run = try workspace.prep("in", "--output", "out", "--dry-run")
        #expect(try Line.all(in: run.output).timeless == workspace.manifest().timeless)
    }

    @Test("A line that was removed is not done; an output that was renamed has its new name")
    func edited() throws {
        let workspace = try workspace()
        try edit(workspace, #"/note.wav/d; s,"output":"b/c.png.jpg","output":"other/name.jpg","#)
        #expect(try workspace.prep("--plan", "edited", "--output", "out").status == 1)
        #expect(workspace.files(below: "out") == ["a.jpg", "d.png.jpg", "manifest.jsonl", "other/name.jpg"])
        #expect(try workspace.manifest().outputs["in/b/c.png"] == "other/name.jpg")
        #expect(try workspace.manifest().count == 5)
    }

    @Test(
        "One that leaves the output directory, or gives two inputs one output, is refused before anything is done",
        arguments: ["../x.jpg", "/x.jpg", "b/../../x.jpg", "", "a.jpg", "A.JPG"])
    func refused(_ output: String) throws {
        let workspace = try workspace()
        try edit(workspace, #"s,"output":"b/c.png.jpg","output":"\#(output)","#)
        let run = try workspace.prep("--plan", "edited", "--output", "out")
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("prep: the plan gives "))
        #expect(!workspace.exists("out"))
    }

    @Test("An output with a name of the run's own is rejected")
    func reserved() throws {
        let workspace = try workspace()
        try edit(workspace, #"s,"output":"a.jpg","output":".prep/ledger.sqlite","#)
        #expect(try workspace.prep("--plan", "edited", "--output", "out").status == 1)
        #expect(try workspace.manifest().outcomes["in/a.jpg"] == "rejected reserved-name")
    }

    @Test("An input that has other bytes than when it was planned is rejected; one that is gone has failed")
    func changedSince() throws {
        let workspace = try workspace()
        try workspace.shell("echo more >> in/a.jpg; rm in/note.wav")
        #expect(try workspace.prep("--plan", "plan", "--output", "out").status == 1)
        let outcomes = try workspace.manifest().outcomes
        #expect(outcomes["in/a.jpg"] == "rejected changed-since-plan")
        #expect(outcomes["in/note.wav"] == "failed unreadable")
        #expect(outcomes["in/b/c.png"] == "converted")
    }

    @Test("What is no manifest is no plan")
    func noPlan() throws {
        let workspace = try workspace()
        try workspace.write(Data("{}\n".utf8), "edited")
        let run = try workspace.prep("--plan", "edited", "--output", "out")
        #expect(run.status == 2)
        #expect(run.errors == "prep: line 1 of edited is not a manifest's\n")
    }
}
