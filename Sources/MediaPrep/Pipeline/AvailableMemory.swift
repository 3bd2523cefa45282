#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// How much memory this process may use: the machine's, less what a container's limit takes away.
enum AvailableMemory {
    /// In bytes.
    static var byteCount: Int {
        let machine = Int(clamping: ProcessInfo.processInfo.physicalMemory)
        return min(machine, cgroupMemoryLimit() ?? machine)
    }

    /// The smallest limit of this process's control group and those above it.
    private static func cgroupMemoryLimit() -> Int? {
        guard let membership = AvailableProcessors.readTextFile(atPath: "/proc/self/cgroup") else { return nil }
        return AvailableProcessors.cgroupPaths(in: membership, controller: "memory").compactMap { group in
            AvailableProcessors.readTextFile(atPath: "/sys/fs/cgroup\(group)/memory.max").flatMap(parseMemoryLimit(_:))
                ?? AvailableProcessors.readTextFile(atPath: "/sys/fs/cgroup/memory\(group)/memory.limit_in_bytes")
                .flatMap(parseMemoryLimit(_:))
        }.min()
    }

    /// The bytes in a limit of `memory.max`, or of version 1's `memory.limit_in_bytes`; nil for "max".
    static func parseMemoryLimit(_ text: String) -> Int? {
        guard let bytes = text.split(whereSeparator: \.isWhitespace).first.flatMap({ Int($0) }), bytes > 0 else {
            return nil
        }
        return bytes
    }
}
