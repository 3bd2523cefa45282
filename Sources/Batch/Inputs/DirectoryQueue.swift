internal import SystemSupport

/// A priority queue of directories to search, which returns the first path in byte order.
///
/// A directory's path precedes the paths of its contents. Therefore, directories are returned in byte order even though
/// the contents of a directory are added only after it was returned.
struct DirectoryQueue {
    /// A directory to search.
    struct Directory {
        var path: [UInt8]
        /// The path relative to the base directory, or `nil` if the directory is not below it.
        var relativePath: [UInt8]?
        var identity: FileIdentity
        /// Whether the path contains a symbolic link below the root through which the directory was found.
        var isReachedThroughLink: Bool
        /// The position of that root among all roots. It orders equal paths.
        var rootIndex: Int

        fileprivate func precedes(_ other: Self) -> Bool {
            if path == other.path { return rootIndex < other.rootIndex }
            return path.lexicographicallyPrecedes(other.path)
        }
    }

    /// A binary heap: the element at index *i* precedes those at 2*i* + 1 and 2*i* + 2.
    private var heap: [Directory]

    /// Creates a queue with one directory, or an empty queue.
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

    /// Removes and returns the first directory, or returns `nil` if the queue is empty.
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
