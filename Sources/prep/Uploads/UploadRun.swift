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
    var feed: UploadFeed
    var reporter: Reporter
    /// Where answers are kept; nil for nowhere.
    var responses: ResponseDirectory?
    /// Whether a prepared file stays when it was sent.
    var keepsFiles: Bool
    /// For what blocks at the end of each upload.
    private let thread = BlockingThreadPool(threadCount: 1)

    init(
        _ uploader: Uploader, _ feed: UploadFeed, _ reporter: Reporter, responses: ResponseDirectory?, keepsFiles: Bool
    ) {
        self.uploader = uploader
        self.feed = feed
        self.reporter = reporter
        self.responses = responses
        self.keepsFiles = keepsFiles
    }

    /// Sends what `prepare` adds to the feed.
    ///
    /// - Throws: what either throws; the other is then cancelled.
    func run(_ prepare: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { feed.close() }
                try await prepare()
            }
            group.addTask {
                defer { feed.abandon() }
                try await send()
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

    private func send() async throws {
        try await uploader.uploadAll(
            feed,
            onReceipt: { upload, receipt in
                guard let responses, !receipt.responseBody.isEmpty else { return }
                try await thread.run { () throws in try responses.keep(receipt.responseBody, of: upload.output) }
            },
            onResult: { upload, result in
                // What can't be recorded must not go on.
                if let error = result.error, error.code == .ledgerFailed { throw RunError(error.message) }
                try await thread.run { () throws in
                    let line = try ManifestLine.json(upload.line, upload: result, keepsOutput: keepsFiles)
                    try reporter.report(upload, result, json: line)
                    if !keepsFiles { FileSystem.remove(upload.path) }
                }
            })
    }
}

/// A directory that takes what the server answered to each upload.
struct ResponseDirectory: Sendable {
    private let path: FilePath
    private let root: DirectoryHandle
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
            try FileSystem.createDirectory(path, permissions: 0o700)
            root = try DirectoryHandle(path)
        } catch {
            throw RunError("the directory \(path) can't be made: \(error)")
        }
    }

    /// Writes an answer under the name of the file that it is about and `.json`. Links in the directory are not
    /// followed.
    func keep(_ response: [UInt8], of output: FilePath) throws {
        do {
            guard let name = FilePath.Component(bytes: (output.lastComponent?.bytes ?? []) + Array(".json".utf8)) else {
                throw Errno.invalidArgument
            }
            let directory = try root.makeSubdirectories(output.removingLastComponent(), permissions: 0o700)
            // A link itself is replaced, and not the input that it leads to.
            if let existing = try? directory.stat(name), inputs.contains(FileIdentity(existing)) {
                throw RunError("it would replace an input")
            }
            try write(response, to: name, in: directory)
        } catch {
            throw RunError("the answer for \(output) can't be written below \(path): \(error)")
        }
    }

    private func write(_ response: [UInt8], to name: FilePath.Component, in directory: DirectoryHandle) throws {
        let token = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        guard let draft = FilePath.Component(".prep-draft-\(token)") else { throw Errno.invalidArgument }
        do {
            let file = try directory.createFile(draft, permissions: access.permissions)
            _ = try file.closeAfter { try file.writeAll(response) }
            try directory.rename(draft, to: name, in: directory)
        } catch {
            directory.removeFile(draft)
            throw error
        }
    }
}
