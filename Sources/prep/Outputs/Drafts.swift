// `unsafe`: flock, which swift-system doesn't wrap.

internal import Synchronization
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Where this run's outputs are written before they are whole: a directory of its own below `.prep/tmp`, locked while the
/// run lives. What a run that was killed left there is removed by the next, since nobody holds its lock.
///
/// The output directory may hold anything, links planted by others included. So every entry is reached through the open
/// directory above it, and only what a run itself could have left is removed: directories and files named as a run
/// names them, that are neither links nor another user's.
final class Drafts: Sendable {
    /// `.prep`, and `tmp` in it, as they are in the output directory `root`.
    private struct Place {
        let hidden: DirectoryHandle
        let temporary: DirectoryHandle

        init(in root: DirectoryHandle) throws(Errno) {
            hidden = try root.makeSubdirectory(".prep", permissions: 0o700)
            temporary = try hidden.makeSubdirectory("tmp", permissions: 0o700)
        }
    }

    /// A run's own directory in `tmp`.
    private struct Own {
        let name: FilePath.Component
        let directory: DirectoryHandle
        /// The directory, open for reading and locked.
        let lock: FileDescriptor
    }

    private let root: DirectoryHandle
    private let place: Place
    private let own: Own
    private let counter = Atomic<UInt64>(0)

    /// - Parameter root: the output directory, that all runs into it share.
    /// - Throws: the system's error.
    init(in root: DirectoryHandle) throws(Errno) {
        self.root = root
        (place, own) = try Self.makeOwn(in: root)
        Self.removeAbandoned(in: place.temporary, except: own)
    }

    deinit { try? own.lock.close() }

    /// The directory that drafts are in.
    var directory: DirectoryHandle { own.directory }

    /// A name that no draft has had.
    func next() -> FilePath.Component { Self.name(counter.wrappingAdd(1, ordering: .relaxed).newValue, radix: 10) }

    /// Removes what was not published, and the directories that only runs in progress need.
    func close() {
        Self.removeDrafts(in: own.directory)
        place.temporary.removeEmptyDirectory(own.name)
        place.hidden.removeEmptyDirectory("tmp")
        root.removeEmptyDirectory(".prep")
    }

    /// Waits until all that was written to this file system, and all names that it was given, are on the disk.
    func sync() throws { try FileSystem.syncFileSystem(of: own.lock) }

    // MARK: Directories of runs

    /// Makes and locks a directory. Between the two another run may take it for a dead one's and remove it: then again.
    private static func makeOwn(in root: DirectoryHandle) throws(Errno) -> (Place, Own) {
        for _ in 1..<100 {
            // Not by the process's number: two containers may have the same.
            let name = name(UInt64.random(in: 0...UInt64.max), radix: 36)
            do throws(Errno) {
                let place = try Place(in: root)
                let directory = try place.temporary.makeSubdirectory(name, permissions: 0o700)
                let lock = try directory.openForReading()
                // A file system without locks is no reason to fail: there, what is abandoned is only never removed.
                if Self.lock(lock) != .wouldBlock, isSame(try? place.temporary.stat(name), try directory.stat()) {
                    return (place, Own(name: name, directory: directory, lock: lock))
                }
                try? lock.close()
            } catch .noSuchFileOrDirectory {}
        }
        throw .resourceTemporarilyUnavailable
    }

    /// - Parameter own: is left alone: on NFS, locks are the process's, and don't keep it from itself.
    private static func removeAbandoned(in temporary: DirectoryHandle, except own: Own) {
        guard let names = try? temporary.names(), let owner = try? own.directory.stat().userID else { return }
        for name in names where name != own.name && isName(name, radix: 36) {
            // Its owner is compared with that of the directory just made: on SMB and NFS that need not be this
            // process's.
            guard let directory = try? temporary.subdirectory(name), (try? directory.stat().userID) == owner,
                let lock = try? directory.openForReading()
            else { continue }
            if Self.lock(lock) == nil {
                removeDrafts(in: directory)
                temporary.removeEmptyDirectory(name)
            }
            try? lock.close()
        }
    }

    private static func removeDrafts(in directory: DirectoryHandle) {
        guard let owner = try? directory.stat().userID else { return }
        for name in (try? directory.names()) ?? [] where isName(name, radix: 10) {
            guard let stat = try? directory.stat(name), stat.type == .regular, stat.userID == owner else { continue }
            directory.removeFile(name)
        }
    }

    private static func isSame(_ named: Stat?, _ opened: Stat) -> Bool {
        named.map(FileIdentity.init) == FileIdentity(opened)
    }

    /// Why the directory could not be locked; nil if it was.
    private static func lock(_ directory: FileDescriptor) -> Errno? {
        flock(directory.rawValue, LOCK_EX | LOCK_NB) == 0 ? nil : Errno(rawValue: errno)
    }

    // MARK: Names

    private static func name(_ number: UInt64, radix: Int) -> FilePath.Component {
        FilePath.Component(String(number, radix: radix)) ?? "0"
    }

    /// Whether it is the name of a number as `name(_:radix:)` makes it.
    private static func isName(_ name: FilePath.Component, radix: Int) -> Bool {
        UInt64(name.string, radix: radix).map { Self.name($0, radix: radix) } == name
    }
}
