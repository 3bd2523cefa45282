internal import Synchronization

/// Buffers of samples that pictures before have left, for those to come.
///
/// New memory is mapped page by page when it is first touched, and what an allocator gives back to the system is mapped again
/// for the next picture. In one of 4 megapixels that was turned it took 400 pages and a tenth of the time.
package final class SampleBuffers: Sendable {
    package static let shared = SampleBuffers()

    /// Bytes that are kept at most: the planes of a picture of 1,600 by 1,200 pixels, and the same turned, are 5.8 MB.
    private static let capacity = 6 << 20
    /// Buffers smaller than this are not worth the search.
    private static let smallest = 16 << 10

    /// In the order in which they came.
    private let kept = Mutex<[ContiguousArray<UInt8>]>([])

    /// So many zeros: in the smallest of the buffers that can hold them, or a new one.
    package func zeros(_ count: Int) -> ContiguousArray<UInt8> {
        guard count >= Self.smallest, var buffer = take(count) else { return .init(repeating: 0, count: count) }
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: repeatElement(0, count: count))
        return buffer
    }

    /// Takes over a buffer of which its owner has no further need.
    package func giveBack(_ buffer: ContiguousArray<UInt8>) {
        if buffer.capacity < Self.smallest || buffer.capacity > Self.capacity { return }
        kept.withLock { kept in
            kept.append(buffer)
            while Self.bytes(kept) > Self.capacity { kept.removeFirst() }
        }
    }

    /// Bytes that are kept now.
    var keptBytes: Int { kept.withLock { Self.bytes($0) } }

    private static func bytes(_ buffers: [ContiguousArray<UInt8>]) -> Int { buffers.reduce(0) { $0 + $1.capacity } }

    private func take(_ count: Int) -> ContiguousArray<UInt8>? {
        kept.withLock { kept in
            // Not a far larger one, which a small plane would hold on to.
            let fitting = kept.indices.filter { (count...(4 * count)).contains(kept[$0].capacity) }
            return fitting.min { kept[$0].capacity < kept[$1].capacity }.map { kept.remove(at: $0) }
        }
    }
}
