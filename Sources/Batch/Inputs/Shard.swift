/// One part of a batch that is divided among several runs.
public struct Shard: Hashable, Sendable {
    /// The part's number, starting at 1.
    private let oneBasedIndex: UInt64
    private let shardCount: UInt64

    /// Creates part `index` of `count` parts, or returns `nil` if there is no such part.
    ///
    /// - Parameters:
    ///   - index: The part's number, from 1 to `count`.
    ///   - count: The number of parts.
    public init?(index: UInt64, count: UInt64) {
        guard index > 0, index <= count else { return nil }
        oneBasedIndex = index
        shardCount = count
    }

    /// Creates the part that a text such as `1/4` names, or returns `nil` if it names none.
    ///
    /// - Parameter text: The part's number from 1, a slash, and the number of parts.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1] else { return nil }
        self.init(index: index, count: count)
    }

    /// The suffix in the names of files that belong to this part: `-1-of-7`.
    var fileNameSuffix: String { "-\(oneBasedIndex)-of-\(shardCount)" }

    /// Returns whether an input belongs to this part.
    ///
    /// The part depends only on the bytes of the relative path, by their 64-bit FNV-1a hash. Therefore, every machine
    /// divides a batch in the same way.
    func contains(_ relativePath: some Sequence<UInt8>) -> Bool {
        let hash = relativePath.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return hash % shardCount == oneBasedIndex - 1
    }
}
