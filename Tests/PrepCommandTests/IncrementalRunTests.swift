import Foundation
import TestSupport
import Testing

@Suite("Inputs that an earlier run prepared are skipped, and others are prepared")
struct IncrementalRunTests {
    /// The inode and the modification time of a file.
    private struct Stamp: Equatable {
        var inode: UInt64
        var modified: Date
    }

    private func outputStamps(_ workspace: TestWorkspace) throws -> [String: Stamp] {
        let names = workspace.filePaths(below: "out").filter { $0 != "manifest.jsonl" }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let of = try FileManager.default.attributesOfItem(atPath: workspace.fileURL(at: "out/\(name)").path)
                let inode = try #require(of[.systemFileNumber] as? NSNumber).uint64Value
                return (name, Stamp(inode: inode, modified: try #require(of[.modificationDate] as? Date)))
            })
    }

    /// Two images, an audio file, a text and rejected files, prepared once.
    private func makePreparedWorkspace(_ arguments: String...) throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b/c.jpg")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/note.wav")
        try workspace.writeFile(Data("text".utf8), at: "in/notes.txt")
        try workspace.writeFile(Data("text".utf8), at: "in/text.jpg")
        #expect(try PrepProcess(arguments: ["in", "--output", "out"] + arguments, in: workspace.url).exitStatus == 1)
        return workspace
    }

    /// Runs again, and returns the outputs that were written again.
    private func outputsRewrittenByRerun(in workspace: TestWorkspace, arguments: String...) throws -> Set<String> {
        let before = try outputStamps(workspace)
        let run = try PrepProcess(arguments: ["in", "--output", "out"] + arguments, in: workspace.url)
        #expect(run.exitStatus == 1)
        let after = try outputStamps(workspace)
        return Set(after.keys.filter { after[$0] != before[$0] })
    }

    @Test("A second run reports nothing to do, and leaves outputs and manifest unchanged, byte for byte")
    func secondRunChangesNothing() throws {
        let workspace = try makePreparedWorkspace()
        let (before, manifest) = (try outputStamps(workspace), try workspace.contents(ofFileAt: "out/manifest.jsonl"))
        let run = try workspace.runPrep("in", "--output", "out")
        // Rejected inputs are still rejected.
        #expect(run.exitStatus == 1)
        #expect(run.standardError.contains("5 inputs: 2 converted, 1 accepted, 1 skipped, 1 rejected; "))
        #expect(run.standardError.contains("; nothing to do: all was done before\n"))
        #expect(!run.standardError.contains("prep: "))
        #expect(try outputStamps(workspace) == before)
        let lines = { (data: Data) in
            data.split(separator: UInt8(ascii: "\n")).map { $0.base64EncodedString() }.sorted()
        }
        #expect(try lines(workspace.contents(ofFileAt: "out/manifest.jsonl")) == lines(manifest))
    }

    @Test(
        "A changed input is prepared again, even with the same size, or with the same content and a new date",
        arguments: [
            ("echo more >> in/a.jpg", "a.jpg"),
            (#"printf '\1' | dd of=in/note.wav bs=1 seek=1000 conv=notrunc"#, "note.wav"),
            ("touch -d 2001-02-03T04:05:06 in/a.jpg", "a.jpg"),
        ])
    func changedInputIsReprocessed(_ change: String, _ output: String) throws {
        let workspace = try makePreparedWorkspace()
        try workspace.runShellScript(change)
        #expect(try outputsRewrittenByRerun(in: workspace) == [output])
        #expect(try outputsRewrittenByRerun(in: workspace) == [])
    }

    @Test(
        "An input whose output is missing or was changed is prepared again",
        arguments: [
            "rm out/a.jpg", "echo more >> out/a.jpg", "touch -d 2001-02-03T04:05:06 out/a.jpg",
        ])
    func missingOrChangedOutputIsReprocessed(_ change: String) throws {
        let workspace = try makePreparedWorkspace()
        let contents = try workspace.contents(ofFileAt: "out/a.jpg")
        try workspace.runShellScript(change)
        #expect(try outputsRewrittenByRerun(in: workspace) == ["a.jpg"])
        #expect(try workspace.contents(ofFileAt: "out/a.jpg") == contents)
    }

    @Test(
        "Other options and --force prepare everything again; so do the earlier options after that",
        arguments: [["--quality", "60"], ["--max-dimension", "50"], ["--keep-dates"], ["--force"]])
    func changedOptionsOrForceReprocessEverything(_ options: [String]) throws {
        let workspace = try makePreparedWorkspace()
        let before = try outputStamps(workspace)
        #expect(try PrepProcess(arguments: ["in", "--output", "out"] + options, in: workspace.url).exitStatus == 1)
        let after = try outputStamps(workspace)
        #expect(after.keys == before.keys)
        #expect(after.allSatisfy { $0.value.inode != before[$0.key]?.inode })
        #expect(try outputsRewrittenByRerun(in: workspace) == (options == ["--force"] ? [] : Set(after.keys)))
    }

    @Test("Results stay valid with another number of jobs or another path of the manifest")
    func jobsAndManifestPathDoNotInvalidateHistory() throws {
        let workspace = try makePreparedWorkspace()
        #expect(
            try outputsRewrittenByRerun(
                in: workspace, arguments: "--jobs", "1", "--manifest", "lines", "--quiet", "--progress", "always") == []
        )
        #expect(try workspace.manifestLines(at: "lines") == workspace.manifestLines())
    }

    @Test("New inputs are prepared, removed inputs are dropped from the manifest, and the rest stays")
    func addedAndRemovedInputsAreHandledIncrementally() throws {
        let workspace = try makePreparedWorkspace()
        try workspace.writeSmallImage(at: "in/new.jpg")
        try FileManager.default.removeItem(at: workspace.fileURL(at: "in/a.jpg"))
        #expect(try outputsRewrittenByRerun(in: workspace) == ["new.jpg"])
        #expect(
            try workspace.manifestLines().map(\.input) == [
                "in/b/c.jpg", "in/new.jpg", "in/note.wav", "in/notes.txt", "in/text.jpg",
            ])
        // An output is never removed.
        #expect(workspace.fileExists(at: "out/a.jpg"))
    }

    @Test("Copies of the inputs with the same dates are treated as unchanged only with --ignore-inode")
    func copiedInputsAreUpToDateOnlyWithIgnoreInode() throws {
        let workspace = try makePreparedWorkspace()
        try workspace.runShellScript("cp -Rp in copy && rm -r in && mv copy in")
        #expect(try outputsRewrittenByRerun(in: workspace, arguments: "--ignore-inode") == [])
        #expect(try outputsRewrittenByRerun(in: workspace) == ["a.jpg", "b/c.jpg", "note.wav"])
        try workspace.writeFile(try SmallImage.throat.get(), at: "in/a.jpg")
        #expect(try outputsRewrittenByRerun(in: workspace, arguments: "--ignore-inode") == ["a.jpg"])
    }

    @Test("With --keep-dates outputs have the dates of their inputs, and are recognized by the next run")
    func keepDatesSetsOutputDatesAndStaysUpToDate() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b.jpg")
        try workspace.runShellScript("touch -d 2001-02-03T04:05:06.789 in/a.jpg")
        #expect(try workspace.runPrep("in", "--output", "out", "--keep-dates").exitStatus == 0)
        for name in ["a.jpg", "b.jpg"] {
            let dates = try ["in", "out"].map {
                try FileManager.default.attributesOfItem(atPath: workspace.fileURL(at: "\($0)/\(name)").path)[
                    .modificationDate] as? Date
            }
            #expect(dates[0] == dates[1])
        }
        #expect(try workspace.runPrep("in", "--output", "out", "--keep-dates").standardError.contains("nothing to do"))
    }

    @Test("A manifest that is missing or has an incomplete last line is restored from the ledger")
    func truncatedOrMissingManifestIsRebuiltFromLedger() throws {
        let workspace = try makePreparedWorkspace()
        let lines = try workspace.manifestLines()
        for damage in [
            "head -c 1000 out/manifest.jsonl > torn && mv torn out/manifest.jsonl", "rm out/manifest.jsonl",
            "echo '{' > out/manifest.jsonl",
        ] {
            try workspace.runShellScript(damage)
            #expect(try outputsRewrittenByRerun(in: workspace) == [])
            #expect(try workspace.manifestLines() == lines)
        }
    }

    @Test("Without a ledger nothing is recorded, and every run prepares everything")
    func noStateKeepsNothingAndReprocessesEverything() throws {
        let workspace = try makePreparedWorkspace("--no-state")
        #expect(!workspace.fileExists(at: "out/.prep"))
        #expect(
            try outputsRewrittenByRerun(in: workspace, arguments: "--no-state") == ["a.jpg", "b/c.jpg", "note.wav"])
    }

    @Test("With a ledger elsewhere, a run uses no other record of earlier runs")
    func customStatePathIsTheOnlyHistory() throws {
        let workspace = try makePreparedWorkspace("--state", "state")
        #expect(!workspace.fileExists(at: "out/.prep"))
        #expect(try outputsRewrittenByRerun(in: workspace, arguments: "--state", "state") == [])
        #expect(
            try outputsRewrittenByRerun(in: workspace, arguments: "--state", "other") == [
                "a.jpg", "b/c.jpg", "note.wav",
            ])
    }

    @Test("A file that is not a ledger, or a damaged one, is rejected and not replaced")
    func invalidStateFileIsRejectedAndKept() throws {
        let workspace = try makePreparedWorkspace()
        try workspace.writeFile(Data(repeating: 65, count: 5000), at: "state")
        let run = try workspace.runPrep("in", "--output", "out", "--state", "state")
        #expect(run.exitStatus == 2)
        #expect(run.standardError == "prep: the ledger state: it is not a ledger of this version of the program\n")
        #expect(try workspace.contents(ofFileAt: "state") == Data(repeating: 65, count: 5000))
    }
}
