// `unsafe`: stat and fstat write to a local variable, and take a path as a C string.

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#elseif canImport(Darwin)
    package import Darwin
#endif

/// What the system reports of a file (`struct stat`), in types that are the same on all platforms.
package struct FileStatus: Hashable, Sendable {
    package let identity: FileIdentity
    package let version: FileVersion
    /// The permission bits of the mode, without the file type.
    package let permissions: UInt16
    package let isRegularFile: Bool

    /// Reads the status of the file at `path`. Symbolic links are followed.
    ///
    /// - Parameter path: The path as bytes, without a terminating zero.
    /// - Throws: `SystemCallError` if the file does not exist or cannot be examined.
    package init(path: [UInt8]) throws(SystemCallError) {
        var status = stat()
        guard unsafe withNullTerminatedPath(path, { unsafe stat($0, &status) }) == 0 else {
            throw SystemCallError(errnoCode: errno)
        }
        self.init(status)
    }

    /// Reads the status of an open file.
    ///
    /// - Throws: `SystemCallError` if the file cannot be examined.
    package init(descriptor: CInt) throws(SystemCallError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemCallError(errnoCode: errno) }
        self.init(status)
    }

    package init(_ status: stat) {
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
        version = FileVersion(
            size: Int64(status.st_size), modifiedNanoseconds: nanoseconds(modified),
            changedNanoseconds: nanoseconds(changed), inode: identity.inode)
        permissions = UInt16(status.st_mode & 0o7777)
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
    }
}
