// `unsafe`: open, stat and fstat, with a path as a C string.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The parts of `struct stat` that identify a file and its state.
struct FileStatus {
    let version: FileContent.FileVersion
    /// The device of the file system that holds the file (`st_dev`).
    let deviceID: UInt64
    let isRegularFile: Bool

    /// Reads the status of the file at `path`. Symbolic links are followed.
    init(path: [UInt8]) throws(SystemCallError) {
        var status = stat()
        guard unsafe withNullTerminatedPath(path, { unsafe stat($0, &status) }) == 0 else {
            throw SystemCallError(errnoCode: errno)
        }
        self.init(status)
    }

    /// Reads the status of an open file.
    init(descriptor: CInt) throws(SystemCallError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemCallError(errnoCode: errno) }
        self.init(status)
    }

    private init(_ status: stat) {
        #if canImport(Darwin)
            let modified = status.st_mtimespec
        #else
            let modified = status.st_mtim
        #endif
        version = FileContent.FileVersion(
            size: Int64(status.st_size),
            modifiedNanoseconds: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec),
            inode: UInt64(truncatingIfNeeded: status.st_ino))
        deviceID = UInt64(truncatingIfNeeded: status.st_dev)
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
    }
}

/// The `errno` of a failed system call.
struct SystemCallError: Error {
    let errnoCode: CInt

    /// Whether the file does not exist, as opposed to being inaccessible.
    var isFileMissing: Bool { [ENOENT, ENOTDIR].contains(errnoCode) }
    /// Whether the path leads to something other than a file: the `errno` with which Linux and Darwin refuse to open a
    /// socket.
    var isNotRegularFile: Bool { [ENXIO, EOPNOTSUPP].contains(errnoCode) }

    /// Returns the error for a source file on which a system call failed.
    ///
    /// - Parameters:
    ///   - failedAction: the failed action as a participle: opened, examined, read.
    ///   - offset: the offset in the file, in bytes; `nil` if it does not apply.
    func sourceUnreadableError(failedAction: String, at offset: Int64? = nil) -> MultipartError {
        MultipartError(
            code: .sourceUnreadable, message: "the file can't be \(failedAction): \(message)", offset: offset,
            systemError: errnoCode)
    }

    /// The system's text for `errnoCode`.
    var message: String { unsafe String(cString: strerror(errnoCode)) }
}

/// Opens a file with mode 0600 if it is created, and close-on-exec.
///
/// - Returns: the file descriptor.
func openFile(path: [UInt8], flags: CInt) throws(SystemCallError) -> CInt {
    let descriptor = unsafe withNullTerminatedPath(path) { unsafe open($0, flags | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw SystemCallError(errnoCode: errno) }
    return descriptor
}

/// Calls `call` with the path as a C string.
///
/// A path that contains a zero byte is replaced by the empty path, with which every system call fails. The system would
/// otherwise use only the part before the zero byte.
func withNullTerminatedPath(_ path: [UInt8], _ call: (UnsafePointer<CChar>) -> CInt) -> CInt {
    let path = path.contains(0) ? [] : path
    return unsafe (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
        unsafe $0.baseAddress.map { unsafe call($0) } ?? -1
    }
}
