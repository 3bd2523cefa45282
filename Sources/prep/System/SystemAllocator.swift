#if canImport(Glibc)
    internal import CLibC
#endif

/// Configures the C library's allocator.
enum SystemAllocator {
    /// The freed memory that a process retains in which two images are prepared at a time, in bytes. What does not fit
    /// is mapped anew for each image.
    static let pipelineByteCount = 32 << 20
    /// The freed memory that a process retains in which one image is decoded at a time, in bytes.
    static let workerByteCount = 16 << 20

    /// Limits the freed memory that glibc retains. Call this before the first thread is started.
    ///
    /// By default, glibc keeps one heap per thread and returns only the end of each to the system. For 60 images, 91
    /// MiB were then resident with eight jobs. With a single heap it is 59 MiB.
    static func limitRetainedMemory(toByteCount count: Int) {
        #if canImport(Glibc)
            mallopt(M_ARENA_MAX, 1)
            mallopt(M_TOP_PAD, Int32(count))
            mallopt(M_MMAP_THRESHOLD, 128 << 10)
            mallopt(M_TRIM_THRESHOLD, 128 << 10)
        #endif
    }
}
