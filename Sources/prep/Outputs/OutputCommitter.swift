internal import Dispatch
internal import Ledger
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What is known of an input at its end.
struct PendingOutput: Sendable {
    var manifestLine: ManifestLine
    /// What was written for it; nil for nothing.
    var draft: OutputDirectory.Draft?
    /// Which file was read, if a later run may take the result as it is.
    var inputStamp: FileStamp?
}

/// Takes what is final.
protocol ResultConsumer: Sendable {
    /// Takes a result of this run, and its line as it is printed; on a thread that may block.
    func receiveResult(_ finished: PendingOutput, json: Data) throws
    /// Takes a result of an earlier run; on a thread that may block.
    func receiveEarlierRecord(_ record: InputRecord) throws
    /// Writes what was taken to where it is kept.
    func flush() throws
}

/// Makes results final, in batches: outputs are brought to the disk and given their names, then the ledger calls them
/// done, then the manifest and the person learn of them. So whatever stops the process, what is called done is done.
///
/// It works on a thread of its own, beside those that prepare; these wait for it once two batches are waiting.
final class OutputCommitter: Sendable {
    /// How long a result waits to become final, and how many do so at once.
    struct CommitPolicy: Sendable {
        var batchSize: Int
        var maxDelay: DispatchTimeInterval

        /// To bring 64 outputs to the disk takes 6 ms, and to prepare 64 photos of 12 megapixels on two cores 2 s.
        static let highThroughput = CommitPolicy(batchSize: 64, maxDelay: .seconds(1))
        /// Where somebody waits for each: the two synchronisations take 3 ms of every 20.
        static let lowLatency = CommitPolicy(batchSize: 16, maxDelay: .milliseconds(20))
    }

    private struct State {
        var pendingOutputs: [PendingOutput] = []
        var isClosed = false
        var failure: (any Error)?
    }

    private let outputDirectory: OutputDirectory
    private let history: RunHistory?
    private let resultConsumer: any ResultConsumer
    private let commitPolicy: CommitPolicy
    private let state = Mutex(State())
    /// Signalled for each batch that is full, and at the end.
    private let fullBatchSignal = DispatchSemaphore(value: 0)
    /// Counts how many more may wait.
    private let freeSlots = DispatchSemaphore(value: 0)

    init(
        outputDirectory: OutputDirectory, history: RunHistory?, resultConsumer: any ResultConsumer,
        commitPolicy: CommitPolicy
    ) {
        self.outputDirectory = outputDirectory
        self.history = history
        self.resultConsumer = resultConsumer
        self.commitPolicy = commitPolicy
        for _ in 0..<2 * commitPolicy.batchSize { freeSlots.signal() }
    }

    /// Takes a result; from any thread that may block.
    ///
    /// - Throws: what made an earlier one impossible to keep, and so the run.
    func enqueue(_ finished: PendingOutput) throws {
        freeSlots.wait()
        let isFull = try state.withLock { state in
            if let failure = state.failure {
                // Passed on to the next that waits.
                freeSlots.signal()
                throw failure
            }
            state.pendingOutputs.append(finished)
            // One signal for each batch that waits: a second may before the first is taken.
            return state.pendingOutputs.count.isMultiple(of: commitPolicy.batchSize)
        }
        if isFull { fullBatchSignal.signal() }
    }

    /// Tells `commitUntilFinished` that no more will be added.
    func finishEnqueuing() {
        state.withLock { $0.isClosed = true }
        fullBatchSignal.signal()
    }

    /// Commits until the end; to be called on one thread that may block.
    ///
    /// - Throws: a `RunError` if a result can't be kept. From then on no more is committed.
    func commitUntilFinished() throws {
        do {
            while try commitNextBatch() {}
        } catch {
            state.withLock { $0.failure = error }
            freeSlots.signal()
            throw error
        }
    }

    /// Waits for a full batch, or a time, and commits all that is there. What was left of two batches would wait for
    /// the time to be over: only a batch that becomes full is signalled.
    ///
    /// - Returns: whether there is more to come.
    private func commitNextBatch() throws -> Bool {
        _ = fullBatchSignal.wait(timeout: .now() + commitPolicy.maxDelay)
        let (batch, isLast) = state.withLock { state in
            defer { state.pendingOutputs = [] }
            return (state.pendingOutputs, state.isClosed)
        }
        try commitBatch(batch)
        for _ in batch { freeSlots.signal() }
        return !isLast
    }

    private func commitBatch(_ batch: [PendingOutput]) throws {
        var batch = batch
        let drafts = batch.indices.filter { batch[$0].draft != nil }
        for (place, reason) in try outputDirectory.publishDrafts(drafts.compactMap { batch[$0].draft }) {
            batch[drafts[place]].draft = nil
            batch[drafts[place]].manifestLine.markUnwritten(reason: reason)
        }
        let lines = try batch.map { try $0.manifestLine.jsonLine() }
        try history?.recordResults(zip(batch, lines))
        for (finished, line) in zip(batch, lines) { try resultConsumer.receiveResult(finished, json: line) }
        try resultConsumer.flush()
    }
}
