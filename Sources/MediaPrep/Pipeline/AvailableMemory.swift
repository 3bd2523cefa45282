#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// How much memory this process may use: the machine's, less what a container's limit takes away.
enum AvailableMemory {
    /// In bytes.
    static var bytes: Int {
        let machine = Int(clamping: ProcessInfo.processInfo.physicalMemory)
        return min(machine, cgroupLimit() ?? machine)
    }

    /// The smallest limit of this process's control group and those above it.
    private static func cgroupLimit() -> Int? {
        guard let membership = AvailableProcessors.text(of: "/proc/self/cgroup") else { return nil }
        return AvailableProcessors.groups(in: membership, of: "memory").compactMap { group in
            AvailableProcessors.text(of: "/sys/fs/cgroup\(group)/memory.max").flatMap(limit(in:))
                ?? AvailableProcessors.text(of: "/sys/fs/cgroup/memory\(group)/memory.limit_in_bytes")
                .flatMap(limit(in:))
        }.min()
    }

    /// The bytes in a limit of `memory.max`, or of version 1's `memory.limit_in_bytes`; nil for "max".
    static func limit(in text: String) -> Int? {
        guard let bytes = text.split(whereSeparator: \.isWhitespace).first.flatMap({ Int($0) }), bytes > 0 else {
            return nil
        }
        return bytes
    }
}
