package import Ledger
package import MediaPrep
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Writes the manifest of a run and counts its results.
package final class RunRecorder: ResultConsumer {
    private struct State: ~Copyable {
        var manifestWriter: ManifestWriter
        var summary = BatchSummary()

        init(manifestWriter: consuming ManifestWriter) { self.manifestWriter = manifestWriter }
    }

    private let state: Mutex<State>
    private let onEvent: @Sendable (BatchEvent) -> Void
    private let startTime = ContinuousClock.now

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - manifest: The manifest, which is open.
    ///   - onEvent: Called with each result of this run.
    package init(manifest: consuming ManifestWriter, onEvent: @escaping @Sendable (BatchEvent) -> Void) {
        self.onEvent = onEvent
        state = Mutex(State(manifestWriter: manifest))
    }

    /// Records a line that is reported otherwise, or that an earlier run or a plan contains. The line has no
    /// terminator.
    ///
    /// - Throws: `BatchError` if the manifest cannot be written.
    package func recordExistingLine(
        _ line: [UInt8], summary result: ResultSummary, source: BatchSummary.LineSource
    ) throws(BatchError) {
        try state.withLock { (state) throws(BatchError) in
            state.summary.countResult(result, from: source)
            try state.manifestWriter.writeLine(line + [UInt8(ascii: "\n")])
        }
    }

    /// Records one input's result. `json` is the same line in JSON with its terminator. This can be called on any
    /// thread.
    ///
    /// - Throws: `BatchError` if the manifest cannot be written.
    func recordResult(_ line: ManifestLine, json: Data) throws(BatchError) {
        onEvent(.finished(line))
        try state.withLock { (state) throws(BatchError) in
            state.summary.countResult(ResultSummary(line), from: .thisRun)
            try state.manifestWriter.writeLine(json)
        }
    }

    package func receiveResult(_ output: PendingOutput) throws {
        try recordResult(output.manifestLine, json: output.jsonLine())
    }

    package func receiveEarlierRecord(_ record: InputRecord) throws {
        try recordExistingLine(record.manifestLine, summary: ResultSummary(record), source: .earlierRun)
    }

    /// Writes the buffered lines to the manifest.
    ///
    /// - Throws: `BatchError` if the manifest cannot be written.
    package func flush() throws(BatchError) {
        try state.withLock { (state) throws(BatchError) in try state.manifestWriter.flush() }
    }

    /// Runs `work`, then closes the ledger and the manifest, even if `work` was not completed.
    ///
    /// - Parameters:
    ///   - ledger: The ledger to close. It is not closed here if `work` throws a `BatchError`.
    ///   - thread: The thread for blocking work.
    ///   - onEnd: Called with the totals at the end, before an error is thrown.
    ///   - work: The work of the run.
    /// - Returns: The totals.
    /// - Throws: The error of `work`; `BatchError` if the ledger or the manifest cannot be written.
    package func finishRun(
        closing ledger: LedgerDatabase?, on thread: BlockingThreadPool, onEnd: @Sendable (BatchSummary) -> Void,
        after work: () async throws -> Void
    ) async throws -> BatchSummary {
        var failure: (any Error)?
        do { try await work() } catch { failure = error }
        return try await thread.run { [failure] () throws in
            var failure = failure
            if !(failure is BatchError) {
                do { try ledger?.closeThrowingBatchError() } catch { failure = error }
            }
            var summary = state.withLock { $0.summary }
            summary.isComplete = failure == nil
            summary.elapsed = ContinuousClock.now - startTime
            onEnd(summary)
            try state.withLock { (state) throws(BatchError) in try state.manifestWriter.close() }
            if let failure { throw failure }
            return summary
        }
    }
}
