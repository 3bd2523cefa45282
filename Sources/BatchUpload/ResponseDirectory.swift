internal import Batch
internal import SHA256
internal import SystemPackage

/// A directory where the server's response to each upload is saved.
///
/// The directory may contain other files of the user. Therefore, a response replaces only an earlier response. The
/// digest of each response is recorded before it is saved, as the name of an empty file:
///
///     a.jpg.json                     the response to the upload of a.jpg
///     .prep/responses/68cf..         the digest of that response
struct ResponseDirectory: Sendable {
    private static let recordPath: FilePath = ".prep/responses"

    private let path: FilePath
    private let directoryHandle: DirectoryHandle
    private let access: OutputAccess

    /// Creates the directory if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The directory's path.
    ///   - access: Who may read the responses.
    /// - Throws: `BatchError` if the directory cannot be created or opened.
    init(_ path: FilePath, access: OutputAccess) throws(BatchError) {
        self.path = path
        self.access = access
        do throws(Errno) {
            try FileSystem.createDirectory(at: path, permissions: .ownerReadWriteExecute)
            directoryHandle = try DirectoryHandle(path)
        } catch {
            throw BatchError(.unwritable, message: "the directory \(path) can't be created: \(error)", cause: error)
        }
    }

    /// Checks, before an output is uploaded, that its response can be saved: it would replace no other file, and its
    /// directory can be created.
    ///
    /// - Throws: `BatchError` if it cannot.
    func checkCanSaveResponse(forOutput output: FilePath) throws {
        _ = try openDirectory(forOutput: output)
    }

    /// Opens the directory of a response, and creates it if it does not exist.
    ///
    /// - Returns: The directory and the name of the response in it.
    /// - Throws: `BatchError` if the response would replace a file that is not a response, or the directory cannot be
    ///   created.
    private func openDirectory(forOutput output: FilePath) throws -> (DirectoryHandle, FilePath.Component) {
        do {
            guard let name = FilePath.Component(bytes: (output.lastComponent?.bytes ?? []) + Array(".json".utf8)) else {
                throw Errno.invalidArgument
            }
            let directory = try directoryHandle.createSubdirectories(
                at: output.removingLastComponent(), permissions: .ownerReadWriteExecute)
            guard try isReplaceable(name, in: directory) else {
                throw BatchError(
                    .wouldOverwrite,
                    message: "it would replace a file that is not a response: move that, or name another directory")
            }
            return (directory, name)
        } catch {
            throw unwritableError(output, cause: error)
        }
    }

    private func unwritableError(_ output: FilePath, cause: any Error) -> BatchError {
        BatchError(
            .unwritable, message: "the response for \(output) cannot be written below \(path): \(cause)", cause: cause)
    }

    /// Saves a response under the output's path with `.json` appended. Symbolic links below the directory are not
    /// followed.
    ///
    /// - Throws: `BatchError` if the response would replace a file that is not a response, or cannot be written.
    func saveResponse(_ response: [UInt8], forOutput output: FilePath) throws {
        let (directory, name) = try openDirectory(forOutput: output)
        do {
            try recordResponse(response)
            try writeAtomically(response, to: name, in: directory)
        } catch {
            throw unwritableError(output, cause: error)
        }
    }

    /// Returns whether the entry does not exist, is a symbolic link, or has the content of a recorded response.
    ///
    /// A symbolic link itself is replaced. The file that it points to stays.
    private func isReplaceable(_ name: FilePath.Component, in directory: DirectoryHandle) throws -> Bool {
        guard let type = try? directory.stat(name).type, type != .symbolicLink else { return true }
        guard type == .regular else { return false }
        var hasher = SHA256Hasher()
        try directory.forEachChunk(ofFile: name) { hasher.update(bytes: $0) }
        let record = try Self.recordName(forDigest: hasher.hexDigest())
        return (try? directoryHandle.openSubdirectory(at: Self.recordPath).stat(record)) != nil
    }

    private func recordResponse(_ response: [UInt8]) throws {
        let record = try Self.recordName(forDigest: SHA256Hasher(hashing: response).hexDigest())
        let records = try directoryHandle.createSubdirectories(at: Self.recordPath, permissions: .ownerReadWriteExecute)
        do {
            try records.createFile(record, permissions: access.auxiliaryFilePermissions).close()
        } catch {
            // An equal response is recorded already, perhaps by a concurrent run.
            if (try? records.stat(record)) == nil { throw error }
        }
    }

    private static func recordName(forDigest digest: String) throws -> FilePath.Component {
        guard let name = FilePath.Component(digest) else { throw Errno.invalidArgument }
        return name
    }

    private func writeAtomically(_ response: [UInt8], to name: FilePath.Component, in directory: DirectoryHandle) throws
    {
        let token = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        guard let draft = FilePath.Component(".prep-draft-\(token)") else { throw Errno.invalidArgument }
        do {
            let file = try directory.createFile(draft, permissions: access.auxiliaryFilePermissions)
            try file.closeAfter {
                try file.writeAll(response)
                try file.synchronizeContent()
            }
            try directory.rename(draft, to: name, in: directory)
        } catch {
            directory.removeFile(draft)
            throw error
        }
    }
}
