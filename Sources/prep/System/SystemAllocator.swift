#if canImport(Glibc)
    internal import CLibC
#endif

/// Configures the C library's allocator.
enum SystemAllocator {
    /// Limits the freed memory that glibc retains to 16 MiB. Call this before the first thread is started.
    ///
    /// By default, glibc keeps one heap per thread and returns only the end of each to the system. For 60 images within
    /// a 128 MiB limit, 78 MiB were resident with four jobs and 102 MiB with eight. With a single heap, and larger
    /// blocks mapped individually, it is 70 and 94 MiB.
    ///
    /// Retaining nothing does not reduce this further. It makes each image touch 900 more pages for the first time,
    /// which takes a tenth of a batch's time.
    static func limitRetainedMemory() {
        #if canImport(Glibc)
            mallopt(M_ARENA_MAX, 1)
            mallopt(M_TOP_PAD, 16 << 20)
            mallopt(M_MMAP_THRESHOLD, 128 << 10)
            mallopt(M_TRIM_THRESHOLD, 128 << 10)
        #endif
    }
}
