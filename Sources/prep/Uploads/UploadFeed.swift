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
final class UploadFeed: Recipient, AsyncSequence {
    typealias Element = PreparedUpload

    /// Enough that sending never waits for the next batch to become final.
    private static let capacity = 64

    private struct State {
        var waiting: [PreparedUpload] = []
        var taker: CheckedContinuation<PreparedUpload?, Never>?
        var isClosed = false
        var isAbandoned = false
    }

    private let preparation: UploadPreparation
    private let reporter: Reporter
    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: 0)

    init(_ preparation: UploadPreparation, _ reporter: Reporter) {
        self.preparation = preparation
        self.reporter = reporter
        for _ in 0..<Self.capacity { room.signal() }
    }

    func receive(_ finished: Finished, json: Data) throws {
        if finished.draft == nil { return try reporter.report(finished.line, json: json) }
        let entry = try JSONDecoder().decode(ManifestEntry.self, from: json)
        try add(entry, [UInt8](json.dropLast()), from: .thisRun)
    }

    func receive(_ record: InputRecord) throws {
        guard let entry = try? JSONDecoder().decode(ManifestEntry.self, from: Data(record.manifestLine)) else {
            throw RunError(
                "what the ledger holds of \(FilePath(bytes: record.inputPath) ?? "an input") is not a manifest's line")
        }
        try add(entry, record.manifestLine, from: .earlierRun)
    }

    func flush() throws { try reporter.flush() }

    /// Takes a line; one that has nothing to be sent is only repeated.
    func add(_ entry: ManifestEntry, _ line: [UInt8], from origin: Summary.Origin) throws {
        guard let upload = try preparation.upload(entry, line, from: origin) else {
            return try reporter.carryOver(line, Ending(entry), from: origin)
        }
        room.wait()
        let taker: CheckedContinuation<PreparedUpload?, Never>? = try state.withLock { state in
            if state.isAbandoned {
                // Passed on to the next that waits.
                room.signal()
                throw CancellationError()
            }
            if state.taker == nil { state.waiting.append(upload) }
            return state.taker.take()
        }
        if let taker {
            room.signal()
            taker.resume(returning: upload)
        }
    }

    /// No more is added.
    func close() { end { $0.isClosed = true } }

    /// No more is taken: who waits to add learns of it.
    func abandon() {
        end { $0.isAbandoned = true }
        room.signal()
    }

    private func end(_ change: (inout State) -> Void) {
        let taker: CheckedContinuation<PreparedUpload?, Never>? = state.withLock { state in
            change(&state)
            return state.taker.take()
        }
        taker?.resume(returning: nil)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let feed: UploadFeed

        func next() async -> PreparedUpload? { await feed.next() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(feed: self) }

    /// The next that is ready; nil at the end.
    private func next() async -> PreparedUpload? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (upload, isOver) = state.withLock { state -> (PreparedUpload?, Bool) in
                    if state.isAbandoned { return (nil, true) }
                    if !state.waiting.isEmpty { return (state.waiting.removeFirst(), false) }
                    if !state.isClosed { state.taker = continuation }
                    return (nil, state.isClosed)
                }
                if upload != nil { room.signal() }
                if upload != nil || isOver { continuation.resume(returning: upload) }
            }
        } onCancel: {
            abandon()
        }
    }
}
