#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A task that is repeated and measured.
protocol Workload {
    /// Performs the task once.
    ///
    /// - Returns: The number of output bytes, or 0.
    mutating func runOnce() throws -> Int
    /// Returns the last output, which is compared with those of peers.
    func lastOutput() -> Data
}

/// Serves the protocol that `Contestant` describes until standard input ends.
func serve(_ workload: consuming some Workload) throws {
    let idle = try peakMemory()
    _ = try workload.runOnce()
    reply("ready")
    while let line = readLine() {
        let words = line.split(separator: " ", maxSplits: 1)
        switch words.first {
        case "run": reply(try measure(&workload, times: words.dropFirst().first.flatMap { Int($0) } ?? 1))
        case "save":
            guard let path = words.dropFirst().first else { throw UsageError("save PATH") }
            try workload.lastOutput().write(to: URL(filePath: String(path)))
            reply(#"{"saved":true}"#)
        case "peak": reply(#"{"peak_bytes":\#(try peakMemory()),"idle_bytes":\#(idle)}"#)
        default: throw UsageError("unknown line: \(line)")
        }
    }
}

private func measure(_ workload: inout some Workload, times: Int) throws -> String {
    let clock = ContinuousClock()
    let (start, cpu) = (clock.now, processorNanoseconds())
    var bytes = 0
    for _ in 0..<times { bytes = try workload.runOnce() }
    let (used, passed) = (processorNanoseconds() - cpu, clock.now - start)
    let wall = passed.components.seconds * 1_000_000_000 + passed.components.attoseconds / 1_000_000_000
    return #"{"cpu_ns":\#(used),"wall_ns":\#(wall),"bytes":\#(bytes)}"#
}
