package import SystemPackage

/// A file that is replaced atomically: it is written beside its final path, and then renamed.
///
/// A symbolic link that the user named is followed and kept. The file is written in place if the link is dangling, or
/// if the path is not a regular file but, for example, a pipe or a device. The path `-` is standard output.
package struct AtomicFile: ~Copyable {
    /// The path as it was given, for messages.
    private let givenPath: FilePath
    private let targetPath: FilePath
    private let draftPath: FilePath
    private let descriptor: FileDescriptor
    private var isInPlace: Bool

    /// Opens a draft beside the final path, or the file itself if it is written in place.
    ///
    /// - Parameters:
    ///   - name: The path as it was given, or `-` for standard output.
    ///   - access: Who may read a new file. An existing file keeps its permissions.
    /// - Throws: `BatchError` if the file cannot be created.
    package init(path name: FilePath, access: OutputAccess) throws(BatchError) {
        self.givenPath = name
        if name == "-" {
            (targetPath, draftPath, descriptor, isInPlace) = (name, name, .standardOutput, true)
            return
        }
        // The link itself is kept: /dev/stdout is one, for example.
        targetPath = FileSystem.realPath(of: name) ?? name
        let existing = try? name.stat()
        isInPlace = (existing ?? (try? name.stat(followTargetSymlink: false))).map { $0.type != .regular } ?? false
        let token = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        draftPath = targetPath.removingLastComponent().appending(".prep-draft-\(token)")
        do {
            descriptor =
                isInPlace
                ? try FileDescriptor.open(
                    name, .writeOnly, options: [.create, .closeOnExec], permissions: access.auxiliaryFilePermissions)
                : try FileDescriptor.open(
                    draftPath, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                    permissions: access.auxiliaryFilePermissions)
        } catch {
            throw BatchError(.unwritable, message: "\(name) can't be written: \(error)", cause: error)
        }
        if !isInPlace, let existing {
            descriptor.setPermissions(existing.permissions.intersection(FilePermissions(rawValue: 0o777)))
        }
    }

    deinit {
        if descriptor != .standardOutput { try? descriptor.close() }
        if !isInPlace { FileSystem.removeFile(at: draftPath) }
    }

    package func write(_ bytes: [UInt8]) throws(BatchError) {
        do { _ = try descriptor.writeAll(bytes) } catch {
            let name = givenPath == "-" ? "the standard output" : "\(givenPath)"
            throw BatchError(.unwritable, message: "\(name) can't be written: \(error)", cause: error)
        }
    }

    /// Renames the draft to its final path, after its content is on disk. Therefore, after power loss the path has the
    /// earlier content or all of the new one.
    ///
    /// - Throws: `BatchError` if the content cannot be written to disk, or the file cannot be renamed.
    package consuming func moveIntoPlace() throws(BatchError) {
        if isInPlace { return }
        do {
            try descriptor.synchronizeContent()
            try FileSystem.rename(draftPath, to: targetPath)
            isInPlace = true
        } catch {
            throw BatchError(.unwritable, message: "\(givenPath) can't be written: \(error)", cause: error)
        }
    }
}
