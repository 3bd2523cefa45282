// `unsafe`: openat and related functions, which swift-system does not wrap, with names as C strings.

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

/// An open directory in which entries are created, renamed and removed by name.
///
/// Each name is a single component that is looked up in the open directory itself. A symbolic link is never followed.
/// Therefore, no other content of the directory can redirect an operation outside it.
///
/// Methods that throw `Errno` throw the system's error. That error is `ELOOP` if a symbolic link is found in the place
/// of a directory.
package final class DirectoryHandle: Sendable {
    private let descriptor: FileDescriptor

    // O_PATH on Linux also opens a directory that the user may only write to.
    #if canImport(Glibc)
        private static let openFlags = O_DIRECTORY | O_CLOEXEC | openPathFlag
    #else
        private static let openFlags = O_DIRECTORY | O_CLOEXEC | O_RDONLY
    #endif

    /// Opens a directory that the user named. Symbolic links in `path` are followed.
    package init(_ path: FilePath) throws(Errno) {
        let result = unsafe path.withPlatformString { unsafe open($0, Self.openFlags) }
        guard result >= 0 else { throw Errno(rawValue: errno) }
        descriptor = FileDescriptor(rawValue: result)
    }

    private init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { try? descriptor.close() }

    // MARK: Directories

    /// Opens a subdirectory.
    func openSubdirectory(named name: FilePath.Component) throws(Errno) -> DirectoryHandle {
        do throws(Errno) {
            return DirectoryHandle(try openEntry(name, flags: Self.openFlags))
        } catch .notDirectory where (try? stat(name))?.type == .symbolicLink {
            throw .tooManySymbolicLinkLevels
        }
    }

    /// Opens a subdirectory, and creates it first if it does not exist.
    func createSubdirectory(named name: FilePath.Component, permissions: FilePermissions = .all) throws(Errno)
        -> DirectoryHandle
    {
        if unsafe name.withPlatformString({ unsafe mkdirat(descriptor.rawValue, $0, permissions.rawValue) }) != 0 {
            let error = Errno(rawValue: errno)
            if error != .fileExists { throw error }
        }
        return try openSubdirectory(named: name)
    }

    /// Opens the directory at a relative path, and creates missing directories on the path.
    package func createSubdirectories(at path: FilePath, permissions: FilePermissions = .all) throws(Errno)
        -> DirectoryHandle
    {
        try descend(path) { (directory, name) throws(Errno) in
            try directory.createSubdirectory(named: name, permissions: permissions)
        }
    }

    /// Opens the directory at a relative path.
    package func openSubdirectory(at path: FilePath) throws(Errno) -> DirectoryHandle {
        try descend(path) { (directory, name) throws(Errno) in try directory.openSubdirectory(named: name) }
    }

    /// Follows a relative path, one directory at a time.
    private func descend(
        _ path: FilePath, _ enter: (DirectoryHandle, FilePath.Component) throws(Errno) -> DirectoryHandle
    ) throws(Errno) -> DirectoryHandle {
        var directory = self
        for component in path.components {
            guard component.kind == .regular else { throw .invalidArgument }
            directory = try enter(directory, component)
        }
        return directory
    }

    /// Removes a subdirectory if it exists and is empty.
    func removeEmptyDirectory(_ name: FilePath.Component) {
        _ = unsafe name.withPlatformString { unsafe unlinkat(descriptor.rawValue, $0, AT_REMOVEDIR) }
    }

    /// Removes an entry, with all entries below it if it is a directory. A symbolic link itself is removed.
    ///
    /// Nothing happens if the entry does not exist. The directories are reached by their paths rather than kept open,
    /// because a tree may be deeper than the number of files that a process may open.
    package func removeEntryAndContents(_ name: FilePath.Component) throws(Errno) {
        do throws(Errno) {
            guard try stat(name).type == .directory else {
                removeFile(name)
                return
            }
            // Each directory comes before those in it.
            var directories: [FilePath] = [], remaining = [FilePath(root: nil, [name])]
            while let path = remaining.popLast() {
                directories.append(path)
                remaining += try openSubdirectory(at: path).removeFiles().map(path.appending)
            }
            for path in directories.reversed() {
                guard let name = path.lastComponent else { continue }
                try openSubdirectory(at: path.removingLastComponent()).removeEmptyDirectory(name)
            }
        } catch .noSuchFileOrDirectory {}
    }

    /// Removes all entries that are not directories. Returns the names of the directories.
    private func removeFiles() throws(Errno) -> [FilePath.Component] {
        var directories: [FilePath.Component] = []
        for name in try entryNames() {
            if try stat(name).type == .directory { directories.append(name) } else { removeFile(name) }
        }
        return directories
    }

    /// Returns a new descriptor of this directory for reading entries, locking or synchronization. The caller closes
    /// it.
    func openForReading() throws(Errno) -> FileDescriptor {
        let result = unsafe openat(descriptor.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard result >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: result)
    }

    // MARK: Files

    /// Creates a file that does not exist yet, and opens it for writing.
    package func createFile(_ name: FilePath.Component, permissions: FilePermissions) throws(Errno) -> FileDescriptor {
        try openEntry(name, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions: permissions.rawValue)
    }

    /// Opens a file for reading and writing. NFS locks only a file that is open for writing.
    func openFileForUpdating(_ name: FilePath.Component) throws(Errno) -> FileDescriptor {
        try openEntry(name, flags: O_RDWR | O_NONBLOCK | O_CLOEXEC)
    }

    /// Passes the content of a regular file to `body` in chunks.
    package func forEachChunk(ofFile name: FilePath.Component, _ body: ([UInt8]) -> Void) throws {
        // O_NONBLOCK has no effect on regular files. It keeps open from waiting for the other end of a pipe.
        let file = try openEntry(name, flags: O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try file.closeAfter {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = unsafe try buffer.withUnsafeMutableBytes { unsafe try file.read(into: $0) }
                if count == 0 { return }
                body(Array(buffer[..<count]))
            }
        }
    }

    /// Moves a file of this directory to `directory`, replacing an entry of that name.
    package func rename(
        _ name: FilePath.Component, to newName: FilePath.Component, in directory: DirectoryHandle
    ) throws(Errno) {
        let status = unsafe name.withPlatformString { old in
            unsafe newName.withPlatformString { new in
                unsafe renameat(descriptor.rawValue, old, directory.descriptor.rawValue, new)
            }
        }
        if status != 0 { throw Errno(rawValue: errno) }
    }

    /// Removes a file, or a symbolic link itself, if it exists.
    ///
    /// - Returns: The system's error, or `nil` if the entry was removed.
    @discardableResult
    package func removeFile(_ name: FilePath.Component) -> Errno? {
        let status = unsafe name.withPlatformString { unsafe unlinkat(descriptor.rawValue, $0, 0) }
        return status == 0 ? nil : Errno(rawValue: errno)
    }

    /// Returns the state of an entry. The state of a symbolic link is that of the link itself.
    package func stat(_ name: FilePath.Component) throws(Errno) -> Stat {
        try Stat(FilePath(root: nil, [name]), relativeTo: descriptor, flags: .symlinkNoFollow)
    }

    /// Returns whether the entry is the open file or directory. Another process may have replaced it.
    func isEntry(_ name: FilePath.Component, sameFileAs opened: FileDescriptor) -> Bool {
        guard let opened = try? Stat(opened), let named = try? stat(name) else { return false }
        return FileIdentity(opened) == FileIdentity(named)
    }

    /// Returns the state of this directory.
    func stat() throws(Errno) -> Stat { try Stat(descriptor) }

    /// Returns the names of all entries, including hidden ones.
    func entryNames() throws(Errno) -> [FilePath.Component] {
        let file = try openForReading()
        // From here on, the stream owns the descriptor.
        guard let stream = unsafe fdopendir(file.rawValue) else {
            let error = Errno(rawValue: errno)
            try? file.close()
            throw error
        }
        defer { unsafe closedir(stream) }
        var names: [FilePath.Component] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                    unsafe FilePath.Component(platformString: $0)
                }
            }
            if let name, name.kind == .regular { names.append(name) }
            errno = 0
        }
        if errno != 0 { throw Errno(rawValue: errno) }
        return names
    }

    private func openEntry(
        _ name: FilePath.Component, flags: CInt, permissions: mode_t = 0
    ) throws(Errno) -> FileDescriptor {
        let result = unsafe name.withPlatformString {
            unsafe openat(descriptor.rawValue, $0, flags | O_NOFOLLOW, permissions)
        }
        guard result >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: result)
    }
}
