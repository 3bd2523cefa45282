// `unsafe`: open, stat and fstat, on a path of bytes.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What the system says of a file.
struct FileStatus {
    let version: FileContent.FileVersion
    /// The file system that it is in.
    let deviceID: UInt64
    let isRegularFile: Bool

    /// The state of the file that `path` leads to.
    init(path: [UInt8]) throws(SystemCallError) {
        var status = stat()
        guard unsafe withNullTerminatedPath(path, { unsafe stat($0, &status) }) == 0 else {
            throw SystemCallError(errnoCode: errno)
        }
        self.init(status)
    }

    /// The state of an open file.
    init(descriptor: CInt) throws(SystemCallError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemCallError(errnoCode: errno) }
        self.init(status)
    }

    private init(_ status: stat) {
        #if canImport(Glibc)
            let modified = status.st_mtim
        #else
            let modified = status.st_mtimespec
        #endif
        version = FileContent.FileVersion(
            size: Int64(status.st_size),
            modifiedNanoseconds: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec),
            inode: UInt64(truncatingIfNeeded: status.st_ino))
        deviceID = UInt64(truncatingIfNeeded: status.st_dev)
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
    }
}

/// The number with which a system call failed.
struct SystemCallError: Error {
    let errnoCode: CInt

    /// Whether there was no such file, rather than one that can't be had.
    var isFileMissing: Bool { [ENOENT, ENOTDIR].contains(errnoCode) }
    /// Whether there was something else than a file: what Linux and Darwin say of a socket.
    var isNotRegularFile: Bool { [ENXIO, EOPNOTSUPP].contains(errnoCode) }

    /// The error of a body whose file can't be `failedAction`: opened, examined, read.
    func sourceUnreadableError(failedAction: String, at offset: Int64? = nil) -> MultipartError {
        MultipartError(
            code: .sourceUnreadable, message: "the file can't be \(failedAction): \(message)", offset: offset,
            systemError: errnoCode)
    }

    /// What the system calls it.
    var message: String { unsafe String(cString: strerror(errnoCode)) }
}

/// Opens a file.
///
/// - Returns: its descriptor.
func openFile(path: [UInt8], flags: CInt) throws(SystemCallError) -> CInt {
    let descriptor = unsafe withNullTerminatedPath(path) { unsafe open($0, flags | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw SystemCallError(errnoCode: errno) }
    return descriptor
}

/// Calls the system with a path, and an empty one, which leads nowhere, for one that has a zero within: the system
/// would take what is before it for the whole.
func withNullTerminatedPath(_ path: [UInt8], _ call: (UnsafePointer<CChar>) -> CInt) -> CInt {
    let path = path.contains(0) ? [] : path
    return unsafe (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
        unsafe $0.baseAddress.map { unsafe call($0) } ?? -1
    }
}
