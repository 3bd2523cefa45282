// `unsafe`: mkdir, rename, unlink, readdir and realpath, which swift-system doesn't wrap, on paths of bytes.

internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What the command does to directories. Every function throws the system's error.
enum FileSystem {
    /// Makes a directory, and those above it that are missing.
    static func createDirectory(_ path: FilePath) throws(Errno) {
        if unsafe path.withPlatformString({ unsafe mkdir($0, 0o777) }) == 0 { return }
        switch Errno(rawValue: errno) {
        case .fileExists where isDirectory(path): return
        case .noSuchFileOrDirectory where !path.removingLastComponent().isEmpty:
            try createDirectory(path.removingLastComponent())
            if unsafe path.withPlatformString({ unsafe mkdir($0, 0o777) }) == 0 || isDirectory(path) { return }
            throw Errno(rawValue: errno)
        case let error: throw error
        }
    }

    /// Gives a file another name, in place of one that has it already.
    static func rename(_ old: FilePath, to new: FilePath) throws(Errno) {
        let status = unsafe old.withPlatformString { old in
            unsafe new.withPlatformString { unsafe renameFile(old, $0) }
        }
        if status != 0 { throw Errno(rawValue: errno) }
    }

    /// Removes a file, if it is there.
    static func remove(_ path: FilePath) { _ = unsafe path.withPlatformString { unsafe unlink($0) } }

    /// Removes a directory, if it is there and empty.
    static func removeEmptyDirectory(_ path: FilePath) { _ = unsafe path.withPlatformString { unsafe rmdir($0) } }

    /// The entries of a directory but for `.` and `..`, in the order of their bytes.
    static func names(in directory: FilePath) throws(Errno) -> [FilePath.Component] {
        guard let stream = unsafe directory.withPlatformString({ unsafe opendir($0) }) else {
            throw Errno(rawValue: errno)
        }
        defer { unsafe closedir(stream) }
        var names: [FilePath.Component] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                    unsafe FilePath.Component(platformString: $0)
                }
            }
            if let name, name.kind == .regular { names.append(name) }
        }
        if errno != 0 { throw Errno(rawValue: errno) }
        return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// The path without links, `.` and `..`.
    static func realPath(_ path: FilePath) -> FilePath? {
        guard let resolved = unsafe path.withPlatformString({ unsafe realpath($0, nil) }) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe FilePath(platformString: resolved)
    }

    static func isDirectory(_ path: FilePath) -> Bool { (try? path.stat())?.type == .directory }

    private static func renameFile(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> CInt {
        #if canImport(Glibc)
            unsafe Glibc.rename(old, new)
        #else
            unsafe Darwin.rename(old, new)
        #endif
    }
}

/// Which file it is, whatever path leads to it.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    init(_ stat: Stat) {
        device = UInt64(truncatingIfNeeded: stat.deviceID.rawValue)
        inode = UInt64(truncatingIfNeeded: stat.inode.rawValue)
    }

    /// The file that `path` leads to; nil if there is none.
    init?(_ path: FilePath) {
        guard let stat = try? path.stat() else { return nil }
        self.init(stat)
    }
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
