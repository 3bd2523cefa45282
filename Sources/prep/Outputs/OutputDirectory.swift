// `unsafe`: hands the address of the bytes to write to the system.

internal import Ledger
internal import MediaPrep
internal import SystemPackage
internal import Uploading

/// The directory of results. Every file in it is whole: it is written beside, below `.prep/tmp`, brought to the disk,
/// and then renamed.
final class OutputDirectory: Sendable {
    /// A file that is written, and doesn't have its name yet.
    struct Draft: Sendable {
        /// Relative to the output directory.
        var outputPath: FilePath
        var sha256: String
        var byteCount: Int64
        /// When it was written, in nanoseconds since 1970.
        var modificationTime: Int64
        /// Among the drafts.
        fileprivate var temporaryName: FilePath.Component
    }

    let path: FilePath
    private let directoryHandle: DirectoryHandle
    private let draftDirectory: DraftDirectory
    private let outputAccess: OutputAccess
    /// Files that no output may replace.
    private let protectedInputs: InputFiles
    private let reservedPaths: [FilePath]

    /// - Parameters:
    ///   - inputs: files that no output may replace.
    ///   - others: what else the run writes, which none may replace either.
    ///   - access: who may read the outputs.
    /// - Throws: if the directories can't be made.
    init(
        path: FilePath, protecting inputs: InputList, reservedPaths others: [FilePath] = [],
        access: OutputAccess = .sameAsInputs
    ) throws(RunError) {
        self.path = path
        self.protectedInputs = InputFiles(inputs)
        self.reservedPaths = others
        self.outputAccess = access
        do throws(Errno) {
            try FileSystem.createDirectory(at: path)
            directoryHandle = try DirectoryHandle(path)
            draftDirectory = try DraftDirectory(in: directoryHandle)
        } catch .tooManySymbolicLinkLevels {
            throw RunError("\(Self.stateDirectory(in: path)) or a directory in it is a symbolic link: remove it")
        } catch {
            throw RunError("the output directory \(path) can't be written to: \(error)")
        }
    }

    /// A run that is refused before it begins leaves nothing either.
    deinit { removeTemporaryFiles() }

    /// What in an output directory is for the command alone.
    static func stateDirectory(in path: FilePath) -> FilePath { path.appending(".prep") }

    /// Writes what `content` hands over, a chunk at a time, for the output `outputPath`.
    ///
    /// - Parameters:
    ///   - modificationTime: the time of last change that it is to have, in nanoseconds since 1970; nil for now.
    ///   - inputPermissions: those of the input, from which the output's follow.
    /// - Throws: a `Reason` if it can't be written, or a `RunError` if nothing can; nothing of the file is then there.
    func writeDraft(
        for name: FilePath, modificationTime: Int64?, inputPermissions: FilePermissions,
        content: (_ write: ([UInt8]) throws -> Void) throws -> Void
    ) throws -> Draft {
        let target = path.pushing(name)
        if let existing = FileIdentity(target) {
            if protectedInputs.contains(existing) {
                throw ManifestDiagnostic(code: "overwrites-input", message: "the output \(target) is one of the inputs")
            }
            if reservedPaths.contains(where: { FileIdentity($0) == existing }) { throw ManifestDiagnostic.reservedName }
        }
        let temporaryName = draftDirectory.makeUniqueDraftName()
        do {
            let (sha256, stamp) = try writeContent(
                content, to: temporaryName, modificationTime: modificationTime,
                permissions: outputAccess.outputPermissions(forInput: inputPermissions))
            return Draft(
                outputPath: name, sha256: sha256, byteCount: stamp.size, modificationTime: stamp.modifiedNanoseconds,
                temporaryName: temporaryName)
        } catch {
            draftDirectory.directoryHandle.removeFile(temporaryName)
            throw reasonOrRunError(for: error, target: target)
        }
    }

    /// Gives drafts their names, so that loss of power leaves each whole or not there: what they hold is brought to the
    /// disk before, and the names after.
    ///
    /// - Returns: why a draft could not be given its name, by its place; nothing of it is then there.
    /// - Throws: a `RunError` if nothing can be written.
    func publishDrafts(_ drafts: [Draft]) throws -> [Int: ManifestDiagnostic] {
        guard !drafts.isEmpty else { return [:] }
        var rejected: [Int: ManifestDiagnostic] = [:]
        try syncToDisk()
        // Outputs of one directory mostly follow one another.
        var last: (path: FilePath, directory: DirectoryHandle)?
        for (index, draft) in drafts.enumerated() {
            do throws(Errno) {
                let parent = draft.outputPath.removingLastComponent()
                let directory =
                    if let last, last.path == parent { last.directory } else {
                        try directoryHandle.createSubdirectories(at: parent)
                    }
                last = (parent, directory)
                try moveDraft(draft, into: directory)
            } catch {
                self.draftDirectory.directoryHandle.removeFile(draft.temporaryName)
                let description = reasonOrRunError(for: error, target: path.pushing(draft.outputPath))
                guard let reason = description as? ManifestDiagnostic else { throw description }
                rejected[index] = reason
            }
        }
        try syncToDisk()
        return rejected
    }

    private func moveDraft(_ draft: Draft, into directory: DirectoryHandle) throws(Errno) {
        guard let name = draft.outputPath.lastComponent, name.kind == .regular else { throw .invalidArgument }
        try draftDirectory.directoryHandle.rename(draft.temporaryName, to: name, in: directory)
    }

    /// Removes what only a run in progress needs.
    func removeTemporaryFiles() {
        draftDirectory.removeDraftsAndDirectories()
    }

    private func syncToDisk() throws {
        do { try draftDirectory.syncFileSystem() } catch {
            throw RunError("the outputs in \(path) can't be brought to the disk: \(error)")
        }
    }

    private func writeContent(
        _ content: (_ write: ([UInt8]) throws -> Void) throws -> Void, to draft: FilePath.Component,
        modificationTime: Int64?,
        permissions: FilePermissions
    ) throws -> (sha256: String, FileStamp) {
        var digest = SHA256Hasher()
        let file = try draftDirectory.directoryHandle.createFile(draft, permissions: permissions)
        let stamp = try file.closeAfter {
            try content { bytes in
                // A recording may be gigabytes long.
                try Task.checkCancellation()
                _ = unsafe try bytes.withUnsafeBytes { unsafe try file.writeAll($0) }
                digest.update(bytes: bytes)
            }
            if let modificationTime { try FileSystem.setModificationTime(modificationTime, of: file) }
            outputAccess.restoreOwnerAccess(to: file)
            return FileStamp(try Stat(file))
        }
        return (digest.hexDigest(), stamp)
    }

    /// A reason that concerns one output, or the run's end where no other could be written either.
    private func reasonOrRunError(for error: any Error, target: FilePath) -> any Error {
        switch error {
        case let error as MediaError: return ManifestDiagnostic(error)
        case is CancellationError: return error
        case Errno.tooManySymbolicLinkLevels:
            let message = "the output \(target) can't be written: a directory on its path is a symbolic link"
            return ManifestDiagnostic(code: "unwritable", message: message)
        case Errno.noSpace, Errno.diskQuotaExceeded, Errno.readOnlyFileSystem, Errno.ioError:
            return RunError("the output \(target) can't be written: \(error)")
        default:
            return ManifestDiagnostic(code: "unwritable", message: "the output \(target) can't be written: \(error)")
        }
    }
}
