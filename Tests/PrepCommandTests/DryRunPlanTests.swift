import Foundation
import TestSupport
import Testing

@Suite("A dry run prints a plan, and a plan is executed as printed")
struct DryRunPlanTests {
    /// Two images, an audio file, a text, and two files that collide; and the manifest of a dry run, in `plan`.
    private func makeWorkspaceWithPlan() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b/c.png", "in/d.png", "in/d.png.jpg")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/note.wav")
        try workspace.writeFile(Data("text".utf8), at: "in/notes.txt")
        let run = try workspace.runPrep("in", "--output", "out", "--dry-run", "--manifest", "plan")
        #expect(run.exitStatus == 1)
        return workspace
    }

    /// Changes the plan by a sed script.
    private func editPlan(in workspace: TestWorkspace, sedScript script: String) throws {
        #expect(try workspace.runShellScript("sed '\(script)' plan > edited").exitStatus == 0)
    }

    @Test("A dry run leaves the ledger of an earlier run as it is")
    func dryRunLeavesLedger() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        let ledger = try workspace.contents(ofFileAt: "out/.prep/ledger.sqlite")
        try workspace.writeSmallImage(at: "in/b.jpg")
        #expect(try workspace.runPrep("in", "--output", "out", "--dry-run").standardError.contains("1 to be prepared"))
        #expect(try workspace.contents(ofFileAt: "out/.prep/ledger.sqlite") == ledger)
        #expect(try workspace.entryNames(in: "out/.prep") == ["ledger.sqlite"])
    }

    @Test("A dry run creates nothing, and its manifest has a line for each input")
    func dryRunWritesNothingAndListsEveryInput() throws {
        let workspace = try makeWorkspaceWithPlan()
        #expect(!workspace.fileExists(at: "out"))
        let run = try workspace.runPrep("in", "--output", "out", "--dry-run")
        #expect(run.standardOutput.split(separator: "\n").count == 6)
        #expect(run.standardError.contains("6 inputs: "))
        #expect(!workspace.fileExists(at: "out"))
        let text = String(decoding: try workspace.contents(ofFileAt: "plan"), as: UTF8.self)
        #expect(text.contains(#""input":"in/a.jpg","input_bytes""#))
        #expect(text.contains(#""output":"b/c.png.jpg""#))
        #expect(text.contains(#""code":"name-collision""#))
    }

    @Test("Executing a plan gives the same lines and bytes as the run itself")
    func plannedRunEqualsDirectRun() throws {
        let workspace = try makeWorkspaceWithPlan()
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 1)
        #expect(try workspace.runPrep("--plan", "plan", "--output", "planned").exitStatus == 1)
        #expect(
            try workspace.manifestLines(inOutput: "planned").withoutElapsedTimes
                == workspace.manifestLines().withoutElapsedTimes)
        for file in workspace.filePaths(below: "out") where file != "manifest.jsonl" {
            #expect(try workspace.contents(ofFileAt: "planned/\(file)") == workspace.contents(ofFileAt: "out/\(file)"))
        }
        let again = try workspace.runPrep("--plan", "plan", "--output", "out")
        #expect(again.standardError.contains("nothing to do"))
    }

    @Test("No input of a plan is lost if its last line has no end; a plan that was cut off is not executed")
    func lastLineOfPlanIsNeverIgnored() throws {
        let workspace = try makeWorkspaceWithPlan()
        let plan = try workspace.contents(ofFileAt: "plan")
        try workspace.writeFile(plan.dropLast(), at: "unterminated")
        #expect(try workspace.runPrep("--plan", "unterminated", "--output", "out").exitStatus == 1)
        #expect(try workspace.manifestLines().count == 6)
        try workspace.writeFile(plan.dropLast(2), at: "cut")
        let run = try workspace.runPrep("--plan", "cut", "--output", "cut-out")
        #expect(run.exitStatus == 2)
        #expect(run.standardError.contains("prep: the last line of cut is incomplete"))
    }

    @Test("After a run, a dry run repeats its lines, and reports nothing to do")
    func dryRunAfterRunHasNothingToDo() throws {
        let workspace = try makeWorkspaceWithPlan()
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 1)
        let run = try workspace.runPrep("in", "--output", "out", "--dry-run")
        #expect(
            try ManifestLineFixture.parseManifest(run.standardOutput).withoutElapsedTimes
                == workspace.manifestLines().withoutElapsedTimes)
    }

    @Test("An input whose line was removed is not prepared; a renamed output has its new name")
    func removedAndRenamedPlanLinesAreHonored() throws {
        let workspace = try makeWorkspaceWithPlan()
        try editPlan(in: workspace, sedScript: #"/note.wav/d; s,"output":"b/c.png.jpg","output":"other/name.jpg","#)
        #expect(try workspace.runPrep("--plan", "edited", "--output", "out").exitStatus == 1)
        #expect(workspace.filePaths(below: "out") == ["a.jpg", "d.png.jpg", "manifest.jsonl", "other/name.jpg"])
        #expect(try workspace.manifestLines().outputsByInput["in/b/c.png"] == "other/name.jpg")
        #expect(try workspace.manifestLines().count == 5)
    }

    @Test(
        "A plan with an output outside the directory, or with an output twice, is rejected before the preparation",
        arguments: ["../x.jpg", "/x.jpg", "b/../../x.jpg", "", "a.jpg", "A.JPG"])
    func planWithInvalidOutputIsRejected(_ output: String) throws {
        let workspace = try makeWorkspaceWithPlan()
        try editPlan(in: workspace, sedScript: #"s,"output":"b/c.png.jpg","output":"\#(output)","#)
        let run = try workspace.runPrep("--plan", "edited", "--output", "out")
        #expect(run.exitStatus == 2)
        #expect(run.standardError.hasPrefix("prep: the plan gives "))
        #expect(!workspace.fileExists(at: "out"))
    }

    @Test("An output with a reserved name is rejected")
    func planWithReservedOutputNameIsRejected() throws {
        let workspace = try makeWorkspaceWithPlan()
        try editPlan(in: workspace, sedScript: #"s,"output":"a.jpg","output":".prep/ledger.sqlite","#)
        #expect(try workspace.runPrep("--plan", "edited", "--output", "out").exitStatus == 1)
        #expect(try workspace.manifestLines().verdictsByInput["in/a.jpg"] == "rejected reserved-name")
    }

    @Test("An input that changed after planning is rejected; a missing one fails")
    func inputChangedSincePlanIsRejected() throws {
        let workspace = try makeWorkspaceWithPlan()
        try workspace.runShellScript("echo more >> in/a.jpg; rm in/note.wav")
        #expect(try workspace.runPrep("--plan", "plan", "--output", "out").exitStatus == 1)
        let outcomes = try workspace.manifestLines().verdictsByInput
        #expect(outcomes["in/a.jpg"] == "rejected changed-since-plan")
        #expect(outcomes["in/note.wav"] == "failed unreadable")
        #expect(outcomes["in/b/c.png"] == "converted")
    }

    @Test("An invalid manifest is an invalid plan")
    func invalidPlanIsRejected() throws {
        let workspace = try makeWorkspaceWithPlan()
        try workspace.writeFile(Data("{}\n".utf8), at: "edited")
        let run = try workspace.runPrep("--plan", "edited", "--output", "out")
        #expect(run.exitStatus == 2)
        #expect(run.standardError == "prep: line 1 of edited is not a manifest line\n")
    }
}
