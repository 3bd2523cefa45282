// `unsafe`: mkdir, rename, unlink, readdir and realpath, which swift-system doesn't wrap, on paths of bytes.

internal import Ledger
internal import SystemPackage

#if canImport(Glibc)
    internal import CLibC
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What the command does to directories. Every function throws the system's error.
enum FileSystem {
    /// Makes a directory, and those above it that are missing.
    static func createDirectory(at path: FilePath, permissions: mode_t = 0o777) throws(Errno) {
        if unsafe path.withPlatformString({ unsafe mkdir($0, permissions) }) == 0 { return }
        switch Errno(rawValue: errno) {
        case .fileExists where isDirectory(at: path): return
        case .noSuchFileOrDirectory where !path.removingLastComponent().isEmpty:
            try createDirectory(at: path.removingLastComponent())
            if unsafe path.withPlatformString({ unsafe mkdir($0, permissions) }) == 0 || isDirectory(at: path) {
                return
            }
            throw Errno(rawValue: errno)
        case let error: throw error
        }
    }

    /// Gives a file another name, in place of one that has it already.
    static func rename(_ old: FilePath, to new: FilePath) throws(Errno) {
        let status = unsafe old.withPlatformString { old in
            unsafe new.withPlatformString { unsafe renameFile(old, to: $0) }
        }
        if status != 0 { throw Errno(rawValue: errno) }
    }

    /// Waits until all that was written to the file system of `file`, names included, is on the disk.
    static func syncFileSystem(of file: FileDescriptor) throws(Errno) {
        // For 64 files of 20 KB, 3 ms where a call for each took 20.
        #if canImport(Glibc)
            if syncfs(file.rawValue) != 0 { throw Errno(rawValue: errno) }
        #else
            sync()
        #endif
    }

    /// Gives a file the time of its last change, in nanoseconds since 1970.
    static func setModificationTime(_ nanoseconds: Int64, of file: FileDescriptor) throws(Errno) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        // Rounded down: the system takes no negative rest, which a time before 1970 has.
        let isNegative = rest < 0
        let time = timespec(
            tv_sec: Int(seconds) - (isNegative ? 1 : 0), tv_nsec: Int(rest) + (isNegative ? 1_000_000_000 : 0))
        if unsafe futimens(file.rawValue, [time, time]) != 0 { throw Errno(rawValue: errno) }
    }

    /// Removes a file, if it is there.
    static func removeFile(at path: FilePath) { _ = unsafe path.withPlatformString { unsafe unlink($0) } }

    /// Calls `body` for each entry of a directory but for those that begin with a dot, with its name and what it, or
    /// what it links to, is; nil for what leads nowhere.
    static func forEachVisibleEntry<Failure: Error>(
        in directory: FilePath, _ body: (_ name: [UInt8], _ stat: Stat?) throws(Failure) -> Void
    ) throws {
        guard let stream = unsafe directory.withPlatformString({ unsafe opendir($0) }) else {
            throw Errno(rawValue: errno)
        }
        defer { unsafe closedir(stream) }
        let descriptor = unsafe FileDescriptor(rawValue: dirfd(stream))
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            try unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                try unsafe tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee))
                {
                    if unsafe $0[0] == CChar(bitPattern: UInt8(ascii: ".")) { return }
                    let name = unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
                    try body(name, unsafe try? Stat($0, relativeTo: descriptor, flags: []))
                }
            }
        }
        if errno != 0 { throw Errno(rawValue: errno) }
    }

    /// The state of the file that the path of these bytes, which hold no zero, leads to; nil if there is none.
    ///
    /// For many files: `FilePath` takes longer to put a path in order than the system to find it.
    static func stat(_ path: [UInt8]) -> Stat? {
        let terminated = path.map { CChar(bitPattern: $0) } + [0]
        return unsafe terminated.withUnsafeBufferPointer {
            unsafe $0.baseAddress.flatMap { unsafe try? Stat($0, flags: []) }
        }
    }

    /// The path without links, `.` and `..`.
    static func realPath(of path: FilePath) -> FilePath? {
        guard let resolved = unsafe path.withPlatformString({ unsafe realpath($0, nil) }) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe FilePath(platformString: resolved)
    }

    static func isDirectory(at path: FilePath) -> Bool { (try? path.stat())?.type == .directory }

    private static func renameFile(_ old: UnsafePointer<CChar>, to new: UnsafePointer<CChar>) -> CInt {
        #if canImport(Glibc)
            unsafe Glibc.rename(old, new)
        #else
            unsafe Darwin.rename(old, new)
        #endif
    }
}

/// Which file it is, whatever path leads to it.
struct FileIdentity: Hashable, Comparable, Sendable {
    let device: UInt64
    let inode: UInt64

    init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    init(_ stat: Stat) {
        device = UInt64(truncatingIfNeeded: stat.deviceID.rawValue)
        inode = UInt64(truncatingIfNeeded: stat.inode.rawValue)
    }

    /// The file that `path` leads to; nil if there is none.
    init?(_ path: FilePath) {
        guard let stat = try? path.stat() else { return nil }
        self.init(stat)
    }

    static func < (a: Self, b: Self) -> Bool { (a.inode, a.device) < (b.inode, b.device) }
}

extension FilePath {
    /// The path of these bytes; nil if one of them is zero.
    init?(bytes: [UInt8]) {
        if bytes.contains(0) { return nil }
        let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
        self = unsafe terminated.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe FilePath(platformString: $0) } ?? FilePath("")
        }
    }

    /// The path's bytes, which need not be UTF-8.
    var bytes: [UInt8] { unsafe withPlatformString { unsafe Array(UnsafeRawBufferPointer(start: $0, count: length)) } }
}

extension FilePath.Component {
    /// The component of these bytes; nil if they are none.
    init?(bytes: [UInt8]) {
        let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
        let component = unsafe terminated.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe FilePath.Component(platformString: $0) }
        }
        guard let component else { return nil }
        self = component
    }

    /// The name's bytes, which need not be UTF-8.
    var bytes: [UInt8] { FilePath(root: nil, CollectionOfOne(self)).bytes }
}
