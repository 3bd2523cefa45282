// `unsafe`: hands the address of the bytes to write to the system.

internal import Ledger
internal import MediaPrep
internal import SystemPackage
internal import Uploading

/// The directory of results. Every file in it is whole: it is written beside, below `.prep/tmp`, brought to the disk, and then
/// renamed.
final class OutputDirectory: Sendable {
    /// A file that is written, and doesn't have its name yet.
    struct Draft: Sendable {
        /// Relative to the output directory.
        var name: FilePath
        var sha256: String
        var size: Int64
        /// When it was written, in nanoseconds since 1970.
        var modified: Int64
        /// Among the drafts.
        fileprivate var temporaryName: FilePath.Component
    }

    let path: FilePath
    private let root: DirectoryHandle
    private let drafts: Drafts
    private let access: OutputAccess
    /// Files that no output may replace.
    private let inputs: InputFiles
    private let others: [FilePath]

    /// - Parameters:
    ///   - inputs: files that no output may replace.
    ///   - others: what else the run writes, which none may replace either.
    ///   - access: who may read the outputs.
    /// - Throws: if the directories can't be made.
    init(
        _ path: FilePath, sparing inputs: InputList, and others: [FilePath] = [], access: OutputAccess = .likeInputs
    ) throws(RunError) {
        self.path = path
        self.inputs = InputFiles(inputs)
        self.others = others
        self.access = access
        do throws(Errno) {
            try FileSystem.createDirectory(path)
            root = try DirectoryHandle(path)
            drafts = try Drafts(in: root)
        } catch .tooManySymbolicLinkLevels {
            throw RunError("\(Self.privatePath(in: path)) or a directory in it is a symbolic link: remove it")
        } catch {
            throw RunError("the output directory \(path) can't be written to: \(error)")
        }
    }

    /// A run that is refused before it begins leaves nothing either.
    deinit { close() }

    /// What in an output directory is for the command alone.
    static func privatePath(in path: FilePath) -> FilePath { path.appending(".prep") }

    /// Writes what `content` hands over, a chunk at a time, for the output `name`.
    ///
    /// - Parameters:
    ///   - modified: the time of last change that it is to have, in nanoseconds since 1970; nil for now.
    ///   - inputPermissions: those of the input, from which the output's follow.
    /// - Throws: a `Reason` if it can't be written, or a `RunError` if nothing can; nothing of the file is then there.
    func draft(
        _ name: FilePath, modified: Int64?, inputPermissions: FilePermissions,
        _ content: (_ write: ([UInt8]) throws -> Void) throws -> Void
    ) throws -> Draft {
        let target = path.pushing(name)
        if let existing = FileIdentity(target) {
            if inputs.contains(existing) {
                throw Reason(code: "overwrites-input", message: "the output \(target) is one of the inputs")
            }
            if others.contains(where: { FileIdentity($0) == existing }) { throw Reason.reservedName }
        }
        let temporaryName = drafts.next()
        do {
            let (sha256, stamp) = try write(
                content, to: temporaryName, modified: modified, access.permissions(ofOutputFor: inputPermissions))
            return Draft(
                name: name, sha256: sha256, size: stamp.size, modified: stamp.modifiedNanoseconds,
                temporaryName: temporaryName)
        } catch {
            drafts.directory.removeFile(temporaryName)
            throw describing(error, target)
        }
    }

    /// Gives drafts their names, so that loss of power leaves each whole or not there: what they hold is brought to the disk
    /// before, and the names after.
    ///
    /// - Returns: why a draft could not be given its name, by its place; nothing of it is then there.
    /// - Throws: a `RunError` if nothing can be written.
    func publish(_ drafts: [Draft]) throws -> [Int: Reason] {
        guard !drafts.isEmpty else { return [:] }
        var refused: [Int: Reason] = [:]
        try sync()
        // Outputs of one directory mostly follow one another.
        var last: (path: FilePath, directory: DirectoryHandle)?
        for (index, draft) in drafts.enumerated() {
            do throws(Errno) {
                let parent = draft.name.removingLastComponent()
                let directory =
                    if let last, last.path == parent { last.directory } else { try root.makeSubdirectories(parent) }
                last = (parent, directory)
                try rename(draft, into: directory)
            } catch {
                self.drafts.directory.removeFile(draft.temporaryName)
                let description = describing(error, path.pushing(draft.name))
                guard let reason = description as? Reason else { throw description }
                refused[index] = reason
            }
        }
        try sync()
        return refused
    }

    private func rename(_ draft: Draft, into directory: DirectoryHandle) throws(Errno) {
        guard let name = draft.name.lastComponent, name.kind == .regular else { throw .invalidArgument }
        try drafts.directory.rename(draft.temporaryName, to: name, in: directory)
    }

    /// Removes what only a run in progress needs.
    func close() {
        drafts.close()
    }

    private func sync() throws {
        do { try drafts.sync() } catch {
            throw RunError("the outputs in \(path) can't be brought to the disk: \(error)")
        }
    }

    private func write(
        _ content: (_ write: ([UInt8]) throws -> Void) throws -> Void, to draft: FilePath.Component, modified: Int64?,
        _ permissions: FilePermissions
    ) throws -> (sha256: String, FileStamp) {
        var digest = SHA256Hasher()
        let file = try drafts.directory.createFile(draft, permissions: permissions)
        let stamp = try file.closeAfter {
            try content { bytes in
                // A recording may be gigabytes long.
                try Task.checkCancellation()
                _ = unsafe try bytes.withUnsafeBytes { unsafe try file.writeAll($0) }
                digest.update(bytes: bytes)
            }
            if let modified { try FileSystem.setModified(modified, of: file) }
            access.restoreOwnerAccess(to: file)
            return FileStamp(try Stat(file))
        }
        return (digest.hexDigest(), stamp)
    }

    /// A reason that concerns one output, or the run's end where no other could be written either.
    private func describing(_ error: any Error, _ target: FilePath) -> any Error {
        switch error {
        case let error as MediaError: return Reason(error)
        case is CancellationError: return error
        case Errno.tooManySymbolicLinkLevels:
            let message = "the output \(target) can't be written: a directory on its path is a symbolic link"
            return Reason(code: "unwritable", message: message)
        case Errno.noSpace, Errno.diskQuotaExceeded, Errno.readOnlyFileSystem, Errno.ioError:
            return RunError("the output \(target) can't be written: \(error)")
        default: return Reason(code: "unwritable", message: "the output \(target) can't be written: \(error)")
        }
    }
}
