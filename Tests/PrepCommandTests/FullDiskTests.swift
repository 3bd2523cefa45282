#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @Suite(
        "A disk that is full or can't be written to",
        .enabled(if: SmallMountedFileSystem.isPossible, "a small file system must be mounted, which takes root"))
    struct FullDiskTests {
        /// The size in kilobytes.
        private static let size = 2000

        private let workspace: TestWorkspace
        private let disk: SmallMountedFileSystem

        /// 200 images, and the output of a complete run in `whole`. Each output takes 4 KB on the disk.
        init() throws {
            workspace = try TestWorkspace()
            for number in 0..<200 { try workspace.writeSmallImage(at: "in/\(number).jpg") }
            _ = try workspace.runPrep("in", "--output", "whole", "--quality", "90")
            disk = try SmallMountedFileSystem(in: workspace, kilobytes: Self.size)
        }

        /// Uses all space but the given amount.
        private func fillDisk(leaving kilobytes: Int) throws {
            try workspace.runShellScript("head -c \(Self.size - kilobytes)k /dev/zero > disk/filler")
        }

        private func freeDiskSpace() throws {
            try? FileManager.default.removeItem(at: workspace.fileURL(at: "disk/filler"))
            try disk.resize(kilobytes: 20_000)
        }

        /// The files in `disk/out` without the run's own files.
        private var outputs: [String] {
            workspace.filePaths(below: "disk/out").filter { !$0.hasPrefix(".prep/") && $0 != "manifest.jsonl" }
        }

        private func expectCompleteOutputs() throws {
            for file in outputs {
                #expect(
                    try workspace.contents(ofFileAt: "disk/out/\(file)")
                        == workspace.contents(ofFileAt: "whole/\(file)"))
            }
        }

        private func expectRunCompletesAfterFreeingSpace() throws {
            let run = try workspace.runPrep("in", "--output", "disk/out", "--quality", "90")
            #expect(run.exitStatus == 0)
            #expect(
                try workspace.manifestLines(inOutput: "disk/out").withoutElapsedTimes
                    == workspace.manifestLines(inOutput: "whole").withoutElapsedTimes)
            #expect(workspace.filePaths(below: "disk/out") == workspace.filePaths(below: "whole"))
            try expectCompleteOutputs()
        }

        @Test(
            "On a full disk the run ends with an error and keeps its outputs; a run with more space completes it")
        func fullDiskDuringRunKeepsFinishedOutputsAndResumes() throws {
            try fillDisk(leaving: 800)
            let run = try workspace.runPrep("in", "--output", "disk/out", "--quality", "90")
            #expect(run.exitStatus == 2)
            #expect(run.standardError.contains(#/prep: .*(No space left on device|there is no room for it)/#))
            #expect(run.standardError.contains(" before the run stopped: "))
            #expect(!workspace.fileExists(at: "disk/out/.prep/tmp"))
            #expect((1..<200).contains(outputs.count))
            try expectCompleteOutputs()
            try freeDiskSpace()
            try expectRunCompletesAfterFreeingSpace()
        }

        @Test("Full from the beginning: nothing is prepared, and nothing remains but perhaps an empty ledger")
        func fullDiskAtStartLeavesNothing() throws {
            try fillDisk(leaving: 0)
            let run = try workspace.runPrep("in", "--output", "disk/out", "--quality", "90")
            #expect(run.exitStatus == 2)
            #expect(run.standardError.contains(#/prep: .*(No space left on device|there is no room for it)/#))
            #expect(outputs == [])
            #expect(!workspace.fileExists(at: "disk/out/.prep/tmp"))
            try freeDiskSpace()
            try expectRunCompletesAfterFreeingSpace()
        }

        @Test(
            "A lack of space for only the ledger, or only the manifest, also ends the run",
            arguments: ["--state", "--manifest"])
        func fullDiskForLedgerOrManifestEndsRun(_ option: String) throws {
            try fillDisk(leaving: option == "--state" ? 24 : 12)
            let arguments = ["in", "--output", "out", "--quality", "90", option, "disk/file"]
            let run = try PrepProcess(arguments: arguments, in: workspace.url)
            #expect(run.exitStatus == 2)
            #expect(run.standardError.contains("disk/file"))
            #expect(run.standardError.contains(#/prep: .*(No space left on device|there is no room for it)/#))
            for file in workspace.filePaths(below: "out") where file != "manifest.jsonl" {
                #expect(
                    try workspace.contents(ofFileAt: "out/\(file)") == workspace.contents(ofFileAt: "whole/\(file)"))
            }
            try freeDiskSpace()
            #expect(try PrepProcess(arguments: arguments, in: workspace.url).exitStatus == 0)
            let manifest = option == "--state" ? "out/manifest.jsonl" : "disk/file"
            #expect(
                try workspace.manifestLines(at: manifest).withoutElapsedTimes
                    == workspace.manifestLines(inOutput: "whole").withoutElapsedTimes)
        }

        @Test("A partially written manifest has no duplicate lines, and only its last line may be incomplete")
        func manifestOnFullDiskHasNoDuplicateOrInnerTruncatedLine() throws {
            try fillDisk(leaving: 12)
            let run = try workspace.runPrep("in", "--output", "out", "--manifest", "disk/lines")
            #expect(run.exitStatus == 2)
            let text = String(decoding: try workspace.contents(ofFileAt: "disk/lines"), as: UTF8.self)
            let end = text.lastIndex(of: "\n").map { text[...$0] } ?? ""
            let lines = try ManifestLineFixture.parseManifest(String(end))
            #expect(Set(lines.map(\.input)).count == lines.count)
            #expect(!text.isEmpty)
        }
    }
#endif
