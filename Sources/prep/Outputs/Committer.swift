internal import Dispatch
internal import Ledger
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What is known of an input at its end.
struct Finished: Sendable {
    var line: ManifestLine
    /// What was written for it; nil for nothing.
    var draft: OutputDirectory.Draft?
    /// Which file was read, if a later run may take the result as it is.
    var stamp: FileStamp?
}

/// Takes what is final.
protocol Recipient: Sendable {
    /// Takes a result of this run, and its line as it is printed; on a thread that may block.
    func receive(_ finished: Finished, json: Data) throws
    /// Takes a result of an earlier run; on a thread that may block.
    func receive(_ record: InputRecord) throws
    /// Writes what was taken to where it is kept.
    func flush() throws
}

/// Makes results final, in batches: outputs are brought to the disk and given their names, then the ledger calls them done,
/// then the manifest and the person learn of them. So whatever stops the process, what is called done is done.
///
/// It works on a thread of its own, beside those that prepare; these wait for it once two batches are waiting.
final class Committer: Sendable {
    /// How long a result waits to become final, and how many do so at once.
    struct Pace: Sendable {
        var batch: Int
        var wait: DispatchTimeInterval

        /// To bring 64 outputs to the disk takes 6 ms, and to prepare 64 photos of 12 megapixels on two cores 2 s.
        static let batches = Pace(batch: 64, wait: .seconds(1))
        /// Where somebody waits for each: the two synchronisations take 3 ms of every 20.
        static let soon = Pace(batch: 16, wait: .milliseconds(20))
    }

    private struct State {
        var waiting: [Finished] = []
        var isClosed = false
        var failure: (any Error)?
    }

    private let directory: OutputDirectory
    private let history: History?
    private let recipient: any Recipient
    private let pace: Pace
    private let state = Mutex(State())
    /// Signalled for each batch that is full, and at the end.
    private let full = DispatchSemaphore(value: 0)
    /// Counts how many more may wait.
    private let room = DispatchSemaphore(value: 0)

    init(directory: OutputDirectory, history: History?, recipient: any Recipient, pace: Pace) {
        self.directory = directory
        self.history = history
        self.recipient = recipient
        self.pace = pace
        for _ in 0..<2 * pace.batch { room.signal() }
    }

    /// Takes a result; from any thread that may block.
    ///
    /// - Throws: what made an earlier one impossible to keep, and so the run.
    func add(_ finished: Finished) throws {
        room.wait()
        let isFull = try state.withLock { state in
            if let failure = state.failure {
                // Passed on to the next that waits.
                room.signal()
                throw failure
            }
            state.waiting.append(finished)
            // One signal for each batch that waits: a second may before the first is taken.
            return state.waiting.count.isMultiple(of: pace.batch)
        }
        if isFull { full.signal() }
    }

    /// Tells `run` that no more will be added.
    func close() {
        state.withLock { $0.isClosed = true }
        full.signal()
    }

    /// Commits until the end; to be called on one thread that may block.
    ///
    /// - Throws: a `RunError` if a result can't be kept. From then on no more is committed.
    func run() throws {
        do {
            while try commitNext() {}
        } catch {
            state.withLock { $0.failure = error }
            room.signal()
            throw error
        }
    }

    /// Waits for a full batch, or a time, and commits all that is there. What was left of two batches would wait for the time to be
    /// over: only a batch that becomes full is signalled.
    ///
    /// - Returns: whether there is more to come.
    private func commitNext() throws -> Bool {
        _ = full.wait(timeout: .now() + pace.wait)
        let (batch, isLast) = state.withLock { state in
            defer { state.waiting = [] }
            return (state.waiting, state.isClosed)
        }
        try commit(batch)
        for _ in batch { room.signal() }
        return !isLast
    }

    private func commit(_ batch: [Finished]) throws {
        var batch = batch
        let drafts = batch.indices.filter { batch[$0].draft != nil }
        for (place, reason) in try directory.publish(drafts.compactMap { batch[$0].draft }) {
            batch[drafts[place]].draft = nil
            batch[drafts[place]].line.fail(reason)
        }
        let lines = try batch.map { try $0.line.json() }
        try history?.keep(zip(batch, lines))
        for (finished, line) in zip(batch, lines) { try recipient.receive(finished, json: line) }
        try recipient.flush()
    }
}
