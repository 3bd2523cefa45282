import Foundation
import TestSupport
import Testing

@Suite("Merging the manifests of shards")
struct MergeTests {
    @Test("Merged shards with colliding names equal a single run", arguments: [1, 3, 7])
    func mergedShardsEqualOneRun(_ count: Int) throws {
        let workspace = try TestWorkspace()
        for number in 0..<12 {
            try workspace.writeSmallImage(at: "in/\(number).png", "in/\(number).png.jpg", "in/sub/\(number).jpg")
        }
        try workspace.writeFile(Data("text".utf8), at: "in/notes.txt")
        #expect(try workspace.runPrep("in", "--output", "whole").exitStatus == 1)
        for part in 1...count { _ = try workspace.runPrep("in", "--output", "out", "--shard", "\(part)/\(count)") }
        let names = (1...count).map { "out/manifest-\($0)-of-\(count).jsonl" }
        let run = try PrepProcess(arguments: ["merge", "--output", "merged"] + names, in: workspace.url)
        #expect(run.exitStatus == 0)
        #expect(run.standardError == "")
        #expect(
            try workspace.manifestLines(at: "merged").withoutElapsedTimes
                == workspace.manifestLines(inOutput: "whole").withoutElapsedTimes)
        #expect(try workspace.manifestLines(at: "merged").count == 37)
        for file in workspace.filePaths(below: "whole") where file != "manifest.jsonl" {
            #expect(try workspace.contents(ofFileAt: "out/\(file)") == workspace.contents(ofFileAt: "whole/\(file)"))
        }
    }

    /// A manifest of two images, `out/manifest.jsonl`.
    private func makeWorkspaceWithManifest() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b.jpg")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        return workspace
    }

    @Test("An incomplete last line is omitted; a line that is repeated in another manifest is kept once")
    func incompleteLastLineIsDroppedAndRepeatedLineMergedOnce() throws {
        let workspace = try makeWorkspaceWithManifest()
        try workspace.runShellScript("(cat out/manifest.jsonl; printf '{\"input\":\"in/c') > torn")
        let run = try workspace.runPrep("merge", "torn", "out/manifest.jsonl", "torn")
        #expect(run.exitStatus == 0)
        #expect(try ManifestLineFixture.parseManifest(run.standardOutput) == workspace.manifestLines())
    }

    @Test("Of two lines with the same file, that of the acknowledged upload is kept")
    func acknowledgedUploadIsKept() throws {
        let workspace = try makeWorkspaceWithManifest()
        let lines = try workspace.runPrep("merge", "out/manifest.jsonl").standardOutput
        func manifest(_ status: String) -> String {
            lines.replacing("}\n", with: #","upload":{"status":"\#(status)"}}"# + "\n")
        }
        let statuses = ["failed", "outcome-unknown", "acknowledged"]
        for status in statuses + ["duplicate-of"] { try workspace.writeFile(Data(manifest(status).utf8), at: status) }
        for names in [statuses, statuses.reversed()] {
            let run = try PrepProcess(arguments: ["merge"] + names, in: workspace.url)
            #expect(run.exitStatus == 0, "\(run.standardError)")
            #expect(run.standardOutput == manifest("acknowledged"))
        }
        #expect(try workspace.runPrep("merge", "failed", "duplicate-of").standardOutput == manifest("duplicate-of"))
        #expect(
            try workspace.runPrep("merge", "failed", "outcome-unknown").standardOutput == manifest("outcome-unknown"))
    }

    @Test("An invalid line before the last is an error")
    func invalidInnerLineEndsMerge() throws {
        let workspace = try makeWorkspaceWithManifest()
        try workspace.runShellScript("(echo '{\"input\":1}'; cat out/manifest.jsonl) > damaged")
        let run = try workspace.runPrep("merge", "damaged", "--output", "merged")
        #expect(run.exitStatus == 2)
        #expect(run.standardError == "prep: line 1 of damaged is not a manifest line\n")
        #expect(!workspace.fileExists(at: "merged"))
    }

    @Test("A prepared result overrides a failed one")
    func preparedResultOverridesFailure() throws {
        let workspace = try makeWorkspaceWithManifest()
        try workspace.runShellScript("rm in/b.jpg")
        #expect(try workspace.runPrep("in/a.jpg", "in/b.jpg", "--output", "late", "--base", "in").exitStatus == 1)
        for order in [["late/manifest.jsonl", "out/manifest.jsonl"], ["out/manifest.jsonl", "late/manifest.jsonl"]] {
            let run = try PrepProcess(arguments: ["merge"] + order, in: workspace.url)
            #expect(run.exitStatus == 0)
            #expect(
                try ManifestLineFixture.parseManifest(run.standardOutput).verdictsByInput == [
                    "in/a.jpg": "converted", "in/b.jpg": "converted",
                ])
        }
    }

    @Test("Contradicting results are reported")
    func contradictoryResultsAreReported() throws {
        let workspace = try makeWorkspaceWithManifest()
        #expect(try workspace.runPrep("in", "--output", "other", "--quality", "40").exitStatus == 0)
        let run = try workspace.runPrep("merge", "out/manifest.jsonl", "other/manifest.jsonl")
        #expect(run.exitStatus == 1)
        #expect(run.standardError.contains("prep: in/a.jpg: it was prepared twice, with different results\n"))
        #expect(
            try ManifestLineFixture.parseManifest(run.standardOutput).withoutElapsedTimes
                == workspace.manifestLines().withoutElapsedTimes)
    }

    @Test("Inputs of independent runs with the same output are resolved as in one run")
    func outputCollisionAcrossRunsIsResolved() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "x/a.jpg", "y/a.jpg")
        for directory in ["x", "y"] {
            _ = try workspace.runPrep(directory, "--output", "out", "--manifest", "\(directory).jsonl", "--no-state")
        }
        let run = try workspace.runPrep("merge", "y.jsonl", "x.jsonl")
        #expect(run.exitStatus == 1)
        #expect(
            try ManifestLineFixture.parseManifest(run.standardOutput).verdictsByInput == [
                "x/a.jpg": "converted", "y/a.jpg": "rejected name-collision",
            ])
    }

    @Test("A symbolic link that the user names is followed and kept", arguments: [true, false])
    func linkedOutput(_ leadsSomewhere: Bool) throws {
        let workspace = try makeWorkspaceWithManifest()
        try workspace.writeFile(Data(), at: "elsewhere/other")
        if leadsSomewhere { try workspace.writeFile(Data("old".utf8), at: "elsewhere/lines") }
        try workspace.createSymbolicLink(at: "link", to: "elsewhere/lines")
        #expect(try workspace.runPrep("merge", "out/manifest.jsonl", "--output", "link").exitStatus == 0)
        let link = workspace.fileURL(at: "link").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "elsewhere/lines")
        #expect(
            try workspace.contents(ofFileAt: "elsewhere/lines")
                == Data(workspace.runPrep("merge", "out/manifest.jsonl").standardOutput.utf8)
        )
        #expect(try workspace.entryNames(in: "elsewhere") == ["lines", "other"])
    }

    @Test("A device or a pipe that the user names, directly or through a link, is written to and kept")
    func specialOutput() throws {
        let workspace = try makeWorkspaceWithManifest()
        try workspace.runShellScript(
            """
            mkfifo pipe; ln -s pipe link; ln -s /dev/null none
            cat pipe > copy & $PREP merge out/manifest.jsonl -o link && wait
            $PREP merge out/manifest.jsonl -o none
            """)
        #expect(
            try workspace.contents(ofFileAt: "copy")
                == Data(workspace.runPrep("merge", "out/manifest.jsonl").standardOutput.utf8))
        #expect(try workspace.runShellScript("test -p pipe -a -L link -a -L none -a -c /dev/null").exitStatus == 0)
    }

    @Test("A manifest that is merged is not overwritten")
    func mergeOntoItsOwnInputIsRejected() throws {
        let workspace = try makeWorkspaceWithManifest()
        let before = try workspace.contents(ofFileAt: "out/manifest.jsonl")
        let run = try workspace.runPrep("merge", "out/manifest.jsonl", "--output", "out/manifest.jsonl")
        #expect(run.exitStatus == 2)
        #expect(try workspace.contents(ofFileAt: "out/manifest.jsonl") == before)
    }
}
