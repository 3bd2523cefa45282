#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @Suite(
        "A disk that is full or can't be written to",
        .enabled(if: SmallDisk.isPossible, "a small file system must be mounted, which takes root"))
    struct FullDiskTests {
        /// Kilobytes.
        private static let size = 2000

        private let workspace: Workspace
        private let disk: SmallDisk

        /// 200 photos, and what a run makes of them, at `whole`: each takes 4 KB on the disk.
        init() throws {
            workspace = try Workspace()
            for number in 0..<200 { try workspace.writePhotos("in/\(number).jpg") }
            _ = try workspace.prep("in", "--output", "whole", "--quality", "90")
            disk = try SmallDisk(in: workspace, kilobytes: Self.size)
        }

        /// Uses all room but so much.
        private func fill(leaving kilobytes: Int) throws {
            try workspace.shell("head -c \(Self.size - kilobytes)k /dev/zero > disk/filler")
        }

        private func makeRoom() throws {
            try? FileManager.default.removeItem(at: workspace.file("disk/filler"))
            try disk.resize(kilobytes: 20_000)
        }

        /// What is at `disk/out` but for the run's own files.
        private var outputs: [String] {
            workspace.files(below: "disk/out").filter { !$0.hasPrefix(".prep/") && $0 != "manifest.jsonl" }
        }

        private func expectWholeOutputs() throws {
            for file in outputs {
                #expect(try workspace.contents("disk/out/\(file)") == workspace.contents("whole/\(file)"))
            }
        }

        private func expectCompletion() throws {
            let run = try workspace.prep("in", "--output", "disk/out", "--quality", "90")
            #expect(run.status == 0)
            #expect(try workspace.manifest("disk/out").timeless == workspace.manifest("whole").timeless)
            #expect(workspace.files(below: "disk/out") == workspace.files(below: "whole"))
            try expectWholeOutputs()
        }

        @Test(
            "Full in the middle: the run ends and says so, what was done stays, and a run with more room completes it")
        func middle() throws {
            try fill(leaving: 800)
            let run = try workspace.prep("in", "--output", "disk/out", "--quality", "90")
            #expect(run.status == 2)
            #expect(run.errors.contains(#/prep: .*(No space left on device|there is no room for it)/#))
            #expect(run.errors.contains(" before the interruption"))
            #expect(!workspace.exists("disk/out/.prep/tmp"))
            #expect((1..<200).contains(outputs.count))
            try expectWholeOutputs()
            try makeRoom()
            try expectCompletion()
        }

        @Test("Full from the beginning: nothing is done, and nothing is left but perhaps an empty ledger")
        func beginning() throws {
            try fill(leaving: 0)
            let run = try workspace.prep("in", "--output", "disk/out", "--quality", "90")
            #expect(run.status == 2)
            #expect(run.errors.contains(#/prep: .*(No space left on device|there is no room for it)/#))
            #expect(outputs == [])
            #expect(!workspace.exists("disk/out/.prep/tmp"))
            try makeRoom()
            try expectCompletion()
        }

        @Test(
            "No room for the ledger alone, or for the manifest alone, ends the run as well",
            arguments: ["--state", "--manifest"])
        func besides(_ option: String) throws {
            try fill(leaving: option == "--state" ? 24 : 12)
            let arguments = ["in", "--output", "out", "--quality", "90", option, "disk/file"]
            let run = try PrepProcess(arguments, in: workspace.url)
            #expect(run.status == 2)
            #expect(run.errors.contains("disk/file"))
            #expect(run.errors.contains(#/prep: .*(No space left on device|there is no room for it)/#))
            for file in workspace.files(below: "out") where file != "manifest.jsonl" {
                #expect(try workspace.contents("out/\(file)") == workspace.contents("whole/\(file)"))
            }
            try makeRoom()
            #expect(try PrepProcess(arguments, in: workspace.url).status == 0)
            let manifest = option == "--state" ? "out/manifest.jsonl" : "disk/file"
            #expect(try workspace.lines(manifest).timeless == workspace.manifest("whole").timeless)
        }

        @Test("A manifest that could not be written to its end holds no line twice, and none but its last is torn")
        func tornManifest() throws {
            try fill(leaving: 12)
            let run = try workspace.prep("in", "--output", "out", "--manifest", "disk/lines")
            #expect(run.status == 2)
            let text = String(decoding: try workspace.contents("disk/lines"), as: UTF8.self)
            let end = text.lastIndex(of: "\n").map { text[...$0] } ?? ""
            let lines = try Line.all(in: String(end))
            #expect(Set(lines.map(\.input)).count == lines.count)
            #expect(!text.isEmpty)
        }
    }
#endif
