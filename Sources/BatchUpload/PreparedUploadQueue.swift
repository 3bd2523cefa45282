internal import Batch
internal import Dispatch
internal import Ledger
internal import MediaPrep
internal import Synchronization
internal import SystemPackage
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A bounded queue of prepared files that wait to be uploaded.
///
/// Adding to a full queue blocks the calling thread. The iterator suspends while the queue is empty, without blocking a
/// thread.
final class PreparedUploadQueue: ResultConsumer, AsyncSequence {
    typealias Element = PreparedUpload

    /// The maximum number of uploads in the queue. It is large enough that uploading never waits for the next batch to
    /// be committed.
    private static let capacity = 64

    private struct State {
        var pendingUploads: [PreparedUpload] = []
        var receiver: CheckedContinuation<PreparedUpload?, Never>?
        var isClosed = false
        var isCancelled = false
    }

    private let uploadBuilder: PreparedUploadBuilder
    private let recorder: RunRecorder
    private let responseDirectory: ResponseDirectory?
    private let state = Mutex(State())
    private let freeSlots = DispatchSemaphore(value: 0)

    init(uploadBuilder: PreparedUploadBuilder, recorder: RunRecorder, responseDirectory: ResponseDirectory?) {
        self.uploadBuilder = uploadBuilder
        self.recorder = recorder
        self.responseDirectory = responseDirectory
        for _ in 0..<Self.capacity { freeSlots.signal() }
    }

    func receiveResult(_ output: PendingOutput) throws {
        if output.draft == nil { return try recorder.receiveResult(output) }
        try enqueue(ManifestEntry(output.manifestLine), line: .result(output.manifestLine), source: .thisRun)
    }

    func receiveEarlierRecord(_ record: InputRecord) throws {
        guard let entry = try? JSONDecoder().decode(ManifestEntry.self, from: Data(record.manifestLine)) else {
            throw BatchError(
                .journalFailed,
                message:
                    "what the ledger holds of \(FilePath(bytes: record.inputPath) ?? "an input") is not a "
                    + "manifest line"
            )
        }
        try enqueue(entry, line: .stored(record.manifestLine), source: .earlierRun)
    }

    func flush() throws { try recorder.flush() }

    /// Adds the upload for a manifest entry, or reports the line unchanged if the entry has nothing to upload.
    ///
    /// It blocks while the queue is full.
    ///
    /// - Throws: `CancellationError` if the queue was cancelled; `BatchError` if the response could not be saved; the
    ///   error of the upload builder or the recorder.
    func enqueue(_ entry: ManifestEntry, line: UploadLine, source: BatchSummary.LineSource) throws {
        guard let upload = try uploadBuilder.makeUpload(for: entry, line: line, source: source) else {
            return try recorder.recordExistingLine(line.json(), summary: ResultSummary(entry), source: source)
        }
        // A response that cannot be saved is lost, because the file is not sent again.
        if upload.uploadItem.isAvailable {
            try responseDirectory?.checkCanSaveResponse(forOutput: upload.relativeOutputPath)
        }
        freeSlots.wait()
        let receiver: CheckedContinuation<PreparedUpload?, Never>? = try state.withLock { state in
            if state.isCancelled {
                // Wakes the next thread that is blocked here, which then throws as well.
                freeSlots.signal()
                throw CancellationError()
            }
            if state.receiver == nil { state.pendingUploads.append(upload) }
            return state.receiver.take()
        }
        if let receiver {
            freeSlots.signal()
            receiver.resume(returning: upload)
        }
    }

    /// Ends the sequence after the uploads that were added. Nothing may be added afterwards.
    func finishEnqueuing() { endReceiver { $0.isClosed = true } }

    /// Ends the sequence at once. Threads that are blocked in `enqueue(_:line:source:)` throw `CancellationError`.
    func cancel() {
        endReceiver { $0.isCancelled = true }
        freeSlots.signal()
    }

    private func endReceiver(updatingState change: (inout State) -> Void) {
        let receiver: CheckedContinuation<PreparedUpload?, Never>? = state.withLock { state in
            change(&state)
            return state.receiver.take()
        }
        receiver?.resume(returning: nil)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let queue: PreparedUploadQueue

        func next() async -> PreparedUpload? { await queue.nextUpload() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: self) }

    /// Returns the next upload, or `nil` at the end.
    private func nextUpload() async -> PreparedUpload? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (upload, isOver) = state.withLock { state -> (PreparedUpload?, Bool) in
                    if state.isCancelled { return (nil, true) }
                    if !state.pendingUploads.isEmpty { return (state.pendingUploads.removeFirst(), false) }
                    if !state.isClosed { state.receiver = continuation }
                    return (nil, state.isClosed)
                }
                if upload != nil { freeSlots.signal() }
                if upload != nil || isOver { continuation.resume(returning: upload) }
            }
        } onCancel: {
            cancel()
        }
    }
}
