package import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Writes manifest lines through a buffer.
package struct ManifestWriter: ~Copyable {
    private let path: FilePath
    private let file: FileDescriptor
    private var buffer: [UInt8] = []
    private var isClosed = false

    /// Opens a manifest that the user named.
    ///
    /// An existing file is truncated and keeps its permissions. It is locked until it is closed. Symbolic links are
    /// followed. The file may also be a device or a pipe.
    ///
    /// - Parameters:
    ///   - path: The path of the manifest, or `-` for standard output.
    ///   - access: Who may read a new file.
    /// - Throws: `BatchError` if the manifest cannot be opened, or another run is writing it.
    package init(path: FilePath, access: OutputAccess) throws(BatchError) {
        self.path = path
        do {
            file =
                path == "-"
                ? .standardOutput : try Self.openAndTruncate(path, permissions: access.auxiliaryFilePermissions)
        } catch Errno.wouldBlock {
            throw Self.inUseError(path)
        } catch {
            throw BatchError(.unwritable, message: "the manifest \(path) can't be written: \(error)", cause: error)
        }
    }

    private static func openAndTruncate(_ path: FilePath, permissions: FilePermissions) throws -> FileDescriptor {
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .closeOnExec], permissions: permissions)
        do {
            if try Stat(file).type == .regular {
                if file.tryLock() == .wouldBlock { throw Errno.wouldBlock }
                try file.resize(to: 0)
            }
            return file
        } catch {
            try? file.close()
            throw error
        }
    }

    private static func inUseError(_ path: FilePath) -> BatchError {
        BatchError(
            .unwritable, message: "another run is writing the manifest \(path): wait for it, or name another manifest")
    }

    /// Creates a manifest in an output directory, replacing an earlier one. It is locked until it is closed.
    ///
    /// - Parameters:
    ///   - name: The name of the manifest.
    ///   - directory: The output directory.
    ///   - access: Who may read the manifest.
    /// - Throws: `BatchError` if the manifest cannot be created. That includes the cases that another run is writing
    ///   it, and that a symbolic link, or another entry that is not a regular file, has the name. Such an entry is
    ///   kept, because `prep` did not create it.
    package init(creating name: FilePath.Component, in directory: FilePath, access: OutputAccess) throws(BatchError) {
        path = directory.appending(name)
        do throws(Errno) {
            let directory = try DirectoryHandle(directory)
            file = try Self.replaceFile(name, in: directory, permissions: access.auxiliaryFilePermissions)
        } catch .wouldBlock {
            throw Self.inUseError(path)
        } catch .fileExists {
            throw BatchError(
                .unwritable,
                message: "the manifest \(path) can't be written: it is a link or not a regular file; remove it")
        } catch {
            throw BatchError(.unwritable, message: "the manifest \(path) can't be written: \(error)", cause: error)
        }
    }

    deinit {
        if !isClosed && file != .standardOutput { try? file.close() }
    }

    /// Creates and locks a file, replacing a regular file of the same name.
    ///
    /// The earlier file is removed rather than truncated, because it may have other hard links. Any other entry is
    /// kept, and makes the creation fail.
    ///
    /// - Throws: `EWOULDBLOCK` if another run has the lock; the system's other errors.
    private static func replaceFile(
        _ name: FilePath.Component, in directory: DirectoryHandle, permissions: FilePermissions
    ) throws(Errno) -> FileDescriptor {
        var earlierFile: FileDescriptor?
        defer { try? earlierFile?.close() }
        if let existing = try? directory.stat(name), existing.type == .regular {
            // A file that cannot be opened, or is on a file system without locks, is replaced as if it were not locked.
            earlierFile = try? directory.openFileForUpdating(name)
            // Before a file is locked, another run may have replaced it.
            if let earlierFile,
                earlierFile.tryLock() == .wouldBlock || !directory.isEntry(name, sameFileAs: earlierFile)
            {
                throw .wouldBlock
            }
            if let error = directory.removeFile(name), error != .noSuchFileOrDirectory { throw error }
        }
        let file = try directory.createFile(name, permissions: permissions)
        if file.tryLock() != .wouldBlock, directory.isEntry(name, sameFileAs: file) { return file }
        try? file.close()
        throw .wouldBlock
    }

    /// Returns the default name of a manifest in an output directory.
    package static func defaultFileName(shard: Shard?) -> FilePath.Component {
        FilePath.Component("manifest\(shard?.fileNameSuffix ?? "").jsonl") ?? "manifest.jsonl"
    }

    /// Adds a line, including its terminator, to the buffer.
    ///
    /// - Throws: `BatchError` if the buffer is full and cannot be written.
    package mutating func writeLine(_ line: some Sequence<UInt8>) throws(BatchError) {
        buffer += line
        if buffer.count >= 64 << 10 { try flush() }
    }

    /// Writes the buffered lines. They are discarded even if writing fails: a part of them may have been written, and
    /// writing them again would start a line within another.
    ///
    /// - Throws: `BatchError` if the file cannot be written.
    package mutating func flush() throws(BatchError) {
        defer { buffer.removeAll(keepingCapacity: true) }
        do {
            _ = try file.writeAll(buffer)
        } catch {
            throw BatchError(.unwritable, message: "the manifest \(path) can't be written: \(error)", cause: error)
        }
    }

    /// Writes the buffered lines, and closes the file. Standard output stays open. Nothing may be written afterwards.
    ///
    /// - Throws: `BatchError` if the file cannot be written.
    package mutating func close() throws(BatchError) {
        try flush()
        if isClosed || file == .standardOutput { return }
        isClosed = true
        do { try file.close() } catch {
            throw BatchError(.unwritable, message: "the manifest \(path) can't be written: \(error)", cause: error)
        }
    }
}
