import Foundation
import TestSupport
import Testing

@Suite("A later run does not replace the output of an input that is not part of it")
struct OtherInputsOutputTests {
    /// An image `a/photo.jpg`, prepared into `out`, and another image `b/photo.jpg`.
    private func makePreparedWorkspace(_ arguments: String...) throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "a/photo.jpg")
        try workspace.writeFile(try SmallImage.throat.get(), at: "b/photo.jpg")
        let run = try PrepProcess(arguments: ["a/photo.jpg", "--output", "out"] + arguments, in: workspace.url)
        #expect(run.exitStatus == 0)
        return workspace
    }

    private func output(in workspace: TestWorkspace) throws -> Data {
        try workspace.contents(ofFileAt: "out/photo.jpg")
    }

    @Test(
        "The input is rejected, and the output stays, in each further run",
        arguments: [["b/photo.jpg"], ["b"], ["b/photo.jpg", "--quality", "60"]])
    func inputThatWouldReplaceOtherOutputIsRejected(_ arguments: [String]) throws {
        let workspace = try makePreparedWorkspace()
        let before = try output(in: workspace)
        for _ in 1...2 {
            let run = try PrepProcess(arguments: arguments + ["--output", "out"], in: workspace.url)
            #expect(run.exitStatus == 1)
            #expect(
                run.standardError.contains(
                    "prep: b/photo.jpg: rejected (name-collision): its output would replace photo.jpg, the output of "
                        + "a/photo.jpg from an earlier run: choose another output directory, or remove that output\n"))
            #expect(try workspace.manifestLines().verdictsByInput == ["b/photo.jpg": "rejected name-collision"])
            #expect(try output(in: workspace) == before)
        }
        let first = try workspace.runPrep("a/photo.jpg", "--output", "out")
        #expect(first.standardError.contains("nothing to do"))
    }

    @Test("The other inputs of the run are prepared, whether their paths come before or after those of earlier runs")
    func otherInputsOfRunArePrepared() throws {
        let workspace = try TestWorkspace()
        try workspace.writeDistinctImages(count: 6, in: "m")
        #expect(try workspace.runPrep("m", "--output", "out").exitStatus == 0)
        try workspace.writeFile(try SmallImage.throat.get(), at: "a/1.jpg")
        try workspace.writeFile(try SmallImage.throat.get(), at: "z/3.jpg")
        try workspace.writeSmallImage(at: "a/new.jpg", "z/other.jpg")
        let run = try workspace.runPrep(
            "a/1.jpg", "a/new.jpg", "m/2.jpg", "m/4.jpg", "z/3.jpg", "z/other.jpg", "--output", "out")
        #expect(run.exitStatus == 1)
        #expect(run.standardError.contains("6 inputs: 4 converted, 2 rejected; "))
        #expect(
            try workspace.manifestLines().verdictsByInput.filter { $0.value != "converted" } == [
                "a/1.jpg": "rejected name-collision", "z/3.jpg": "rejected name-collision",
            ])
    }

    @Test("A dry run rejects the input as well, and so does the run of a plan that names such an output")
    func dryRunAndPlanRejectInput() throws {
        let workspace = try makePreparedWorkspace()
        _ = try workspace.runPrep("b", "--output", "out", "--dry-run", "--manifest", "plan")
        #expect(try workspace.manifestLines(at: "plan").verdictsByInput == ["b/photo.jpg": "rejected name-collision"])

        _ = try workspace.runPrep("b", "--output", "other", "--dry-run", "--manifest", "plan")
        let before = try output(in: workspace)
        #expect(try workspace.runPrep("run", "--plan", "plan", "--output", "out").exitStatus == 1)
        #expect(try output(in: workspace) == before)
        try workspace.runShellScript(#"sed -i.bak 's/"output":"photo.jpg"/"output":"2.jpg"/' plan"#)
        #expect(try workspace.runPrep("run", "--plan", "plan", "--output", "out").exitStatus == 0)
        #expect(try output(in: workspace) == before)
        #expect(workspace.fileExists(at: "out/2.jpg"))
    }

    @Test("Names are compared as within a run: without case, and by the kind of media")
    func namesAreComparedAsWithinRun() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "a/Photo", "b/photo.JPG", "c/photo")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "d/photo.jpg")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "e/photo")
        try workspace.writeFile(Data("text".utf8), at: "f/photo")
        for (input, outcome) in [
            ("a/Photo", "converted"), ("b/photo.JPG", "rejected name-collision"),
            ("c/photo", "rejected name-collision"),
            ("d/photo.jpg", "rejected name-collision"), ("e/photo", "accepted"), ("f", "skipped unrecognized-format"),
        ] {
            _ = try workspace.runPrep(input, "--output", "out")
            #expect(try workspace.manifestLines().verdictsByInput.values.sorted() == [outcome], "\(input)")
        }
    }

    @Test(
        "The same file is prepared under another path, even if it was changed or moved",
        arguments: [
            ("true", "./a/photo.jpg"), ("true", "$PWD/a/photo.jpg"),
            ("ln -s ../a/photo.jpg c/photo.jpg", "c/photo.jpg"),
            ("cp b/photo.jpg a/photo.jpg", "./a/photo.jpg"), ("mv a/photo.jpg c", "c/photo.jpg"),
            ("cp -p a/photo.jpg c && rm a/photo.jpg", "c"),
        ])
    func sameFileIsPreparedUnderAnotherPath(_ change: String, _ input: String) throws {
        let workspace = try makePreparedWorkspace()
        let run = try workspace.runShellScript("mkdir c && \(change) && \"$PREP\" \(input) --output out")
        #expect(run.exitStatus == 0)
        #expect(run.standardError.contains("1 input: 1 converted"))
    }

    @Test("An output is kept although its input is gone, because the input may only be out of reach")
    func outputOfMissingInputIsKept() throws {
        let workspace = try makePreparedWorkspace()
        let before = try output(in: workspace)
        try FileManager.default.removeItem(at: workspace.fileURL(at: "a"))
        #expect(try workspace.runPrep("b", "--output", "out").exitStatus == 1)
        #expect(try output(in: workspace) == before)
    }

    @Test(
        "An output that was removed since is written; any is replaced with --force, and without its ledger",
        arguments: [
            ("rm out/photo.jpg", [String]()), ("true", ["--force"]), ("true", ["--no-state"]),
            ("true", ["--state", "other"]),
        ])
    func removedOutputIsReplaced(_ change: String, _ arguments: [String]) throws {
        let workspace = try makePreparedWorkspace()
        let before = try output(in: workspace)
        try workspace.runShellScript(change)
        #expect(try PrepProcess(arguments: ["b", "--output", "out"] + arguments, in: workspace.url).exitStatus == 0)
        #expect(try output(in: workspace) != before)
    }

    @Test(
        "An output that someone changed is kept",
        arguments: ["echo more >> out/photo.jpg", "touch -d 2001-02-03T04:05:06 out/photo.jpg"])
    func changedOutputIsKept(_ change: String) throws {
        let workspace = try makePreparedWorkspace()
        try workspace.runShellScript(change)
        let changed = try output(in: workspace)
        #expect(try workspace.runPrep("b", "--output", "out").exitStatus == 1)
        #expect(try output(in: workspace) == changed)
    }

    @Test("A file of the same size and date as another is not taken for it while that one exists")
    func fileOfSameSizeAndDateIsAnotherFile() throws {
        let workspace = try TestWorkspace()
        for (path, amplitude) in [("a/rec.wav", 0.5), ("b/rec.wav", 0.25)] {
            try workspace.writeFile(makeWAV(makeToneSamples(amplitude: amplitude)), at: path)
        }
        try workspace.runShellScript("touch -d 2020-01-01T00:00:00 a/rec.wav b/rec.wav")
        #expect(try workspace.runPrep("a/rec.wav", "--output", "out").exitStatus == 0)
        let before = try workspace.contents(ofFileAt: "out/rec.wav")
        #expect(try workspace.runPrep("b/rec.wav", "--output", "out").exitStatus == 1)
        #expect(try workspace.contents(ofFileAt: "out/rec.wav") == before)
    }

    @Test("After --force, the output belongs to the input that replaced it")
    func replacedOutputBelongsToLaterInput() throws {
        let workspace = try makePreparedWorkspace()
        #expect(try workspace.runPrep("b", "--output", "out", "--force").exitStatus == 0)
        let replaced = try output(in: workspace)
        #expect(try workspace.runPrep("a/photo.jpg", "--output", "out").exitStatus == 1)
        #expect(try output(in: workspace) == replaced)
        #expect(try workspace.runPrep("b", "--output", "out", "--quality", "60").exitStatus == 0)
        #expect(try output(in: workspace) != replaced)
    }

    @Test("With --keep-dates, a file that was prepared under two paths can be changed and prepared under each")
    func fileWithTwoRecordsStaysReplaceable() throws {
        let workspace = try makePreparedWorkspace("--keep-dates")
        try workspace.runShellScript(#"cd a && "$PREP" photo.jpg --output ../out --keep-dates"#)
        let before = try output(in: workspace)
        try workspace.runShellScript("cp b/photo.jpg new && mv new a/photo.jpg")
        let run = try workspace.runShellScript(#"cd a && "$PREP" photo.jpg --output ../out --keep-dates"#)
        #expect(run.exitStatus == 0)
        #expect(try output(in: workspace) != before)
    }

    @Test("If both inputs are part of the run, the first in byte order gets the name, as in a first run")
    func collisionWithinRunIsDecidedWithoutHistory() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "a/photo.jpg")
        try workspace.writeFile(try SmallImage.throat.get(), at: "b/photo.jpg")
        #expect(try workspace.runPrep("b/photo.jpg", "--output", "out").exitStatus == 0)
        _ = try workspace.runPrep("a/photo.jpg", "b/photo.jpg", "--output", "out")
        #expect(
            try workspace.manifestLines().verdictsByInput == [
                "a/photo.jpg": "converted", "b/photo.jpg": "rejected name-collision",
            ])
    }

    @Test("Inputs of other shards are part of the run, so one of two with the same output is prepared")
    func inputsOfOtherShardsArePartOfRun() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "a/photo.jpg")
        try workspace.writeFile(try SmallImage.throat.get(), at: "b/PHOTO.jpg")
        #expect(try workspace.runPrep("b/PHOTO.jpg", "--output", "out", "--state", "ledger").exitStatus == 0)
        var verdicts: [String: String] = [:]
        for shard in 1...5 {
            let arguments = ["a/photo.jpg", "b/PHOTO.jpg", "--output", "out", "--state", "ledger"]
            _ = try PrepProcess(arguments: arguments + ["--shard", "\(shard)/5"], in: workspace.url)
            let lines = try workspace.manifestLines(at: "out/manifest-\(shard)-of-5.jsonl").verdictsByInput
            verdicts.merge(lines) { _, later in later }
        }
        #expect(verdicts == ["a/photo.jpg": "converted", "b/PHOTO.jpg": "rejected name-collision"])
    }

    @Test("A shard keeps outputs that it wrote for inputs that are no longer part of the run")
    func shardKeepsOutputsOfEarlierRuns() throws {
        let workspace = try makePreparedWorkspace("--shard", "1/1")
        let before = try output(in: workspace)
        #expect(try workspace.runPrep("b", "--output", "out", "--shard", "1/1").exitStatus == 1)
        #expect(try output(in: workspace) == before)
    }

    @Test("A ledger that serves two output directories protects only the outputs in the directory of the run")
    func sharedLedgerProtectsOnlyOutputsOfRun() throws {
        let workspace = try makePreparedWorkspace("--state", "ledger")
        #expect(try workspace.runPrep("b", "--output", "other", "--state", "ledger").exitStatus == 0)
        #expect(try workspace.runPrep("b", "--output", "out", "--state", "ledger").exitStatus == 1)
    }
}
