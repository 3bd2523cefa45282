import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite("Outputs are complete or missing, and inputs are not modified")
struct OutputDirectoryTests {
    @Test(
        "The output directory and its parents are created; of the run's own files only a ledger remains"
    )
    func outputDirectoryIsCreatedAndOnlyLedgerRemains() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        #expect(try workspace.runPrep("in", "--output", "new/and/deeper").exitStatus == 0)
        #expect(workspace.filePaths(below: "new") == ["and/deeper/a.jpg", "and/deeper/manifest.jsonl"])
        #expect(try workspace.entryNames(in: "new/and/deeper/.prep") == ["ledger.sqlite"])
        #expect(try workspace.runPrep("in", "--output", "other", "--no-state").exitStatus == 0)
        #expect(try workspace.entryNames(in: "other") == ["a.jpg", "manifest.jsonl"])
    }

    @Test("Inputs are not changed, and nothing is created outside the output directory")
    func inputsAreUnchanged() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b/c.jpg")
        try workspace.writeFile(Data("text".utf8), at: "in/d.jpg")
        let before = try workspace.filePaths().map { try workspace.contents(ofFileAt: $0) }
        _ = try workspace.runPrep("in", "--output", "out")
        #expect(
            workspace.filePaths() == [
                "in/a.jpg", "in/b/c.jpg", "in/d.jpg", "out/a.jpg", "out/b/c.jpg", "out/manifest.jsonl",
            ])
        #expect(try workspace.filePaths().prefix(3).map { try workspace.contents(ofFileAt: $0) } == before)
    }

    @Test("An output replaces one of an earlier run")
    func outputReplacesEarlierOutput() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(Data("old".utf8), at: "out/a.jpg")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        #expect(
            try StrictJPEGParser(parsing: workspace.contents(ofFileAt: "out/a.jpg")).leakedMetadataDescriptions == [])
    }

    @Test(
        "The input directory is rejected as the output directory, by any path",
        arguments: ["in", "in/", "./in/.", "link"])
    func inputDirectoryAsOutputIsRejected(_ output: String) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.createSymbolicLink(at: "link", to: "in")
        let before = try workspace.contents(ofFileAt: "in/a.jpg")
        let run = try workspace.runPrep("in", "--output", output)
        #expect(run.exitStatus == 2)
        #expect(run.standardError == "prep: in is the output directory: results must not be mixed with inputs\n")
        #expect(workspace.filePaths(below: "in") == ["a.jpg"])
        #expect(try workspace.contents(ofFileAt: "in/a.jpg") == before)
        #expect(!workspace.fileExists(at: "in/.prep"))
    }

    @Test("An output that would replace an input is rejected, the input is kept, and the others are prepared")
    func outputReplacingAnInputIsRejected() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b.png")
        let before = try workspace.contents(ofFileAt: "in/a.jpg")
        #expect(try workspace.runPrep("in/a.jpg", "in/b.png", "--output", "in").exitStatus == 1)
        #expect(
            try workspace.manifestLines(inOutput: "in").verdictsByInput == [
                "in/a.jpg": "rejected overwrites-input", "in/b.png": "converted",
            ])
        #expect(try workspace.contents(ofFileAt: "in/a.jpg") == before)
        #expect(workspace.filePaths(below: "in") == ["a.jpg", "b.png", "b.png.jpg", "manifest.jsonl"])
    }

    @Test("An output never replaces an input of another shard", arguments: 1...8)
    func outputReplacingInputOfOtherShardIsRejected(_ part: Int) throws {
        let workspace = try TestWorkspace()
        // The output of the first input has the path of the second, whose own output has another name.
        try workspace.writeSmallImage(at: "in/a.jpg")
        let second = try workspace.writeFile(try SmallImage.throat.get(), at: "out/in/a.jpg")
        _ = try workspace.runPrep("in", "out/in/a.jpg", "--output", "out", "--shard", "\(part)/8")
        #expect(try Data(contentsOf: second) == SmallImage.throat.get())
    }

    @Test("An output directory that can't be created ends the run", arguments: ["file", "file/below"])
    func uncreatableOutputDirectoryEndsRun(_ output: String) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(Data("text".utf8), at: "file")
        let run = try workspace.runPrep("in", "--output", output)
        #expect(run.exitStatus == 2)
        #expect(run.standardError.hasPrefix("prep: the output directory \(output) can't be written to: "))
        #expect(try workspace.contents(ofFileAt: "file") == Data("text".utf8))
    }

    @Test("An input whose output can't be written fails without leaving a file; the rest is prepared")
    func unwritableOutputFailsAndLeavesNothing() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b/c.jpg", "in/d.jpg")
        try workspace.writeFile(Data("in the way".utf8), at: "out/b")
        try FileManager.default.createDirectory(
            at: workspace.fileURL(at: "out/d.jpg/e"), withIntermediateDirectories: true)
        let run = try workspace.runPrep("in", "--output", "out")
        #expect(run.exitStatus == 1)
        let lines = try workspace.manifestLines()
        #expect(
            lines.verdictsByInput == [
                "in/a.jpg": "converted", "in/b/c.jpg": "failed unwritable", "in/d.jpg": "failed unwritable",
            ])
        #expect(lines.outputsByInput == ["in/a.jpg": "a.jpg"])
        #expect(lines.filter { $0.sha256 != nil }.count == 1)
        #expect(workspace.filePaths(below: "out") == ["a.jpg", "b", "manifest.jsonl"])
        #expect(try workspace.entryNames(in: "out/.prep") == ["ledger.sqlite"])
    }

    @Test("Temporary files of a killed run are removed by the next, whatever the shards")
    func draftsOfKilledRunAreRemovedByNextRun() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(Data("part of".utf8), at: "out/.prep/tmp/3w5e11264sgsf/1")
        #expect(try workspace.runPrep("in", "--output", "out", "--shard", "1/1").exitStatus == 0)
        #expect(workspace.filePaths(below: "out") == ["a.jpg", "manifest-1-of-1.jsonl"])
        #expect(!workspace.fileExists(at: "out/.prep/tmp"))
    }

    @Test("A run that begins or ends does not remove files of another run into the same directory")
    func concurrentRunsKeepEachOthersDrafts() throws {
        let workspace = try TestWorkspace()
        let path = FilePath(workspace.fileURL(at: "out").path)
        let first = try OutputDirectory(path: path, protecting: InputList())
        let draft = try first.writeDraft(for: "a.jpg", modificationTime: nil, inputPermissions: .ownerReadWrite) {
            write in try write(([1] as [UInt8]).span)
        }
        let second = try OutputDirectory(path: path, protecting: InputList())
        let other = try second.writeDraft(for: "b.jpg", modificationTime: nil, inputPermissions: .ownerReadWrite) {
            write in
            try write(([2] as [UInt8]).span)
        }
        second.removeTemporaryFiles()
        #expect(try second.publishDrafts([other]).keys.sorted() == [0])
        #expect(try first.publishDrafts([draft]).isEmpty)
        first.removeTemporaryFiles()
        #expect(try workspace.contents(ofFileAt: "out/a.jpg") == Data([1]))
        #expect(try workspace.entryNames(in: "out") == ["a.jpg"])
    }

    /// Options, and the file that would be lost.
    static let overwritingArguments: [([String], String)] = [
        (["in", "--manifest", "in/a.jpg"], "the manifest in/a.jpg would replace an input"),
        (["in", "--state", "in/a.jpg"], "the ledger in/a.jpg would replace an input"),
        (
            ["in", "--manifest", "out/.prep/ledger.sqlite"],
            "the manifest out/.prep/ledger.sqlite would replace the ledger"
        ),
        (["--files-from", "list", "--manifest", "./list"], "the manifest ./list would replace the list of inputs"),
        (["--files-from", "list", "--state", "list"], "the ledger list would replace the list of inputs"),
        (
            ["in", "--audio-policy", "policy", "--manifest", "policy"],
            "the manifest policy would replace the audio policy"
        ),
    ]

    @Test("Neither the manifest nor the ledger replaces an input", arguments: overwritingArguments)
    func manifestAndLedgerNeverReplaceFilesRead(_ arguments: [String], _ message: String) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(Data("in/a.jpg\n".utf8), at: "list")
        try workspace.writeFile(Data("{}".utf8), at: "policy")
        let before = try ["in/a.jpg", "list", "policy"].map { try workspace.contents(ofFileAt: $0) }
        let run = try PrepProcess(arguments: ["run"] + arguments + ["--output", "out"], in: workspace.url)
        #expect(run.exitStatus == 2)
        #expect(run.standardError == "prep: \(message)\n")
        #expect(try ["in/a.jpg", "list", "policy"].map { try workspace.contents(ofFileAt: $0) } == before)
    }

    @Test("A run that cannot begin leaves no directory for drafts")
    func rejectedRunLeavesNoDraftDirectory() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        #expect(try workspace.runPrep("in", "--output", "out", "--manifest", "in/a.jpg").exitStatus == 2)
        #expect(try workspace.entryNames(in: "out/.prep") == ["ledger.sqlite"])
    }

    @Test(
        "Outputs can have any date that their inputs have",
        arguments: [1, 0, -1, -999_999_999, -1_000_000_000, -1_500_000_000, 4_000_000_000_123_456_789])
    func outputsAcceptAnyInputDate(_ nanoseconds: Int64) throws {
        let workspace = try TestWorkspace()
        let directory = try OutputDirectory(path: FilePath(workspace.fileURL(at: "out").path), protecting: InputList())
        let draft = try directory.writeDraft(
            for: "a.jpg", modificationTime: nanoseconds, inputPermissions: .ownerReadWrite
        ) { write in
            try write(([1] as [UInt8]).span)
        }
        #expect(draft.modificationTime == nanoseconds)
        directory.removeTemporaryFiles()
    }

    @Test("A temporary output is not among the outputs until it is published, and is removed if the run ends before")
    func draftIsUnnamedUntilPublished() throws {
        let workspace = try TestWorkspace()
        let directory = try OutputDirectory(path: FilePath(workspace.fileURL(at: "out").path), protecting: InputList())
        let draft = try directory.writeDraft(
            for: "b/a.jpg", modificationTime: 1_700_000_000_123_456_789, inputPermissions: .ownerReadWrite
        ) { write in try write(([1, 2, 3] as [UInt8]).span)
        }
        #expect(draft.byteCount == 3)
        #expect(draft.modificationTime == 1_700_000_000_123_456_789)
        #expect(try workspace.entryNames(in: "out") == [".prep"])
        directory.removeTemporaryFiles()
        #expect(try workspace.entryNames(in: "out") == [])
    }
}
