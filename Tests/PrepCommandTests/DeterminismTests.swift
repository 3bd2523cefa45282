import Foundation
import Imaging
import Synchronization
import TestSupport
import Testing

@Suite("The same inputs give the same results, however the work is divided")
struct DeterminismTests {
    /// Images of three kinds, a PNG, a text, and some files that are rejected.
    private func makeWorkspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b/c.jpg", "in/b/d.jpg", "in/e.png")
        try workspace.writeFile(try SmallImage.throat.get(), at: "in/throat.jpg")
        try workspace.writeFile(try SmallImage.gray.get(), at: "in/gray.jpg")
        try workspace.writeFile(
            try Data(contentsOf: SampleMedia.goodImage(named: "throat-16bit-alpha.png")), at: "in/alpha.png")
        try workspace.writeFile(
            try Data(contentsOf: SampleMedia.goodImage(named: "ear-mirrored.jpg")), at: "in/mirrored.jpg")
        try workspace.writeFile(Data("text".utf8), at: "in/notes.txt")
        try workspace.writeFile(try Data(contentsOf: SampleMedia.damagedFile(named: "text.jpg")), at: "in/text.jpg")
        return workspace
    }

    @Test("The number of jobs and the instruction set change nothing but the elapsed times")
    func jobsAndInstructionSetsDoNotChangeResults() throws {
        let workspace = try makeWorkspace()
        _ = try workspace.runPrep("in", "--output", "out", "--jobs", "1", "--max-dimension", "61")
        let expected = try workspace.manifestLines().withoutElapsedTimes
        let files = workspace.filePaths(below: "out").filter { $0 != "manifest.jsonl" }
        #expect(expected.count == 10)
        #expect(files.count == 8)

        let sets = InstructionSet.allCases.filter(\.isAvailable).map(\.rawValue)
        for (index, variant) in ([("1", nil), ("8", nil)] + sets.map { ("2", $0) }).enumerated() {
            let other = "out\(index)"
            _ = try workspace.runPrep(
                "in", "--output", other, "--jobs", variant.0, "--max-dimension", "61",
                environment: variant.1.map { ["PREP_SIMD": $0] } ?? [:])
            #expect(try workspace.manifestLines(inOutput: other).withoutElapsedTimes == expected)
            for file in files {
                #expect(
                    try workspace.contents(ofFileAt: "\(other)/\(file)") == workspace.contents(ofFileAt: "out/\(file)"))
            }
        }
    }

    @Test("Shards are disjoint, and together they give the same lines and bytes as one run", arguments: [1, 2, 5])
    func shardsAreDisjointAndComplete(_ count: Int) throws {
        let workspace = try makeWorkspace()
        _ = try workspace.runPrep("in", "--output", "out", "--max-dimension", "40")
        let expected = try workspace.manifestLines().withoutElapsedTimes
        var lines: [ManifestLineFixture] = []
        for part in 1...count {
            let run = try workspace.runPrep(
                "in", "--output", "parts", "--max-dimension", "40", "--shard", "\(part)/\(count)", "--manifest", "-")
            lines += try ManifestLineFixture.parseManifest(run.standardOutput)
        }
        #expect(lines.withoutElapsedTimes.sorted { $0.input.utf8.lexicographicallyPrecedes($1.input.utf8) } == expected)
        for file in workspace.filePaths(below: "parts") {
            #expect(try workspace.contents(ofFileAt: "parts/\(file)") == workspace.contents(ofFileAt: "out/\(file)"))
        }
    }

    @Test("The shard of an input only depends on its path below the base, on every machine")
    func shardDependsOnRelativePathAlone() throws {
        let workspace = try makeWorkspace()
        let run = try workspace.runPrep(
            "in", "--output", "out", "--shard", "2/3", "--manifest", "-", "--max-dimension", "40")
        // By FNV-1a with 64 bits over the relative path.
        let due = [
            "a.jpg", "alpha.png", "b/c.jpg", "b/d.jpg", "e.png", "gray.jpg", "mirrored.jpg", "notes.txt", "text.jpg",
            "throat.jpg",
        ]
        .filter { path in
            path.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 } % 3 == 1
        }
        #expect(try ManifestLineFixture.parseManifest(run.standardOutput).map(\.input) == due.map { "in/" + $0 })
        #expect(!due.isEmpty)
    }

    #if os(Linux)
        @Test("Four jobs over many images use few threads")
        func fourJobsUseFewThreads() throws {
            let workspace = try TestWorkspace()
            for number in 0..<300 { try workspace.writeSmallImage(at: "in/\(number).jpg") }
            let counts = Mutex([Int]())
            let run = try PrepProcess(arguments: ["in", "--output", "out", "--jobs", "4"], in: workspace.url) {
                process in
                let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
                guard status.contains("Name:\tprep\n"), let match = status.firstMatch(of: #/Threads:\t(\d+)/#) else {
                    return
                }
                counts.withLock { $0.append(Int(match.1) ?? 0) }
            }
            #expect(run.exitStatus == 0)
            let most = try #require(counts.withLock { $0.max() })
            #expect(most > 4)
            // Four jobs, one thread for commits, one for other blocking work, the main thread, and those that Dispatch
            // starts: 10 in all on two idle cores, up to 12 on busy ones. One for each image would be 300.
            #expect(most <= 32)
        }
    #endif
}
