#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Work that is repeated and measured.
protocol Work {
    /// Does the work once.
    ///
    /// - Returns: The number of output bytes, or 0.
    mutating func once() throws -> Int
    /// The last output, which is compared with those of peers.
    func result() -> Data
}

/// Serves the protocol that `Contestant` describes until standard input ends.
func serve(_ work: consuming some Work) throws {
    let idle = try peakMemory()
    _ = try work.once()
    reply("ready")
    while let line = readLine() {
        let words = line.split(separator: " ", maxSplits: 1)
        switch words.first {
        case "run": reply(try measure(&work, times: words.dropFirst().first.flatMap { Int($0) } ?? 1))
        case "save":
            guard let path = words.dropFirst().first else { throw Misuse("save PATH") }
            try work.result().write(to: URL(filePath: String(path)))
            reply(#"{"saved":true}"#)
        case "peak": reply(#"{"peak_bytes":\#(try peakMemory()),"idle_bytes":\#(idle)}"#)
        default: throw Misuse("unknown line: \(line)")
        }
    }
}

private func measure(_ work: inout some Work, times: Int) throws -> String {
    let clock = ContinuousClock()
    let (start, cpu) = (clock.now, processorNanoseconds())
    var bytes = 0
    for _ in 0..<times { bytes = try work.once() }
    let (used, passed) = (processorNanoseconds() - cpu, clock.now - start)
    let wall = passed.components.seconds * 1_000_000_000 + passed.components.attoseconds / 1_000_000_000
    return #"{"cpu_ns":\#(used),"wall_ns":\#(wall),"bytes":\#(bytes)}"#
}
