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

/// Where this run's outputs are written before they are whole: a directory of its own below `.prep/tmp`, locked while
/// the run lives. What a run that was killed left there is removed by the next, since nobody holds its lock.
///
/// The output directory may hold anything, links planted by others included. So every entry is reached through the open
/// directory above it, and only what a run itself could have left is removed: directories and files named as a run
/// names them, that are neither links nor another user's.
final class DraftDirectory: Sendable {
    /// `.prep`, and `tmp` in it, as they are in the output directory `outputDirectory`.
    private struct ParentDirectories {
        let stateDirectory: DirectoryHandle
        let temporaryDirectory: DirectoryHandle

        init(in root: DirectoryHandle) throws(Errno) {
            stateDirectory = try root.createSubdirectory(named: ".prep", permissions: 0o700)
            temporaryDirectory = try stateDirectory.createSubdirectory(named: "tmp", permissions: 0o700)
        }
    }

    /// A run's own directory in `tmp`.
    private struct LockedDirectory {
        let name: FilePath.Component
        let directoryHandle: DirectoryHandle
        /// The directory, open for reading and locked.
        let lockDescriptor: FileDescriptor
    }

    private let outputDirectory: DirectoryHandle
    private let parents: ParentDirectories
    private let lockedDirectory: LockedDirectory
    private let draftCounter = Atomic<UInt64>(0)

    /// - Parameter root: the output directory, that all runs into it share.
    /// - Throws: the system's error.
    init(in root: DirectoryHandle) throws(Errno) {
        self.outputDirectory = root
        (parents, lockedDirectory) = try Self.createLockedDirectory(in: root)
        Self.removeAbandonedDirectories(in: parents.temporaryDirectory, except: lockedDirectory)
    }

    deinit { try? lockedDirectory.lockDescriptor.close() }

    /// The directory that drafts are in.
    var directoryHandle: DirectoryHandle { lockedDirectory.directoryHandle }

    /// A name that no draft has had.
    func makeUniqueDraftName() -> FilePath.Component {
        Self.entryName(for: draftCounter.wrappingAdd(1, ordering: .relaxed).newValue, radix: 10)
    }

    /// Removes what was not published, and the directories that only runs in progress need.
    func removeDraftsAndDirectories() {
        Self.removeDrafts(in: lockedDirectory.directoryHandle)
        parents.temporaryDirectory.removeEmptyDirectory(lockedDirectory.name)
        parents.stateDirectory.removeEmptyDirectory("tmp")
        outputDirectory.removeEmptyDirectory(".prep")
    }

    /// Waits until all that was written to this file system, and all names that it was given, are on the disk.
    func syncFileSystem() throws { try FileSystem.syncFileSystem(of: lockedDirectory.lockDescriptor) }

    // MARK: Directories of runs

    /// Makes and locks a directory. Between the two another run may take it for a dead one's and remove it: then again.
    private static func createLockedDirectory(in root: DirectoryHandle) throws(Errno) -> (
        ParentDirectories, LockedDirectory
    ) {
        for _ in 1..<100 {
            // Not by the process's number: two containers may have the same.
            let name = entryName(for: UInt64.random(in: 0...UInt64.max), radix: 36)
            do throws(Errno) {
                let place = try ParentDirectories(in: root)
                let directory = try place.temporaryDirectory.createSubdirectory(named: name, permissions: 0o700)
                let lock = try directory.openForReading()
                // A file system without locks is no reason to fail: there, what is abandoned is only never removed.
                if Self.tryLock(lock) != .wouldBlock,
                    isSameFile(try? place.temporaryDirectory.stat(name), try directory.stat())
                {
                    return (place, LockedDirectory(name: name, directoryHandle: directory, lockDescriptor: lock))
                }
                try? lock.close()
            } catch .noSuchFileOrDirectory {}
        }
        throw .resourceTemporarilyUnavailable
    }

    /// - Parameter current: is left alone: on NFS, locks are the process's, and don't keep it from itself.
    private static func removeAbandonedDirectories(in temporary: DirectoryHandle, except current: LockedDirectory) {
        guard let names = try? temporary.entryNames(), let owner = try? current.directoryHandle.stat().userID else {
            return
        }
        for name in names where name != current.name && isEntryName(name, radix: 36) {
            // Its owner is compared with that of the directory just made: on SMB and NFS that need not be this
            // process's.
            guard let directory = try? temporary.openSubdirectory(named: name), (try? directory.stat().userID) == owner,
                let lock = try? directory.openForReading()
            else { continue }
            if Self.tryLock(lock) == nil {
                removeDrafts(in: directory)
                temporary.removeEmptyDirectory(name)
            }
            try? lock.close()
        }
    }

    private static func removeDrafts(in directory: DirectoryHandle) {
        guard let owner = try? directory.stat().userID else { return }
        for name in (try? directory.entryNames()) ?? [] where isEntryName(name, radix: 10) {
            guard let stat = try? directory.stat(name), stat.type == .regular, stat.userID == owner else { continue }
            directory.removeFile(name)
        }
    }

    private static func isSameFile(_ named: Stat?, _ opened: Stat) -> Bool {
        named.map(FileIdentity.init) == FileIdentity(opened)
    }

    /// Why the directory could not be locked; nil if it was.
    private static func tryLock(_ directory: FileDescriptor) -> Errno? {
        flock(directory.rawValue, LOCK_EX | LOCK_NB) == 0 ? nil : Errno(rawValue: errno)
    }

    // MARK: Names

    private static func entryName(for number: UInt64, radix: Int) -> FilePath.Component {
        FilePath.Component(String(number, radix: radix)) ?? "0"
    }

    /// Whether it is the name of a number as `entryName(_:radix:)` makes it.
    private static func isEntryName(_ name: FilePath.Component, radix: Int) -> Bool {
        UInt64(name.string, radix: radix).map { Self.entryName(for: $0, radix: radix) } == name
    }
}
