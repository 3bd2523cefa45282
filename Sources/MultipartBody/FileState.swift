// `unsafe`: open, stat and fstat, on a path of bytes.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What the system says of a file.
struct FileState {
    let version: FileContent.Version
    /// The file system that it is in.
    let device: UInt64
    let isRegular: Bool

    /// The state of the file that `path` leads to.
    init(path: [UInt8]) throws(SystemError) {
        var status = stat()
        guard unsafe withTerminated(path, { unsafe stat($0, &status) }) == 0 else { throw SystemError(number: errno) }
        self.init(status)
    }

    /// The state of an open file.
    init(descriptor: CInt) throws(SystemError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError(number: errno) }
        self.init(status)
    }

    private init(_ status: stat) {
        #if canImport(Glibc)
            let modified = status.st_mtim
        #else
            let modified = status.st_mtimespec
        #endif
        version = FileContent.Version(
            size: Int64(status.st_size),
            modified: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec),
            inode: UInt64(truncatingIfNeeded: status.st_ino))
        device = UInt64(truncatingIfNeeded: status.st_dev)
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }
}

/// The number with which a system call failed.
struct SystemError: Error {
    let number: CInt

    /// Whether there was no such file, rather than one that can't be had.
    var isMissing: Bool { [ENOENT, ENOTDIR].contains(number) }
    /// Whether there was something else than a file: what Linux and Darwin say of a socket.
    var isNotRegular: Bool { [ENXIO, EOPNOTSUPP].contains(number) }

    /// The error of a body whose file can't be `what`: opened, examined, read.
    func unreadable(_ what: String, at offset: Int64? = nil) -> MultipartError {
        MultipartError(
            code: .sourceUnreadable, message: "the file can't be \(what): \(text)", offset: offset, systemError: number)
    }

    /// What the system calls it.
    var text: String { unsafe String(cString: strerror(number)) }
}

/// Opens a file.
///
/// - Returns: its descriptor.
func openFile(_ path: [UInt8], _ flags: CInt) throws(SystemError) -> CInt {
    let opened = unsafe withTerminated(path) { unsafe open($0, flags | O_CLOEXEC, 0o600) }
    guard opened >= 0 else { throw SystemError(number: errno) }
    return opened
}

/// Calls the system with a path, and an empty one, which leads nowhere, for one that has a zero within: the system would take
/// what is before it for the whole.
func withTerminated(_ path: [UInt8], _ call: (UnsafePointer<CChar>) -> CInt) -> CInt {
    let path = path.contains(0) ? [] : path
    return unsafe (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
        unsafe $0.baseAddress.map { unsafe call($0) } ?? -1
    }
}
