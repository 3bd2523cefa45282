import Foundation
import Imaging
import Synchronization
import TestSupport
import Testing

@Suite("The same inputs give the same results, however the work is done")
struct StabilityTests {
    /// Photos of three kinds, a PNG, a text, and some that are rejected.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b/c.jpg", "in/b/d.jpg", "in/e.png")
        try workspace.write(try SmallPhoto.throat.get(), "in/throat.jpg")
        try workspace.write(try SmallPhoto.gray.get(), "in/gray.jpg")
        try workspace.write(try Data(contentsOf: Samples.photo("throat-16bit-alpha.png")), "in/alpha.png")
        try workspace.write(try Data(contentsOf: Samples.photo("ear-mirrored.jpg")), "in/mirrored.jpg")
        try workspace.write(Data("text".utf8), "in/notes.txt")
        try workspace.write(try Data(contentsOf: Samples.damaged("text.jpg")), "in/text.jpg")
        return workspace
    }

    @Test("Jobs and instruction sets change no byte and no line but for the time taken")
    func jobsAndInstructions() throws {
        let workspace = try workspace()
        _ = try workspace.prep("in", "--output", "out", "--jobs", "1", "--max-dimension", "61")
        let expected = try workspace.manifest().timeless
        let files = workspace.files(below: "out").filter { $0 != "manifest.jsonl" }
        #expect(expected.count == 10)
        #expect(files.count == 8)

        let sets = InstructionSet.allCases.filter(\.isAvailable).map(\.rawValue)
        for (index, variant) in ([("1", nil), ("8", nil)] + sets.map { ("2", $0) }).enumerated() {
            let other = "out\(index)"
            _ = try workspace.prep(
                "in", "--output", other, "--jobs", variant.0, "--max-dimension", "61",
                environment: variant.1.map { ["PREP_SIMD": $0] } ?? [:])
            #expect(try workspace.manifest(other).timeless == expected)
            for file in files {
                #expect(try workspace.contents("\(other)/\(file)") == workspace.contents("out/\(file)"))
            }
        }
    }

    @Test("Parts of a batch are disjoint and together the whole, lines and bytes alike", arguments: [1, 2, 5])
    func shards(_ count: Int) throws {
        let workspace = try workspace()
        _ = try workspace.prep("in", "--output", "out", "--max-dimension", "40")
        let expected = try workspace.manifest().timeless
        var lines: [Line] = []
        for part in 1...count {
            let run = try workspace.prep(
                "in", "--output", "parts", "--max-dimension", "40", "--shard", "\(part)/\(count)", "--manifest", "-")
            lines += try Line.all(in: run.output)
        }
        #expect(lines.timeless.sorted { $0.input.utf8.lexicographicallyPrecedes($1.input.utf8) } == expected)
        for file in workspace.files(below: "parts") {
            #expect(try workspace.contents("parts/\(file)") == workspace.contents("out/\(file)"))
        }
    }

    @Test("Which part an input is in depends on its path below the base alone, on every machine")
    func shardIsStable() throws {
        let workspace = try workspace()
        let run = try workspace.prep(
            "in", "--output", "out", "--shard", "2/3", "--manifest", "-", "--max-dimension", "40")
        // By FNV-1a with 64 bits over the relative path.
        let due = [
            "a.jpg", "alpha.png", "b/c.jpg", "b/d.jpg", "e.png", "gray.jpg", "mirrored.jpg", "notes.txt", "text.jpg",
            "throat.jpg",
        ]
        .filter { path in
            path.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 } % 3 == 1
        }
        #expect(try Line.all(in: run.output).map(\.input) == due.map { "in/" + $0 })
        #expect(!due.isEmpty)
    }

    #if os(Linux)
        @Test("Four jobs over many photos take few threads")
        func threads() throws {
            let workspace = try Workspace()
            for number in 0..<300 { try workspace.writePhotos("in/\(number).jpg") }
            let counts = Mutex([Int]())
            let run = try PrepProcess(["in", "--output", "out", "--jobs", "4"], in: workspace.url) { process in
                let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
                guard status.contains("Name:\tprep\n"), let match = status.firstMatch(of: #/Threads:\t(\d+)/#) else {
                    return
                }
                counts.withLock { $0.append(Int(match.1) ?? 0) }
            }
            #expect(run.status == 0)
            let most = try #require(counts.withLock { $0.max() })
            #expect(most > 4)
            // Four jobs, one that commits, one before and after, the main one, and those that Dispatch starts as it sees fit: 10
            // in all on two idle cores, up to 12 on busy ones. One for each photo would be 300.
            #expect(most <= 32)
        }
    #endif
}
