internal import Synchronization

/// The weight tables made lately. Making those of one photo takes about as long as resizing a small one, and the planes
/// of a photo, and the photos of a directory, mostly share them.
final class WeightTableCache: Sendable {
    struct Key: Hashable {
        var mapping: AxisMapping
        var filter: ResampleFilter
        var pass: WeightTable.Pass
    }

    /// A table takes some 100 KiB at most, as the ratio is at most 64 and an output rarely above 2,000 samples; a photo
    /// needs up to four.
    private static let capacity = 64

    static let shared = WeightTableCache()

    private let tables = Mutex<[Key: WeightTable]>([:])

    /// The table for `key`, made outside the lock if it isn't there: two threads may both make it, and get the same.
    func table(for key: Key) -> WeightTable {
        if let known = tables.withLock({ $0[key] }) { return known }
        let made = WeightTable(key.mapping, filter: key.filter, pass: key.pass)
        tables.withLock {
            if $0.count >= Self.capacity { $0.removeAll() }
            $0[key] = made
        }
        return made
    }
}
