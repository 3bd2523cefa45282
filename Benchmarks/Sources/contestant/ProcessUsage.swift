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

/// Returns the CPU time of all threads of this process.
func processorNanoseconds() -> Int64 {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { preconditionFailure("no clock") }
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Returns the peak resident memory of this process in bytes, counted from its exec.
///
/// `getrusage` also counts the parent that forked this process.
func peakMemory() throws -> Int {
    let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
        let kilobytes = line.drop { !$0.isNumber }.prefix { $0.isNumber }
        if let count = Int(kilobytes) { return count << 10 }
    }
    throw UsageError("/proc/self/status has no VmHWM")
}

/// Prints a line and flushes it, because the script waits for it.
func reply(_ line: String) {
    print(line)
    fflush(nil)
}
