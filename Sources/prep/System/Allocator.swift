#if canImport(Glibc)
    internal import CLibC
#endif

/// Memory that is freed goes back to the system.
enum Allocator {
    /// To be called before the first thread is started.
    ///
    /// glibc keeps a heap for each thread, and gives back only its end: of 60 pictures by four jobs within 128 MiB, 231 MiB
    /// were resident, and 383 by eight. Blocks from 128 KiB on, mapped one by one, make it 128 and 129, for some 2 ms of
    /// system time a picture. Without this call the threshold grows with every block that is freed.
    static func configure() {
        #if canImport(Glibc)
            mallopt(M_MMAP_THRESHOLD, 128 << 10)
            mallopt(M_TRIM_THRESHOLD, 128 << 10)
        #endif
    }
}
