internal import MediaPrep
internal import SystemPackage
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Prepares and uploads files concurrently.
struct UploadRun: Sendable {
    var uploader: Uploader
    var queue: PreparedUploadQueue
    var reporter: RunReporter
    /// The directory where server responses are saved, or `nil` to discard them.
    var responseDirectory: ResponseDirectory?
    /// Whether prepared files are kept after the upload.
    var keepsPreparedFiles: Bool
    /// The thread for the blocking work at the end of each upload.
    private let completionThread = BlockingThreadPool(threadCount: 1)

    init(
        uploader: Uploader, queue feed: PreparedUploadQueue, reporter: RunReporter,
        responseDirectory: ResponseDirectory?, keepsPreparedFiles: Bool
    ) {
        self.uploader = uploader
        self.queue = feed
        self.reporter = reporter
        self.responseDirectory = responseDirectory
        self.keepsPreparedFiles = keepsPreparedFiles
    }

    /// Runs `prepare`, and uploads the files that it adds to the queue.
    ///
    /// - Throws: The error of either task; the other task is then cancelled.
    func run(preparing prepare: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { queue.finishEnqueuing() }
                try await prepare()
            }
            group.addTask {
                defer { queue.cancel() }
                try await sendUploads()
            }
            var failure: (any Error)?
            while let result = await group.nextResult() {
                guard case .failure(let error) = result else { continue }
                // Keeps the first error, unless it is a `CancellationError`: that may only follow from another error.
                if failure == nil || failure is CancellationError { failure = error }
                group.cancelAll()
            }
            if let failure { throw failure }
        }
    }

    private func sendUploads() async throws {
        try await uploader.uploadAll(
            queue,
            onReceipt: { upload, receipt in
                guard let responseDirectory, !receipt.responseBody.isEmpty else { return }
                try await completionThread.run { () throws in
                    try responseDirectory.saveResponse(receipt.responseBody, forOutput: upload.relativeOutputPath)
                }
            },
            onResult: { upload, result in
                // The run must not continue with results that cannot be recorded.
                if let error = result.error, error.code == .ledgerFailed { throw RunError(error.message) }
                try await completionThread.run { () throws in
                    let line = try ManifestLine.jsonLine(
                        upload.manifestLineBytes, addingUpload: result, keepsOutput: keepsPreparedFiles)
                    try reporter.reportUpload(upload, result: result, json: line)
                    if !keepsPreparedFiles { FileSystem.removeFile(at: upload.filePath) }
                }
            })
    }
}

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
    /// - Throws: `RunError` if the directory cannot be created or opened.
    init(_ path: FilePath, access: OutputAccess) throws(RunError) {
        self.path = path
        self.access = access
        do throws(Errno) {
            try FileSystem.createDirectory(at: path, permissions: 0o700)
            directoryHandle = try DirectoryHandle(path)
        } catch {
            throw RunError("the directory \(path) can't be made: \(error)")
        }
    }

    /// Saves a response under the output's path with `.json` appended. Symbolic links below the directory are not
    /// followed.
    ///
    /// - Throws: `RunError` if the response would replace a file that is not a response, or cannot be written.
    func saveResponse(_ response: [UInt8], forOutput output: FilePath) throws {
        do {
            guard let name = FilePath.Component(bytes: (output.lastComponent?.bytes ?? []) + Array(".json".utf8)) else {
                throw Errno.invalidArgument
            }
            let directory = try directoryHandle.createSubdirectories(
                at: output.removingLastComponent(), permissions: 0o700)
            guard try isReplaceable(name, in: directory) else {
                throw RunError("it would replace a file that is not a response: move that, or name another directory")
            }
            try recordResponse(response)
            try writeAtomically(response, to: name, in: directory)
        } catch {
            throw RunError("the answer for \(output) can't be written below \(path): \(error)")
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
        let records = try directoryHandle.createSubdirectories(at: Self.recordPath, permissions: 0o700)
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
            _ = try file.closeAfter { try file.writeAll(response) }
            try directory.rename(draft, to: name, in: directory)
        } catch {
            directory.removeFile(draft)
            throw error
        }
    }
}
