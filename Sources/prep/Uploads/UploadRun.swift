internal import MediaPrep
internal import SystemPackage
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Preparing and sending, side by side.
struct UploadRun: Sendable {
    var uploader: Uploader
    var queue: PreparedUploadQueue
    var reporter: RunReporter
    /// Where answers are kept; nil for nowhere.
    var responseDirectory: ResponseDirectory?
    /// Whether a prepared file stays when it was sent.
    var keepsPreparedFiles: Bool
    /// For what blocks at the end of each upload.
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

    /// Sends what `prepare` adds to the feed.
    ///
    /// - Throws: what either throws; the other is then cancelled.
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
                // The first, but for those that the other side only stopped for.
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
                // What can't be recorded must not go on.
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

/// A directory that takes what the server answered to each upload.
struct ResponseDirectory: Sendable {
    private let path: FilePath
    private let directoryHandle: DirectoryHandle
    private let access: OutputAccess
    private let inputs: InputFiles

    /// - Parameters:
    ///   - inputs: files that no answer may replace.
    ///   - access: who may read the answers.
    /// - Throws: if it can't be made.
    init(_ path: FilePath, sparing inputs: InputList, access: OutputAccess) throws(RunError) {
        self.path = path
        self.inputs = InputFiles(inputs)
        self.access = access
        do throws(Errno) {
            try FileSystem.createDirectory(at: path, permissions: 0o700)
            directoryHandle = try DirectoryHandle(path)
        } catch {
            throw RunError("the directory \(path) can't be made: \(error)")
        }
    }

    /// Writes an answer under the name of the file that it is about and `.json`. Links in the directory are not
    /// followed.
    func saveResponse(_ response: [UInt8], forOutput output: FilePath) throws {
        do {
            guard let name = FilePath.Component(bytes: (output.lastComponent?.bytes ?? []) + Array(".json".utf8)) else {
                throw Errno.invalidArgument
            }
            let directory = try directoryHandle.createSubdirectories(
                at: output.removingLastComponent(), permissions: 0o700)
            // A link itself is replaced, and not the input that it leads to.
            if let existing = try? directory.stat(name), inputs.contains(FileIdentity(existing)) {
                throw RunError("it would replace an input")
            }
            try writeAtomically(response, to: name, in: directory)
        } catch {
            throw RunError("the answer for \(output) can't be written below \(path): \(error)")
        }
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
