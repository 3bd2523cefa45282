internal import Synchronization

/// A pool of sample buffers that are reused from one image to the next.
///
/// New memory is mapped page by page on first access. Memory that an allocator returns to the system must be mapped
/// again for the next image. Without the pool, a process that prepared one photo of 12 megapixels after the other had
/// 2,100 more page faults an image, which took 9% of the time.
package final class SampleBufferPool: Sendable {
    package static let shared = SampleBufferPool()

    /// The maximum size of the pool, in bytes. For a photo of 12 megapixels, the planes of 1,600 × 1,200 pixels, the
    /// ring of rows and the planes that are measured take 4.6 MB.
    private static let maxRetainedBytes = 5 << 20
    /// The minimum size of a pooled buffer, in bytes. Smaller ones are not worth the search.
    private static let minBufferBytes = 16 << 10

    private static let zeros = ContiguousArray<UInt8>(repeating: 0, count: 64 << 10)

    /// The buffers, oldest first.
    private let pooledBuffers = Mutex<[ContiguousArray<UInt8>]>([])

    /// Returns `count` zero bytes, reusing the smallest pooled buffer that fits.
    package func makeZeroed(count: Int) -> ContiguousArray<UInt8> {
        guard count >= Self.minBufferBytes, var buffer = takePooledBuffer(minimumCapacity: count) else {
            return .init(repeating: 0, count: count)
        }
        buffer.removeAll(keepingCapacity: true)
        // Arrays are copied at once, also without optimization, where an element at a time takes most of a test's time.
        while buffer.count < count { buffer.append(contentsOf: Self.zeros.prefix(count - buffer.count)) }
        return buffer
    }

    /// Adds a buffer that is no longer used to the pool. The oldest buffers are dropped above the maximum size.
    package func recycle(_ buffer: ContiguousArray<UInt8>) {
        if buffer.capacity < Self.minBufferBytes || buffer.capacity > Self.maxRetainedBytes { return }
        pooledBuffers.withLock { kept in
            kept.append(buffer)
            while Self.totalCapacity(of: kept) > Self.maxRetainedBytes { kept.removeFirst() }
        }
    }

    /// The current size of the pool, in bytes.
    var retainedBytes: Int { pooledBuffers.withLock { Self.totalCapacity(of: $0) } }

    private static func totalCapacity(of buffers: [ContiguousArray<UInt8>]) -> Int {
        buffers.reduce(0) { $0 + $1.capacity }
    }

    private func takePooledBuffer(minimumCapacity count: Int) -> ContiguousArray<UInt8>? {
        pooledBuffers.withLock { kept in
            // Not a much larger one, since a plane of chroma would keep all the memory of one of luma in use.
            let fitting = kept.indices.filter { (count...(2 * count)).contains(kept[$0].capacity) }
            return fitting.min { kept[$0].capacity < kept[$1].capacity }.map { kept.remove(at: $0) }
        }
    }
}
