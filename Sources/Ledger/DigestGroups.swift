/// Groups of digests from any number of ledgers.
///
/// The digests of a group are those of files that were prepared from the same state of the same input with the same
/// options. A digest may be in several groups.
package struct DigestGroups: Sendable {
    /// The maximum number of digests in a group, and of other digests that belong to a digest. There are fewer versions
    /// of this program.
    static let maxDigestCount = 64

    private var groups: [[String]] = []
    /// The positions in `groups`, keyed by digest.
    private var groupIndices: [String: [Int]] = [:]

    /// Creates a value without groups.
    package init() {}

    /// Returns the other digests of all groups that `digest` is in.
    ///
    /// - Parameter digest: A SHA-256 digest in lowercase hexadecimal.
    /// - Returns: At most 64 digests other than `digest`, in ascending order.
    package func otherDigests(for digest: String) -> [String] {
        Set((groupIndices[digest] ?? []).flatMap { groups[$0] }).subtracting([digest]).sorted()
    }

    /// Inserts a group, unless it has only one digest or is already present.
    ///
    /// - Parameter group: Different digests in ascending order.
    /// - Throws: `SQLiteError` if more than 64 other digests would belong to a digest. Without that limit, a planted
    ///   ledger could fill the memory through `otherDigests(for:)`.
    mutating func insert(_ group: [String]) throws {
        guard let first = group.first, group.count > 1 else { return }
        if groupIndices[first, default: []].contains(where: { groups[$0] == group }) { return }
        groups.append(group)
        for digest in group {
            groupIndices[digest, default: []].append(groups.count - 1)
            let otherCount = groupIndices[digest, default: []].reduce(0) { $0 + groups[$1].count - 1 }
            if otherCount > Self.maxDigestCount { throw SQLiteError.corrupt }
        }
    }
}
