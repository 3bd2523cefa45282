// `unsafe`: owns memory of malloc.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Bytes in memory of `malloc`, which can become the memory of another owner without a copy.
@safe package struct AllocatedBytes: ~Copyable, Sendable {
    /// The number of bytes.
    package let count: Int
    private nonisolated(unsafe) let base: UnsafeMutableRawPointer

    /// Takes over `count` bytes at `base`, which were allocated by `malloc`.
    @unsafe init(takingOver base: UnsafeMutableRawPointer, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    /// Creates the bytes of all slices, one after another. Returns `nil` if the allocation fails.
    init?(concatenating slices: [ArraySlice<UInt8>]) {
        let count = slices.reduce(0) { $0 + $1.count }
        guard let base = unsafe malloc(max(count, 1)) else { return nil }
        var offset = 0
        for slice in slices {
            unsafe UnsafeMutableRawBufferPointer(start: base + offset, count: slice.count).copyBytes(from: slice)
            offset += slice.count
        }
        unsafe self.init(takingOver: base, count: count)
    }

    deinit { unsafe free(base) }

    /// Returns a copy of the bytes.
    func copy() -> [UInt8] { unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count)) }

    /// Returns the memory, which the caller must release with `free`.
    @unsafe package consuming func takeMemory() -> UnsafeMutableRawBufferPointer {
        let memory = unsafe UnsafeMutableRawBufferPointer(start: base, count: count)
        discard self
        return unsafe memory
    }
}
