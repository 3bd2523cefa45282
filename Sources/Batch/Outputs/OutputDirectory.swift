// `unsafe`: passes the address of the bytes to write to the system.

internal import Diagnostics
internal import MediaPrep
internal import SHA256
package import SystemPackage
internal import SystemSupport

/// The reason for which a single output cannot be written. Other outputs can.
struct OutputRejection: Error {
    var reason: Diagnostic
}

/// The output directory of a run. Every output in it is complete: it is written below `.prep/tmp`, synchronized to
/// disk, and then renamed.
package final class OutputDirectory: Sendable {
    /// A complete file that does not have its final name yet.
    package struct Draft: Sendable {
        /// The final path, relative to the output directory.
        var outputPath: FilePath
        var sha256: String
        var byteCount: Int64
        /// The modification time, in nanoseconds since 1970.
        var modificationTime: Int64
        /// Whether a file with other content must not be replaced, because no run has recorded it.
        var protectsExistingFile = false
        /// The name in the draft directory.
        fileprivate var temporaryName: FilePath.Component
    }

    let path: FilePath
    private let directoryHandle: DirectoryHandle
    private let draftDirectory: DraftDirectory
    private let outputAccess: OutputAccess
    /// The input files, which no output may replace.
    private let protectedInputs: InputFiles
    private let reservedPaths: [FilePath]

    /// Creates the directory if it does not exist, and the draft directory in it.
    ///
    /// - Parameters:
    ///   - path: The path of the output directory.
    ///   - inputs: The input files, which no output may replace.
    ///   - others: Other files that the run writes, which no output may replace either.
    ///   - access: Who may read the outputs.
    /// - Throws: `BatchError` if a directory cannot be created.
    package init(
        path: FilePath, protecting inputs: InputList, reservedPaths others: [FilePath] = [],
        access: OutputAccess = .sameAsInputs
    ) throws(BatchError) {
        self.path = path
        self.protectedInputs = InputFiles(inputs)
        self.reservedPaths = others
        self.outputAccess = access
        do throws(Errno) {
            try FileSystem.createDirectory(at: path)
            directoryHandle = try DirectoryHandle(path)
            draftDirectory = try DraftDirectory(in: directoryHandle)
        } catch .tooManySymbolicLinkLevels {
            throw BatchError(
                .unwritable,
                message: "\(Self.stateDirectory(in: path)) or a directory in it is a symbolic link: remove it")
        } catch {
            throw BatchError(
                .unwritable, message: "the output directory \(path) can't be written to: \(error)", cause: error)
        }
    }

    /// Removes temporary files even if the run ends before it prepares anything.
    deinit { removeTemporaryFiles() }

    /// Returns the path of the directory for the run's own files in an output directory.
    package static func stateDirectory(in path: FilePath) -> FilePath { path.appending(".prep") }

    /// Writes the content of an output to a draft.
    ///
    /// - Parameters:
    ///   - name: The path of the output, relative to the output directory.
    ///   - modificationTime: The modification time to set, in nanoseconds since 1970, or `nil` for the current time.
    ///   - inputPermissions: The permissions of the input, from which those of the output are derived.
    ///   - content: A closure that passes the content to its argument in chunks.
    /// - Returns: The draft.
    /// - Throws: `OutputRejection` if this output cannot be written; `BatchError` if no output can be written;
    ///   `CancellationError`. The draft is removed in each case.
    func writeDraft(
        for name: FilePath, modificationTime: Int64?, inputPermissions: FilePermissions,
        content: (_ write: (Span<UInt8>) throws -> Void) throws -> Void
    ) throws -> Draft {
        let target = path.pushing(name)
        if let existing = FileIdentity(target) {
            if protectedInputs.contains(existing) {
                throw OutputRejection(
                    reason: Diagnostic(.overwritesInput, message: "the output \(target) is one of the inputs"))
            }
            if reservedPaths.contains(where: { FileIdentity($0) == existing }) {
                throw OutputRejection(reason: .reservedName)
            }
        }
        let temporaryName = draftDirectory.makeUniqueDraftName()
        do {
            let (sha256, version) = try writeContent(
                content, to: temporaryName, modificationTime: modificationTime,
                permissions: outputAccess.outputPermissions(forInput: inputPermissions))
            return Draft(
                outputPath: name, sha256: sha256, byteCount: version.size,
                modificationTime: version.modifiedNanoseconds,
                temporaryName: temporaryName)
        } catch {
            draftDirectory.directoryHandle.removeFile(temporaryName)
            throw rejectionOrBatchError(for: error, target: target)
        }
    }

    /// Renames drafts to their final names.
    ///
    /// Their content is synchronized to disk before, and their names after the renaming. Therefore, after power loss
    /// each output is complete or missing.
    ///
    /// - Returns: The reasons for which drafts could not be renamed, keyed by position in `drafts`. Those drafts are
    ///   removed.
    /// - Throws: `BatchError` if no output can be written.
    func publishDrafts(_ drafts: [Draft]) throws -> [Int: Diagnostic] {
        guard !drafts.isEmpty else { return [:] }
        var rejected: [Int: Diagnostic] = [:]
        try syncToDisk()
        // Outputs are usually ordered by directory, so the last directory stays open.
        var last: (path: FilePath, directory: DirectoryHandle)?
        for (index, draft) in drafts.enumerated() {
            do throws(Errno) {
                let parent = draft.outputPath.removingLastComponent()
                let directory =
                    if let last, last.path == parent { last.directory } else {
                        try directoryHandle.createSubdirectories(at: parent)
                    }
                last = (parent, directory)
                if draft.protectsExistingFile, Self.isOtherFile(than: draft, in: directory) {
                    self.draftDirectory.directoryHandle.removeFile(draft.temporaryName)
                    rejected[index] = .unrecordedFile(path.pushing(draft.outputPath))
                } else {
                    try moveDraft(draft, into: directory)
                }
            } catch {
                self.draftDirectory.directoryHandle.removeFile(draft.temporaryName)
                let description = rejectionOrBatchError(for: error, target: path.pushing(draft.outputPath))
                guard let rejection = description as? OutputRejection else { throw description }
                rejected[index] = rejection.reason
            }
        }
        try syncToDisk()
        return rejected
    }

    /// Returns whether a file has the name of `draft`, but not its content. A run that was killed may have published
    /// the same draft without recording it.
    private static func isOtherFile(than draft: Draft, in directory: DirectoryHandle) -> Bool {
        guard let name = draft.outputPath.lastComponent, let existing = try? directory.stat(name),
            existing.type == .regular
        else { return false }
        guard existing.size == draft.byteCount else { return true }
        var digest = SHA256Hasher()
        do { try directory.forEachChunk(ofFile: name) { digest.update(bytes: $0) } } catch { return true }
        return digest.hexDigest() != draft.sha256
    }

    private func moveDraft(_ draft: Draft, into directory: DirectoryHandle) throws(Errno) {
        guard let name = draft.outputPath.lastComponent, name.kind == .regular else { throw .invalidArgument }
        try draftDirectory.directoryHandle.rename(draft.temporaryName, to: name, in: directory)
    }

    /// Removes the files and directories that are needed only during a run.
    func removeTemporaryFiles() {
        draftDirectory.removeDraftsAndDirectories()
    }

    private func syncToDisk() throws {
        do { try draftDirectory.syncFileSystem() } catch {
            throw BatchError(
                .unwritable, message: "the outputs in \(path) cannot be written to disk: \(error)", cause: error)
        }
    }

    private func writeContent(
        _ content: (_ write: (Span<UInt8>) throws -> Void) throws -> Void, to draft: FilePath.Component,
        modificationTime: Int64?,
        permissions: FilePermissions
    ) throws -> (sha256: String, FileVersion) {
        var digest = SHA256Hasher()
        let file = try draftDirectory.directoryHandle.createFile(draft, permissions: permissions)
        let version = try file.closeAfter {
            try content { bytes in
                // An audio file may have gigabytes, so cancellation must take effect within it.
                try Task.checkCancellation()
                _ = unsafe try bytes.withUnsafeBytes { unsafe try file.writeAll($0) }
                digest.update(bytes: unsafe bytes.bytes)
            }
            if let modificationTime { try FileSystem.setModificationTime(modificationTime, of: file) }
            outputAccess.restoreOwnerAccess(to: file)
            return FileVersion(try Stat(file))
        }
        return (digest.hexDigest(), version)
    }

    /// Returns an `OutputRejection` if the error concerns only this output, or a `BatchError` if no other output could
    /// be written either.
    private func rejectionOrBatchError(for error: any Error, target: FilePath) -> any Error {
        switch error {
        case let error as MediaError: return OutputRejection(reason: Diagnostic(error))
        case is CancellationError: return error
        case Errno.tooManySymbolicLinkLevels:
            let message = "the output \(target) can't be written: a directory on its path is a symbolic link"
            return OutputRejection(reason: Diagnostic(.unwritable, message: message))
        case Errno.noSpace, Errno.diskQuotaExceeded, Errno.readOnlyFileSystem, Errno.ioError:
            return BatchError(.unwritable, message: "the output \(target) can't be written: \(error)", cause: error)
        default:
            return OutputRejection(
                reason: Diagnostic(.unwritable, message: "the output \(target) can't be written: \(error)"))
        }
    }
}

extension Diagnostic {
    fileprivate static func unrecordedFile(_ path: FilePath) -> Diagnostic {
        Diagnostic(
            .nameCollision,
            message: "its output would replace \(path), which the ledger does not record: choose another output "
                + "directory, remove that file, or use --force")
    }
}
