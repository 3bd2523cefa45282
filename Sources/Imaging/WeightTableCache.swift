internal import Synchronization

/// The weight tables made lately. Making those of one photo takes about as long as resizing a small one, and the planes
/// of a photo, and the photos of a directory, mostly share them.
final class WeightTableCache: Sendable {
    struct Key: Hashable {
        var mapping: AxisMapping
        var filter: ResampleFilter
        var pass: WeightTable.Pass
    }

    /// Weights that are kept: 8 MiB of them. A photo's four tables have some 100,000 together; one of a very wide picture
    /// may have a million.
    private static let capacity = 4 << 20

    static let shared = WeightTableCache()

    private struct State {
        var tables: [Key: WeightTable] = [:]
        var weights = 0
    }

    private let state = Mutex(State())

    /// The table for `key`, made outside the lock if it isn't there: two threads may both make it, and get the same.
    func table(for key: Key) -> WeightTable {
        if let known = state.withLock({ $0.tables[key] }) { return known }
        let made = WeightTable(key.mapping, filter: key.filter, pass: key.pass)
        state.withLock {
            if $0.weights + made.weights.count > Self.capacity { $0 = State() }
            if $0.tables.updateValue(made, forKey: key) == nil { $0.weights += made.weights.count }
        }
        return made
    }
}
