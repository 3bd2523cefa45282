#if canImport(Glibc)
    internal import CLibC
#endif

/// Memory that is freed serves the next picture, but for 16 MiB goes back to the system.
enum SystemAllocator {
    /// To be called before the first thread is started.
    ///
    /// glibc keeps a heap for each thread, and gives back only its end: of 60 pictures by four jobs within 128 MiB, 78
    /// MiB were resident, and 102 by eight. One heap for all, and what it has no room for mapped block by block, make
    /// it 70 and
    /// 94. To give everything back would make it no less, and each picture then touches 900 pages more for the first
    ///   time: a
    /// tenth of a batch's time.
    static func limitRetainedMemory() {
        #if canImport(Glibc)
            mallopt(M_ARENA_MAX, 1)
            mallopt(M_TOP_PAD, 16 << 20)
            mallopt(M_MMAP_THRESHOLD, 128 << 10)
            mallopt(M_TRIM_THRESHOLD, 128 << 10)
        #endif
    }
}
