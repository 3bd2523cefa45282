#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The processors that this process may use: those of its affinity mask, or fewer if a control group has a quota.
package enum AvailableProcessors {
    /// The number of available processors, at least 1.
    package static var count: Int {
        // Foundation counts the machine's processors and ignores `taskset` and a container's cpuset.
        let affinityCount =
            readTextFile(atPath: "/proc/self/status").flatMap(allowedProcessorCount(inStatus:))
            ?? ProcessInfo.processInfo.activeProcessorCount
        return max(1, min(affinityCount, cgroupProcessorQuota() ?? affinityCount))
    }

    /// Returns the number of processors in a line of `/proc/self/status` such as `Cpus_allowed_list: 0-3,8`.
    static func allowedProcessorCount(inStatus status: String) -> Int? {
        let field = "Cpus_allowed_list:"
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field) }) else { return nil }
        let ranges = line.dropFirst(field.count).split { $0 == "," || $0.isWhitespace }
        var count = 0
        for range in ranges {
            let bounds = range.split(separator: "-").compactMap { Int($0) }
            guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
            count += last - first + 1
        }
        return count > 0 ? count : nil
    }

    /// Returns the smallest quota, in whole processors, of this process's control group and its ancestors.
    private static func cgroupProcessorQuota() -> Int? {
        guard let membership = readTextFile(atPath: "/proc/self/cgroup") else { return nil }
        return cgroupPaths(in: membership).compactMap { group in
            readTextFile(atPath: "/sys/fs/cgroup\(group)/cpu.max").flatMap(parseProcessorQuota(_:))
                ?? readTextFile(atPath: "/sys/fs/cgroup/cpu\(group)/cpu.cfs_quota_us").flatMap { quota in
                    readTextFile(atPath: "/sys/fs/cgroup/cpu\(group)/cpu.cfs_period_us")
                        .flatMap { self.parseProcessorQuota(quota + " " + $0) }
                }
        }.min()
    }

    /// Returns the control groups in `/proc/self/cgroup` and their ancestors, for version 2 and for `controller` of
    /// version 1.
    static func cgroupPaths(in membership: String, controller: String = "cpu") -> [String] {
        membership.split(separator: "\n").flatMap { line -> [String] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3,
                fields[1].isEmpty || fields[1].split(separator: ",").contains(Substring(controller))
            else {
                return []
            }
            var names = [""]
            for name in fields[2].split(separator: "/") { names.append(names[names.count - 1] + "/" + name) }
            return names
        }
    }

    /// Parses `cpu.max`, which holds a quota and a period in microseconds. Returns processors, or `nil` for "max".
    static func parseProcessorQuota(_ text: String) -> Int? {
        let fields = text.split(whereSeparator: \.isWhitespace).map { Int($0) }
        guard fields.count == 2, let allowed = fields[0], let period = fields[1], allowed > 0, period > 0 else {
            return nil
        }
        return max(1, (allowed + period - 1) / period)
    }

    static func readTextFile(atPath path: String) -> String? {
        // These files report a size of 0, so they are read to their end.
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }
}
