// `unsafe`: clock_gettime.

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// CPU time of this process, all its threads together.
func processorNanoseconds() -> Int64 {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { preconditionFailure("no clock") }
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The most bytes that this process ever had resident, as Linux counts them from its exec on.
///
/// `getrusage` would not do: what it says includes the parent that forked this process.
func peakMemory() throws -> Int {
    let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
        let kilobytes = line.drop { !$0.isNumber }.prefix { $0.isNumber }
        if let count = Int(kilobytes) { return count << 10 }
    }
    throw Misuse("/proc/self/status has no VmHWM")
}

/// Prints a line, which the script waits for.
func reply(_ line: String) {
    print(line)
    fflush(nil)
}
