#if os(Linux)
    import Foundation
    import Imaging
    import Synchronization
    import TestSupport
    import Testing

    @Suite("Crafted files do not exhaust the memory")
    struct MemoryTests {
        @Test("A PNG with a million empty IDAT chunks takes as much memory as one of the same size with one chunk")
        func emptyPNGChunksDoNotIncreasePeakMemory() throws {
            let recipe = PNGFileBuilder(size: PixelSize(width: 16, height: 16), colorType: .rgb) { x, y in [x, y, 0] }
            let empty = PNGFileBuilder.Chunk(type: "IDAT", payload: []).bytes, count = 1_000_000
            var many = Data(PNGFileBuilder.signature + recipe.headerChunk.bytes)
            many.reserveCapacity(empty.count * (count + 1000))
            for _ in 0..<count { many.append(contentsOf: empty) }
            many.append(contentsOf: recipe.allChunks.dropFirst().flatMap(\.bytes))
            let note = PNGFileBuilder.Chunk(type: "tEXt", payload: [UInt8](repeating: 0x61, count: empty.count * count))
            let one = Data(recipe.modified { $0.chunksBeforeImageData = [note] }.fileBytes)

            // A list of the chunks and a copy of it would take 32 MiB.
            #expect(try peakMemoryBytes(preparing: many) < peakMemoryBytes(preparing: one) + 16 << 20)
        }

        /// The peak memory of `prep` in bytes while it prepares one file.
        private func peakMemoryBytes(preparing file: Data) throws -> Int {
            let workspace = try TestWorkspace()
            try workspace.writeFile(file, at: "in.png")
            let peak = Mutex(0)
            let run = try PrepProcess(arguments: ["in.png", "--output", "out", "--no-state"], in: workspace.url) {
                process in
                let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
                guard status.contains("Name:\tprep\n"), let match = status.firstMatch(of: #/VmHWM:\s*(\d+) kB/#) else {
                    return
                }
                peak.withLock { $0 = max($0, (Int(match.1) ?? 0) << 10) }
            }
            #expect(run.exitStatus == 0)
            return peak.withLock { $0 }
        }
    }
#endif
