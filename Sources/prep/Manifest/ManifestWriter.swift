internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Writes manifest lines as they come. Not for use by two threads at once.
struct ManifestWriter {
    private let path: FilePath
    private let file: FileDescriptor
    private var buffer: [UInt8] = []

    /// Opens a file that the user named. It is emptied first and keeps its permissions, and links to it are followed:
    /// it may be a device or a pipe.
    ///
    /// - Parameters:
    ///   - path: a file, or `-` for standard output.
    ///   - access: who may read a file that does not exist yet.
    init(path: FilePath, access: OutputAccess) throws(RunError) {
        self.path = path
        do {
            file =
                path == "-"
                ? .standardOutput
                : try FileDescriptor.open(
                    path, .writeOnly, options: [.create, .truncate, .closeOnExec],
                    permissions: access.auxiliaryFilePermissions)
        } catch {
            throw RunError("the manifest \(path) can't be written: \(error)")
        }
    }

    /// Creates a manifest in an output directory, in place of an earlier one.
    ///
    /// - Throws: if a link, or anything else but a regular file, has its name: whoever put it there did not write a
    ///   manifest.
    init(creating name: FilePath.Component, in directory: FilePath, access: OutputAccess) throws(RunError) {
        path = directory.appending(name)
        do throws(Errno) {
            let directory = try DirectoryHandle(directory)
            // Not emptied in place: the file may have another name elsewhere. What else has the name stays, and is in
            // the way.
            if let existing = try? directory.stat(name), existing.type == .regular { directory.removeFile(name) }
            file = try directory.createFile(name, permissions: access.auxiliaryFilePermissions)
        } catch .fileExists {
            throw RunError("the manifest \(path) can't be written: it is a link or no regular file; remove it")
        } catch {
            throw RunError("the manifest \(path) can't be written: \(error)")
        }
    }

    /// What a manifest in an output directory is called.
    static func defaultFileName(shard: Shard?) -> FilePath.Component {
        FilePath.Component("manifest\(shard?.fileNameSuffix ?? "").jsonl") ?? "manifest.jsonl"
    }

    /// Takes a line, its end included.
    mutating func writeLine(_ line: some Sequence<UInt8>) throws(RunError) {
        buffer += line
        if buffer.count >= 64 << 10 { try flush() }
    }

    /// Writes what was taken. What fails is not tried again: a part of it may be written, and a line in the middle of
    /// another would follow.
    mutating func flush() throws(RunError) {
        defer { buffer.removeAll(keepingCapacity: true) }
        do {
            _ = try file.writeAll(buffer)
        } catch {
            throw RunError("the manifest \(path) can't be written: \(error)")
        }
    }
}
