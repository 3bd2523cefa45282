// `unsafe`: getenv returns a C string.

internal import Batch
internal import HTTPCalls
internal import SHA256
internal import SystemPackage
internal import Uploading

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The locations of an upload's prepared files and ledger.
struct UploadStorage {
    /// The directory of prepared files.
    let preparedFilesDirectory: FilePath
    let ledgerPath: FilePath
    /// Whether prepared files are removed after they are uploaded.
    private let isTemporary: Bool

    /// Determines the locations, and creates the directories that do not exist.
    ///
    /// - Parameters:
    ///   - output: The output directory, or `nil` to use a directory for the endpoint in the user's state directory.
    ///   - endpoint: The destination of all uploads.
    /// - Throws: `BatchError` if there is no home directory, or a directory cannot be created.
    init(outputDirectory output: FilePath?, for endpoint: Endpoint) throws(BatchError) {
        isTemporary = output == nil
        if let output {
            preparedFilesDirectory = output
            let directory = OutputDirectory.stateDirectory(in: output)
            ledgerPath = directory.appending("ledger.sqlite")
            try Self.createDirectory(at: output, permissions: .all)
            try Self.createDirectory(at: directory, permissions: .ownerReadWriteExecute)
            return
        }
        let digest = SHA256Hasher(hashing: Array(endpoint.description.utf8)).hexDigest()
        let place = try Self.stateHomeDirectory().appending("prep").appending("upload-\(digest.prefix(16))")
        try Self.createDirectory(at: place.removingLastComponent(), permissions: .ownerReadWriteExecute)
        try Self.createDirectory(at: place, permissions: .ownerReadWriteExecute)
        preparedFilesDirectory = place.appending("outbox")
        ledgerPath = place.appending("ledger.sqlite")
    }

    /// Removes temporary prepared files, including those of an earlier run that was killed. Call this only while the
    /// ledger is open, because no other run can then be using the files.
    ///
    /// - Throws: `BatchError` if the files cannot be removed.
    func removeTemporaryFiles() throws(BatchError) {
        guard isTemporary, let name = preparedFilesDirectory.lastComponent else { return }
        do throws(Errno) {
            let parent = try DirectoryHandle(preparedFilesDirectory.removingLastComponent())
            try parent.removeEntryAndContents(name)
            // Removal itself reports no errors.
            if (try? parent.stat(name)) != nil { throw .directoryNotEmpty }
        } catch {
            throw BatchError(.unwritable, message: "\(preparedFilesDirectory) can't be emptied: remove it")
        }
    }

    /// Returns the directory `XDG_STATE_HOME`, or `~/.local/state` if that is not set to an absolute path (XDG Base
    /// Directory Specification 0.8).
    private static func stateHomeDirectory() throws(BatchError) -> FilePath {
        if let path = environmentPath(named: "XDG_STATE_HOME"), path.isAbsolute { return path }
        guard let home = environmentPath(named: "HOME"), home.isAbsolute else {
            throw BatchError(
                .unwritable,
                message: "no home directory was found for the record of uploads: name an output directory")
        }
        return home.appending(".local").appending("state")
    }

    private static func environmentPath(named name: String) -> FilePath? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe FilePath(platformString: value)
    }

    private static func createDirectory(at path: FilePath, permissions: FilePermissions) throws(BatchError) {
        do { try FileSystem.createDirectory(at: path, permissions: permissions) } catch {
            throw BatchError(.unwritable, message: "the directory \(path) can't be created: \(error)", cause: error)
        }
    }
}
