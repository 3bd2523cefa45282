internal import Dispatch
internal import Ledger
internal import MediaPrep
internal import Synchronization
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where preparing ends and sending begins: what is prepared waits here until it can be sent, a few at a time.
///
/// Who adds waits, on a thread that may block, while it is full; who takes waits without holding a thread.
final class PreparedUploadQueue: ResultConsumer, AsyncSequence {
    typealias Element = PreparedUpload

    /// Enough that sending never waits for the next batch to become final.
    private static let capacity = 64

    private struct State {
        var pendingUploads: [PreparedUpload] = []
        var receiver: CheckedContinuation<PreparedUpload?, Never>?
        var isClosed = false
        var isCancelled = false
    }

    private let uploadBuilder: PreparedUploadBuilder
    private let reporter: RunReporter
    private let state = Mutex(State())
    private let freeSlots = DispatchSemaphore(value: 0)

    init(uploadBuilder preparation: PreparedUploadBuilder, reporter: RunReporter) {
        self.uploadBuilder = preparation
        self.reporter = reporter
        for _ in 0..<Self.capacity { freeSlots.signal() }
    }

    func receiveResult(_ finished: PendingOutput, json: Data) throws {
        if finished.draft == nil { return try reporter.reportResult(finished.manifestLine, json: json) }
        let entry = try JSONDecoder().decode(ManifestEntry.self, from: json)
        try enqueue(entry, line: [UInt8](json.dropLast()), source: .thisRun)
    }

    func receiveEarlierRecord(_ record: InputRecord) throws {
        guard let entry = try? JSONDecoder().decode(ManifestEntry.self, from: Data(record.manifestLine)) else {
            throw RunError(
                "what the ledger holds of \(FilePath(bytes: record.inputPath) ?? "an input") is not a manifest's line")
        }
        try enqueue(entry, line: record.manifestLine, source: .earlierRun)
    }

    func flush() throws { try reporter.flush() }

    /// Takes a line; one that has nothing to be sent is only repeated.
    func enqueue(_ entry: ManifestEntry, line: [UInt8], source origin: RunSummary.LineSource) throws {
        guard let upload = try uploadBuilder.makeUpload(for: entry, line: line, source: origin) else {
            return try reporter.reportExistingLine(line, summary: ResultSummary(entry), source: origin)
        }
        freeSlots.wait()
        let taker: CheckedContinuation<PreparedUpload?, Never>? = try state.withLock { state in
            if state.isCancelled {
                // Passed on to the next that waits.
                freeSlots.signal()
                throw CancellationError()
            }
            if state.receiver == nil { state.pendingUploads.append(upload) }
            return state.receiver.take()
        }
        if let taker {
            freeSlots.signal()
            taker.resume(returning: upload)
        }
    }

    /// No more is added.
    func finishEnqueuing() { endReceiver { $0.isClosed = true } }

    /// No more is taken: who waits to add learns of it.
    func cancel() {
        endReceiver { $0.isCancelled = true }
        freeSlots.signal()
    }

    private func endReceiver(updatingState change: (inout State) -> Void) {
        let taker: CheckedContinuation<PreparedUpload?, Never>? = state.withLock { state in
            change(&state)
            return state.receiver.take()
        }
        taker?.resume(returning: nil)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let queue: PreparedUploadQueue

        func next() async -> PreparedUpload? { await queue.nextUpload() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: self) }

    /// The next that is ready; nil at the end.
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
