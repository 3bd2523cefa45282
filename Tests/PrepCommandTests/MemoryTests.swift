#if os(Linux)
    import Foundation
    import Imaging
    import Synchronization
    import TestSupport
    import Testing

    @Suite("Files made to take memory do not")
    struct MemoryTests {
        @Test("A PNG of a million empty chunks of image data takes as much as one of the same size in one chunk")
        func emptyChunks() throws {
            let recipe = PNGRecipe(PixelSize(width: 16, height: 16), .rgb) { x, y in [x, y, 0] }
            let empty = PNGRecipe.Chunk("IDAT", []).bytes, count = 1_000_000
            var many = Data(PNGRecipe.signature + recipe.header.bytes)
            many.reserveCapacity(empty.count * (count + 1000))
            for _ in 0..<count { many.append(contentsOf: empty) }
            many.append(contentsOf: recipe.chunks.dropFirst().flatMap(\.bytes))
            let note = PNGRecipe.Chunk("tEXt", [UInt8](repeating: 0x61, count: empty.count * count))
            let one = Data(recipe.with { $0.before = [note] }.bytes)

            // A list of the chunks, and a copy of that, would take 32 MiB.
            #expect(try peakMemory(preparing: many) < peakMemory(preparing: one) + 16 << 20)
        }

        /// The most bytes that `prep` ever has while it prepares one file.
        private func peakMemory(preparing file: Data) throws -> Int {
            let workspace = try Workspace()
            try workspace.write(file, "in.png")
            let peak = Mutex(0)
            let run = try PrepProcess(["in.png", "--output", "out", "--no-state"], in: workspace.url) { process in
                let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
                guard status.contains("Name:\tprep\n"), let match = status.firstMatch(of: #/VmHWM:\s*(\d+) kB/#) else {
                    return
                }
                peak.withLock { $0 = max($0, (Int(match.1) ?? 0) << 10) }
            }
            #expect(run.status == 0)
            return peak.withLock { $0 }
        }
    }
#endif
