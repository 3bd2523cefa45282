internal import ArgumentParser

/// One part of a batch that is divided among several runs.
struct Shard: ExpressibleByArgument, Equatable {
    /// The part's number, starting at 1.
    private let oneBasedIndex: UInt64
    private let shardCount: UInt64

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], number > 0, number <= count
        else { return nil }
        self.oneBasedIndex = number
        self.shardCount = count
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
