internal import Batch
internal import HTTPCalls
internal import MediaPrep
internal import SystemPackage
internal import Uploading

/// Prepares and uploads files concurrently.
struct UploadRun: Sendable {
    var uploader: Uploader
    var queue: PreparedUploadQueue
    var recorder: RunRecorder
    /// Called with each result before it is written to the manifest.
    var onResult: @Sendable (PreparedUpload, UploadResult) -> Void
    /// The directory where server responses are saved, or `nil` to discard them.
    var responseDirectory: ResponseDirectory?
    /// Whether prepared files are kept after the upload.
    var keepsPreparedFiles: Bool
    /// The thread for the blocking work at the end of each upload.
    private let completionThread = BlockingThreadPool(threadCount: 1)

    init(
        uploader: Uploader, queue: PreparedUploadQueue, recorder: RunRecorder, responseDirectory: ResponseDirectory?,
        keepsPreparedFiles: Bool, onResult: @escaping @Sendable (PreparedUpload, UploadResult) -> Void
    ) {
        self.uploader = uploader
        self.queue = queue
        self.recorder = recorder
        self.responseDirectory = responseDirectory
        self.keepsPreparedFiles = keepsPreparedFiles
        self.onResult = onResult
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
                if let error = result.error, error.code == .journalFailed {
                    throw BatchError(.journalFailed, message: error.message)
                }
                try await completionThread.run { () throws in
                    onResult(upload, result)
                    let line = try upload.line.json(addingUpload: result, keepsOutput: keepsPreparedFiles)
                    try recorder.recordExistingLine(line, summary: upload.resultSummary, source: upload.lineSource)
                    if !keepsPreparedFiles, upload.uploadItem.isAvailable { FileSystem.removeFile(at: upload.filePath) }
                }
            })
    }
}
