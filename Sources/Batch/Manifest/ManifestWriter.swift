package import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Writes manifest lines through a buffer. It must not be used by two threads at once.
package struct ManifestWriter {
    private let path: FilePath
    private let file: FileDescriptor
    private var buffer: [UInt8] = []

    /// Opens a manifest that the user named.
    ///
    /// An existing file is truncated and keeps its permissions. Symbolic links are followed. The file may be a device
    /// or a pipe.
    ///
    /// - Parameters:
    ///   - path: The path of the manifest, or `-` for standard output.
    ///   - access: Who may read a new file.
    /// - Throws: `BatchError` if the manifest cannot be opened.
    package init(path: FilePath, access: OutputAccess) throws(BatchError) {
        self.path = path
        do {
            file =
                path == "-"
                ? .standardOutput
                : try FileDescriptor.open(
                    path, .writeOnly, options: [.create, .truncate, .closeOnExec],
                    permissions: access.auxiliaryFilePermissions)
        } catch {
            throw BatchError(.unwritable, message: "the manifest \(path) can't be written: \(error)", cause: error)
        }
    }

    /// Creates a manifest in an output directory, replacing an earlier one.
    ///
    /// - Parameters:
    ///   - name: The name of the manifest.
    ///   - directory: The output directory.
    ///   - access: Who may read the manifest.
    /// - Throws: `BatchError` if the manifest cannot be created. That includes the case that a symbolic link, or
    ///   another entry that is not a regular file, has the name. It is kept, because `prep` did not create it.
    package init(creating name: FilePath.Component, in directory: FilePath, access: OutputAccess) throws(BatchError) {
        path = directory.appending(name)
        do throws(Errno) {
            let directory = try DirectoryHandle(directory)
            // The file is removed rather than truncated, because it may have other hard links. Any other entry is kept,
            // and makes the creation fail.
            if let existing = try? directory.stat(name), existing.type == .regular { directory.removeFile(name) }
            file = try directory.createFile(name, permissions: access.auxiliaryFilePermissions)
        } catch .fileExists {
            throw BatchError(
                .unwritable,
                message: "the manifest \(path) can't be written: it is a link or not a regular file; remove it")
        } catch {
            throw BatchError(.unwritable, message: "the manifest \(path) can't be written: \(error)", cause: error)
        }
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
}
