// `unsafe`: mkdir, rename, unlink, readdir and realpath, which swift-system does not wrap, with paths as C strings.

package import SystemPackage
internal import SystemSupport

#if canImport(Glibc)
    internal import CLibC
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// File-system operations. Methods that throw `Errno` throw the system's error.
package enum FileSystem {
    /// Creates a directory and its missing parents. `permissions` applies only to the directory itself.
    package static func createDirectory(at path: FilePath, permissions: FilePermissions = .all) throws(Errno) {
        if unsafe path.withPlatformString({ unsafe mkdir($0, permissions.rawValue) }) == 0 { return }
        switch Errno(rawValue: errno) {
        case .fileExists where isDirectory(at: path): return
        case .noSuchFileOrDirectory where !path.removingLastComponent().isEmpty:
            try createDirectory(at: path.removingLastComponent())
            if unsafe path.withPlatformString({ unsafe mkdir($0, permissions.rawValue) }) == 0 || isDirectory(at: path)
            {
                return
            }
            throw Errno(rawValue: errno)
        case let error: throw error
        }
    }

    /// Renames a file, replacing a file of the new name.
    static func rename(_ old: FilePath, to new: FilePath) throws(Errno) {
        let status = unsafe old.withPlatformString { old in
            unsafe new.withPlatformString { unsafe renameFile(old, to: $0) }
        }
        if status != 0 { throw Errno(rawValue: errno) }
    }

    /// Waits until all writes to the file system of `file` are on disk, including those of directory entries.
    static func syncFileSystem(of file: FileDescriptor) throws(Errno) {
        // For 64 files of 20 kB this takes 3 ms, whereas an fsync for each takes 20 ms.
        #if canImport(Glibc)
            if syncfs(file.rawValue) != 0 { throw Errno(rawValue: errno) }
        #else
            sync()
        #endif
    }

    /// Sets the modification time of a file, in nanoseconds since 1970.
    static func setModificationTime(_ nanoseconds: Int64, of file: FileDescriptor) throws(Errno) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        // Rounded down, because a time before 1970 has a negative remainder, which the system does not accept.
        let isNegative = rest < 0
        let time = timespec(
            tv_sec: Int(seconds) - (isNegative ? 1 : 0), tv_nsec: Int(rest) + (isNegative ? 1_000_000_000 : 0))
        if unsafe futimens(file.rawValue, [time, time]) != 0 { throw Errno(rawValue: errno) }
    }

    /// Removes a file if it exists.
    package static func removeFile(at path: FilePath) { _ = unsafe path.withPlatformString { unsafe unlink($0) } }

    /// Calls `body` for each entry of a directory whose name does not start with a dot.
    ///
    /// - Parameters:
    ///   - directory: The directory's path.
    ///   - body: A closure that receives the entry's name and state. Symbolic links are followed. The state is `nil`
    ///     for a dangling link.
    /// - Throws: `Errno` if the directory cannot be read; the error of `body`.
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

    /// Returns the state of the file at a path, or `nil` if there is none. Symbolic links are followed.
    ///
    /// This avoids `FilePath` for use with many files: normalizing a path takes longer than the system call.
    package static func stat(_ path: [UInt8]) -> Stat? {
        unsafe withNullTerminatedPath(path) { unsafe try? Stat($0, flags: []) }
    }

    /// Returns the absolute path without symbolic links, `.` and `..`, or `nil` if the file does not exist.
    package static func realPath(of path: FilePath) -> FilePath? {
        guard let resolved = unsafe path.withPlatformString({ unsafe realpath($0, nil) }) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe FilePath(platformString: resolved)
    }

    static func isDirectory(at path: FilePath) -> Bool { (try? path.stat())?.type == .directory }

    private static func renameFile(_ old: UnsafePointer<CChar>, to new: UnsafePointer<CChar>) -> CInt {
        #if canImport(Glibc)
            unsafe Glibc.rename(old, new)
        #elseif canImport(Musl)
            unsafe Musl.rename(old, new)
        #else
            unsafe Darwin.rename(old, new)
        #endif
    }
}

extension FileDescriptor {
    /// Tries to lock the file until all copies of this descriptor are closed. Returns the error, or `nil` if the file
    /// was locked.
    ///
    /// The error is `EWOULDBLOCK` if another descriptor holds the lock. File systems without locks give other errors.
    func tryLock() -> Errno? { flock(rawValue, LOCK_EX | LOCK_NB) == 0 ? nil : Errno(rawValue: errno) }

    /// Waits until the content of the file is on disk.
    ///
    /// A pipe or a device has no content to write, and is accepted.
    package func synchronizeContent() throws(Errno) {
        if fsync(rawValue) == 0 { return }
        let error = Errno(rawValue: errno)
        if ![.invalidArgument, .notSupported, .notSupportedOnSocket].contains(error) { throw error }
    }
}

extension FileIdentity {
    package init(_ stat: Stat) { self = FileStatus(stat.rawValue).identity }

    /// Creates the identity of the file at `path`, or returns `nil` if there is none. Symbolic links are followed.
    package init?(_ path: FilePath) {
        guard let stat = try? path.stat() else { return nil }
        self.init(stat)
    }
}

extension FileVersion {
    package init(_ stat: Stat) { self = FileStatus(stat.rawValue).version }
}

extension FilePermissions {
    /// All permissions, which the umask restricts.
    package static let all: FilePermissions = [.ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute]
}

extension FilePath {
    /// Creates a path from bytes, or returns `nil` if one of them is zero.
    package init?(bytes: [UInt8]) {
        if bytes.contains(0) { return nil }
        self = unsafe withNullTerminatedPath(bytes) { unsafe FilePath(platformString: $0) }
    }

    /// The path's bytes, which need not be UTF-8.
    package var bytes: [UInt8] {
        unsafe withPlatformString { unsafe Array(UnsafeRawBufferPointer(start: $0, count: length)) }
    }
}

extension FilePath.Component {
    /// Creates a component from bytes, or returns `nil` if they are not a single component.
    package init?(bytes: [UInt8]) {
        guard
            let component = unsafe withNullTerminatedPath(bytes, { unsafe FilePath.Component(platformString: $0) })
        else { return nil }
        self = component
    }

    /// The component's bytes, which need not be UTF-8.
    package var bytes: [UInt8] { FilePath(root: nil, CollectionOfOne(self)).bytes }
}
