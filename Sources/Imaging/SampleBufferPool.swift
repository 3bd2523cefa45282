internal import Synchronization

/// Buffers of samples that pictures before have left, for those to come.
///
/// New memory is mapped page by page when it is first touched, and what an allocator gives back to the system is mapped
/// again for the next picture. In one of 4 megapixels that was turned it took 400 pages and a tenth of the time.
package final class SampleBufferPool: Sendable {
    package static let shared = SampleBufferPool()

    /// Bytes that are kept at most: the planes of a picture of 1,600 by 1,200 pixels, and the same turned, are 5.8 MB.
    private static let maxRetainedBytes = 6 << 20
    /// Buffers smaller than this are not worth the search.
    private static let minBufferBytes = 16 << 10

    /// In the order in which they came.
    private let pooledBuffers = Mutex<[ContiguousArray<UInt8>]>([])

    /// So many zeros: in the smallest of the buffers that can hold them, or a new one.
    package func makeZeroed(count: Int) -> ContiguousArray<UInt8> {
        guard count >= Self.minBufferBytes, var buffer = takeBuffer(minimumCapacity: count) else {
            return .init(repeating: 0, count: count)
        }
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: repeatElement(0, count: count))
        return buffer
    }

    /// Takes over a buffer of which its owner has no further need.
    package func recycle(_ buffer: ContiguousArray<UInt8>) {
        if buffer.capacity < Self.minBufferBytes || buffer.capacity > Self.maxRetainedBytes { return }
        pooledBuffers.withLock { kept in
            kept.append(buffer)
            while Self.totalCapacity(of: kept) > Self.maxRetainedBytes { kept.removeFirst() }
        }
    }

    /// Bytes that are kept now.
    var retainedBytes: Int { pooledBuffers.withLock { Self.totalCapacity(of: $0) } }

    private static func totalCapacity(of buffers: [ContiguousArray<UInt8>]) -> Int {
        buffers.reduce(0) { $0 + $1.capacity }
    }

    private func takeBuffer(minimumCapacity count: Int) -> ContiguousArray<UInt8>? {
        pooledBuffers.withLock { kept in
            // Not a far larger one, which a small plane would hold on to.
            let fitting = kept.indices.filter { (count...(4 * count)).contains(kept[$0].capacity) }
            return fitting.min { kept[$0].capacity < kept[$1].capacity }.map { kept.remove(at: $0) }
        }
    }
}
