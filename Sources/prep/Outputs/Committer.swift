internal import Dispatch
internal import Ledger
internal import Synchronization

/// What is known of an input at its end.
struct Finished: Sendable {
    var line: ManifestLine
    /// What was written for it; nil for nothing.
    var draft: OutputDirectory.Draft?
    /// Which file was read, if a later run may take the result as it is.
    var stamp: FileStamp?
}

/// Makes results final, in batches: outputs are brought to the disk and given their names, then the ledger calls them done,
/// then the manifest and the person learn of them. So whatever stops the process, what is called done is done.
///
/// It works on a thread of its own, beside those that prepare; these wait for it once two batches are waiting.
final class Committer: Sendable {
    /// To bring 64 outputs to the disk takes 6 ms, and to prepare 64 photos of 12 megapixels on two cores 2 s.
    private static let batch = 64

    private struct State {
        var waiting: [Finished] = []
        var isClosed = false
        var failure: (any Error)?
    }

    private let directory: OutputDirectory
    private let history: History?
    private let reporter: Reporter
    private let state = Mutex(State())
    /// Signalled for each batch that is full, and at the end.
    private let full = DispatchSemaphore(value: 0)
    /// Counts how many more may wait.
    private let room = DispatchSemaphore(value: 0)

    init(directory: OutputDirectory, history: History?, reporter: Reporter) {
        self.directory = directory
        self.history = history
        self.reporter = reporter
        for _ in 0..<2 * Self.batch { room.signal() }
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
            return state.waiting.count.isMultiple(of: Self.batch)
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

    /// Waits for a full batch, or a second, and commits all that is there. What was left of two batches would wait for the second
    /// to be over: only a batch that becomes full is signalled.
    ///
    /// - Returns: whether there is more to come.
    private func commitNext() throws -> Bool {
        _ = full.wait(timeout: .now() + .seconds(1))
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
        for (finished, line) in zip(batch, lines) { try reporter.report(finished.line, json: line) }
        try reporter.flush()
    }
}
