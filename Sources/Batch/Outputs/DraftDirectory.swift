internal import Synchronization
internal import SystemPackage

/// The directory where a run writes its outputs before they are complete.
///
/// It is a separate directory below `.prep/tmp`, which is locked during the run. If a run is killed, its lock is
/// released, and the next run removes the directory.
///
/// The output directory may contain anything, including planted links. Therefore, every entry is accessed through the
/// open directory that contains it. A run removes only what an earlier run could have created: directories and files
/// with such names that are not links and do not belong to another user.
final class DraftDirectory: Sendable {
    /// The directories `.prep` and `.prep/tmp` in the output directory.
    private struct ParentDirectories {
        let stateDirectory: DirectoryHandle
        let temporaryDirectory: DirectoryHandle

        init(in root: DirectoryHandle) throws(Errno) {
            stateDirectory = try root.createSubdirectory(named: ".prep", permissions: .ownerReadWriteExecute)
            temporaryDirectory = try stateDirectory.createSubdirectory(
                named: "tmp", permissions: .ownerReadWriteExecute)
        }
    }

    /// A run's own directory in `.prep/tmp`.
    private struct LockedDirectory {
        let name: FilePath.Component
        let directoryHandle: DirectoryHandle
        /// The descriptor that holds the lock on the directory.
        let lockDescriptor: FileDescriptor
    }

    private let outputDirectory: DirectoryHandle
    private let parents: ParentDirectories
    private let lockedDirectory: LockedDirectory
    private let draftCounter = Atomic<UInt64>(0)

    /// Creates and locks a directory, and removes directories that earlier runs left.
    ///
    /// - Parameter root: The output directory, which all runs into it share.
    /// - Throws: The system's error.
    init(in root: DirectoryHandle) throws(Errno) {
        self.outputDirectory = root
        (parents, lockedDirectory) = try Self.createLockedDirectory(in: root)
        Self.removeAbandonedDirectories(in: parents.temporaryDirectory, except: lockedDirectory)
    }

    deinit { try? lockedDirectory.lockDescriptor.close() }

    /// The directory that contains the drafts.
    var directoryHandle: DirectoryHandle { lockedDirectory.directoryHandle }

    /// Returns a name that no other draft of this run has.
    func makeUniqueDraftName() -> FilePath.Component {
        Self.entryName(for: draftCounter.wrappingAdd(1, ordering: .relaxed).newValue, radix: 10)
    }

    /// Removes unpublished drafts, and the directories that are needed only during a run.
    func removeDraftsAndDirectories() {
        Self.removeDrafts(in: lockedDirectory.directoryHandle)
        parents.temporaryDirectory.removeEmptyDirectory(lockedDirectory.name)
        parents.stateDirectory.removeEmptyDirectory("tmp")
        outputDirectory.removeEmptyDirectory(".prep")
    }

    /// Waits until all writes to this file system are on disk, including those of directory entries.
    ///
    /// - Throws: The system's error.
    func syncFileSystem() throws { try FileSystem.syncFileSystem(of: lockedDirectory.lockDescriptor) }

    // MARK: Directories of runs

    /// Creates and locks a directory. Before it is locked, another run may consider it abandoned and remove it. In that
    /// case, this method tries again.
    private static func createLockedDirectory(in root: DirectoryHandle) throws(Errno) -> (
        ParentDirectories, LockedDirectory
    ) {
        for _ in 1..<100 {
            // The process ID is not used as a name, because processes in two containers may have the same ID.
            let name = entryName(for: UInt64.random(in: 0...UInt64.max), radix: 36)
            do throws(Errno) {
                let place = try ParentDirectories(in: root)
                let directory = try place.temporaryDirectory.createSubdirectory(
                    named: name, permissions: .ownerReadWriteExecute)
                let lock = try directory.openForReading()
                // A file system without locks is accepted. There, abandoned directories are never removed.
                if lock.tryLock() != .wouldBlock, place.temporaryDirectory.isEntry(name, sameFileAs: lock) {
                    return (place, LockedDirectory(name: name, directoryHandle: directory, lockDescriptor: lock))
                }
                try? lock.close()
            } catch .noSuchFileOrDirectory {}
        }
        throw .resourceTemporarilyUnavailable
    }

    /// Removes the directories of runs that were killed.
    ///
    /// - Parameters:
    ///   - temporary: The directory `.prep/tmp`.
    ///   - current: The directory of this run, which is kept. On NFS, locks belong to the process and do not exclude
    ///     itself.
    private static func removeAbandonedDirectories(in temporary: DirectoryHandle, except current: LockedDirectory) {
        guard let names = try? temporary.entryNames(), let owner = try? current.directoryHandle.stat().userID else {
            return
        }
        for name in names where name != current.name && isEntryName(name, radix: 36) {
            // The owner is compared with that of this run's new directory, because on SMB and NFS it may differ from
            // the process's user.
            guard let directory = try? temporary.openSubdirectory(named: name), (try? directory.stat().userID) == owner,
                let lock = try? directory.openForReading()
            else { continue }
            if lock.tryLock() == nil {
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

    // MARK: Names

    private static func entryName(for number: UInt64, radix: Int) -> FilePath.Component {
        FilePath.Component(String(number, radix: radix)) ?? "0"
    }

    /// Returns whether `name` is one that `entryName(for:radix:)` returns for a number.
    private static func isEntryName(_ name: FilePath.Component, radix: Int) -> Bool {
        UInt64(name.string, radix: radix).map { Self.entryName(for: $0, radix: radix) } == name
    }
}
