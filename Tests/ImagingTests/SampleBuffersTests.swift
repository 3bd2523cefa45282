import Testing

@testable import Imaging

@Suite struct SampleBufferPoolTests {
    /// Bytes, before and after.
    private static let sizes = [
        (100_000, 100_000), (100_000, 40_000), (40_000, 100_000), (100, 100), (7 << 20, 7 << 20),
    ]

    @Test(arguments: sizes) func recycledBuffersReturnZeroed(before: Int, after: Int) {
        let buffers = SampleBufferPool()
        buffers.recycle(ContiguousArray<UInt8>(repeating: 255, count: before))
        #expect(buffers.makeZeroed(count: after) == ContiguousArray<UInt8>(repeating: 0, count: after))
        #expect(buffers.makeZeroed(count: after).count == after)
    }

    @Test func recyclingDoesNotChangeSharedBuffers() {
        let buffers = SampleBufferPool(), mine = ContiguousArray<UInt8>(repeating: 255, count: 50_000)
        buffers.recycle(mine)
        #expect(buffers.makeZeroed(count: 50_000).allSatisfy { $0 == 0 })
        #expect(mine.allSatisfy { $0 == 255 })
    }

    @Test("A buffer is reused for at least half as many bytes", arguments: [(60_000, true), (40_000, false)])
    func muchLargerBuffersAreNotReused(count: Int, isExpected: Bool) {
        let buffers = SampleBufferPool()
        buffers.recycle(ContiguousArray<UInt8>(repeating: 1, count: 100_000))
        #expect(buffers.makeZeroed(count: count).count == count)
        #expect((buffers.retainedBytes == 0) == isExpected)
    }

    @Test func poolKeepsNewestUpTo5MiB() {
        let buffers = SampleBufferPool()
        for _ in 0..<10 { buffers.recycle(ContiguousArray<UInt8>(repeating: 1, count: 1 << 20)) }
        #expect((4 << 20)...(5 << 20) ~= buffers.retainedBytes)
        buffers.recycle(ContiguousArray<UInt8>(repeating: 1, count: 7 << 20))
        #expect((4 << 20)...(5 << 20) ~= buffers.retainedBytes)
    }
}
