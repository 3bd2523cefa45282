/// Directories that are to be searched, the one whose path comes first in byte order first.
///
/// A directory's path comes before the paths of what is in it. So directories leave in byte order, although those in a
/// directory are added only after it left.
struct DirectoryQueue {
    /// A directory that is to be searched.
    struct Directory {
        var path: [UInt8]
        /// Nil for what is not below its base.
        var relativePath: [UInt8]?
        var identity: FileIdentity
        /// Whether a link leads to it, or to a directory above it, below the root that it was found under.
        var isReachedThroughLink: Bool
        /// The place of that root among all roots. It decides between equal paths.
        var rootIndex: Int

        fileprivate func precedes(_ other: Self) -> Bool {
            if path == other.path { return rootIndex < other.rootIndex }
            return path.lexicographicallyPrecedes(other.path)
        }
    }

    /// A binary heap: a directory precedes those at twice its place and one and two more.
    private var heap: [Directory]

    /// Creates a queue of one directory, or of none.
    init(_ first: Directory? = nil) { heap = first.map { [$0] } ?? [] }

    var count: Int { heap.count }

    /// Adds a directory.
    ///
    /// - Complexity: O(log *n*) comparisons.
    mutating func insert(_ directory: Directory) {
        var place = heap.count
        heap.append(directory)
        while place > 0, heap[place].precedes(heap[(place - 1) / 2]) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes and returns the first directory, or nil if there is none.
    ///
    /// - Complexity: O(log *n*) comparisons.
    mutating func popFirst() -> Directory? {
        guard let last = heap.indices.last else { return nil }
        heap.swapAt(0, last)
        let first = heap.removeLast()
        var place = 0
        while true {
            let children = (2 * place + 1..<2 * place + 3).clamped(to: heap.indices)
            guard let child = children.min(by: { heap[$0].precedes(heap[$1]) }), heap[child].precedes(heap[place])
            else { return first }
            heap.swapAt(place, child)
            place = child
        }
    }
}
