import Foundation
import Testing

@testable import MediaPrep

@Suite("The processors that this process may use")
struct AvailableProcessorsTests {
    @Test("There is at least one, and no more than the process is bound to")
    func countIsBetweenOneAndAffinity() {
        #expect((1...ProcessInfo.processInfo.activeProcessorCount).contains(AvailableProcessors.count))
    }

    /// Contents of `/proc/self/cgroup`, and the groups whose quotas count.
    static let membershipCases: [(String, [String])] = [
        ("", []),
        ("0::/\n", [""]),
        ("0::/user.slice/session-1.scope\n", ["", "/user.slice", "/user.slice/session-1.scope"]),
        ("0::/../sibling\n", ["", "/..", "/../sibling"]),
        ("0::/with:colons/and spaces\n", ["", "/with:colons", "/with:colons/and spaces"]),
        ("3:memory:/a\n2:cpuset:/b\n1:name=systemd:/c\n", []),
        ("4:cpu,cpuacct:/docker/x\n3:memory:/a\n", ["", "/docker", "/docker/x"]),
        ("4:cpuacct,cpu:/x\n0::/y\n", ["", "/x", "", "/y"]),
        ("nonsense\n", []),
    ]

    @Test(
        "Groups are found with all those above them, for version 2 and for version 1's cpu", arguments: membershipCases)
    func controlGroupsAreFoundWithParents(_ membership: String, _ expected: [String]) {
        #expect(AvailableProcessors.cgroupPaths(in: membership) == expected)
    }

    /// Contents of `cpu.max`, and the whole processors that they allow.
    static let quotaCases: [(String, Int?)] = [
        ("max 100000\n", nil), ("200000 100000\n", 2), ("150000 100000\n", 2), ("100001 100000\n", 2),
        ("100000 100000\n", 1), ("50000 100000\n", 1), ("1 100000\n", 1), ("-1 100000", nil), ("-1\n 100000\n", nil),
        ("400000\n 100000\n", 4), ("0 100000", nil), ("100000 0", nil), ("100000", nil), ("", nil), ("a b", nil),
        ("1 2 3", nil),
    ]

    @Test("A quota is rounded up to whole processors; an invalid quota is ignored", arguments: quotaCases)
    func cpuQuotaIsRoundedUp(_ text: String, _ expected: Int?) {
        #expect(AvailableProcessors.parseProcessorQuota(text) == expected)
    }
}
