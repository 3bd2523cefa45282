#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The memory that this process may use: the machine's, or less if a control group limits it.
enum AvailableMemory {
    /// The available memory, in bytes.
    static var byteCount: Int {
        let machine = Int(clamping: ProcessInfo.processInfo.physicalMemory)
        return min(machine, cgroupMemoryLimit() ?? machine)
    }

    /// Returns the smallest limit, in bytes, of this process's control group and its ancestors.
    private static func cgroupMemoryLimit() -> Int? {
        guard let membership = AvailableProcessors.readTextFile(atPath: "/proc/self/cgroup") else { return nil }
        return AvailableProcessors.cgroupPaths(in: membership, controller: "memory").compactMap { group in
            AvailableProcessors.readTextFile(atPath: "/sys/fs/cgroup\(group)/memory.max").flatMap(parseMemoryLimit(_:))
                ?? AvailableProcessors.readTextFile(atPath: "/sys/fs/cgroup/memory\(group)/memory.limit_in_bytes")
                .flatMap(parseMemoryLimit(_:))
        }.min()
    }

    /// Parses `memory.max`, or version 1's `memory.limit_in_bytes`. Returns bytes, or `nil` for "max".
    static func parseMemoryLimit(_ text: String) -> Int? {
        guard let bytes = text.split(whereSeparator: \.isWhitespace).first.flatMap({ Int($0) }), bytes > 0 else {
            return nil
        }
        return bytes
    }
}
