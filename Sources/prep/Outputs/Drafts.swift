// `unsafe`: flock, which swift-system doesn't wrap.

internal import Synchronization
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Where this run's outputs are written before they are whole: a directory of its own below `.prep/tmp`, locked while the
/// run lives. What a run that was killed left there is removed by the next, since nobody holds its lock.
final class Drafts: Sendable {
    private let path: FilePath
    /// The directory, open and locked.
    private let lock: FileDescriptor
    private let counter = Atomic(0)

    /// - Parameter temporary: the directory that all runs into one output directory share; made if it isn't there.
    /// - Throws: the system's error.
    init(in temporary: FilePath) throws {
        (path, lock) = try Self.makeOwn(in: temporary)
        Self.removeAbandoned(in: temporary, but: path)
    }

    deinit { try? lock.close() }

    /// A path that no draft has had.
    func next() -> FilePath { path.appending(String(counter.wrappingAdd(1, ordering: .relaxed).newValue)) }

    /// Removes what was not published, and the directories that only runs in progress need.
    func close() {
        Self.removeFiles(in: path)
        FileSystem.removeEmptyDirectory(path)
        FileSystem.removeEmptyDirectory(path.removingLastComponent())
    }

    /// Waits until all that was written to this file system, and all names that it was given, are on the disk.
    func sync() throws { try FileSystem.syncFileSystem(of: lock) }

    /// Makes and locks a directory. Between the two another run may take it for a dead one's and remove it: then again.
    private static func makeOwn(in temporary: FilePath) throws -> (FilePath, FileDescriptor) {
        for _ in 1..<100 {
            // Not by the process's number: two containers may have the same.
            let path = temporary.appending(String(UInt64.random(in: 0...UInt64.max), radix: 36))
            do {
                try FileSystem.createDirectory(path, permissions: 0o700)
                let directory = try open(path)
                // A file system without locks is no reason to fail: there, what is abandoned is only never removed.
                if lock(directory) != .wouldBlock, FileIdentity(path) != nil { return (path, directory) }
                try directory.close()
            } catch Errno.noSuchFileOrDirectory {}
        }
        throw Errno.resourceTemporarilyUnavailable
    }

    /// - Parameter own: is left alone: on NFS, locks are the process's, and don't keep it from itself.
    private static func removeAbandoned(in temporary: FilePath, but own: FilePath) {
        for directory in names(in: temporary) where directory != own {
            guard let descriptor = try? open(directory) else { continue }
            if lock(descriptor) == nil {
                removeFiles(in: directory)
                FileSystem.removeEmptyDirectory(directory)
            }
            try? descriptor.close()
        }
    }

    private static func removeFiles(in directory: FilePath) { names(in: directory).forEach(FileSystem.remove) }

    private static func names(in directory: FilePath) -> [FilePath] {
        var names: [FilePath] = []
        try? FileSystem.forEachVisibleEntry(in: directory) { (name, _) throws(Errno) in
            if let name = FilePath.Component(bytes: name) { names.append(directory.appending(name)) }
        }
        return names
    }

    private static func open(_ directory: FilePath) throws -> FileDescriptor {
        try FileDescriptor.open(directory, .readOnly, options: [.directory, .closeOnExec])
    }

    /// Why the directory could not be locked; nil if it was.
    private static func lock(_ directory: FileDescriptor) -> Errno? {
        flock(directory.rawValue, LOCK_EX | LOCK_NB) == 0 ? nil : Errno(rawValue: errno)
    }
}
