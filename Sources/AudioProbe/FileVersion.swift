#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The identity and state of a file. Two values are equal only if the file was not modified in between.
package struct FileVersion: Hashable, Sendable {
    /// The ID of the device that contains the file.
    package let device: UInt64
    /// The inode number of the file.
    package let inode: UInt64
    /// The size of the file in bytes.
    package let size: Int64
    /// When the content was last changed, in nanoseconds since 1970.
    package let modificationNanoseconds: Int64
    /// When the content, name, owner or mode was last changed, in nanoseconds since 1970.
    package let statusChangeNanoseconds: Int64
    /// The permission bits of the file's mode, without the file type.
    package let permissions: UInt16

    init(status: stat) {
        func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        permissions = UInt16(status.st_mode & 0o7777)
        #if canImport(Darwin)
            modificationNanoseconds = nanoseconds(status.st_mtimespec)
            statusChangeNanoseconds = nanoseconds(status.st_ctimespec)
        #else
            modificationNanoseconds = nanoseconds(status.st_mtim)
            statusChangeNanoseconds = nanoseconds(status.st_ctim)
        #endif
    }
}
