internal import Ledger
internal import MediaPrep
internal import Synchronization
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reports each result in the manifest, the summary and the messages to the user.
final class RunReporter: ResultConsumer {
    private struct State {
        var manifestWriter: ManifestWriter
        var summary = RunSummary()
        var progressDisplay: ProgressDisplay?
    }

    private let state: Mutex<State>
    private let isQuiet: Bool
    private let startTime = ContinuousClock.now

    init(manifest: ManifestWriter, isQuiet: Bool) {
        self.isQuiet = isQuiet
        state = Mutex(State(manifestWriter: manifest))
    }

    /// Starts to show progress.
    func showProgress(_ progress: MediaProgress, mode: ProgressMode) {
        state.withLock { $0.progressDisplay = mode.makeDisplay(for: progress) }
    }

    /// Reports a line that an earlier run or a plan contains. The line has no terminator.
    ///
    /// - Throws: `RunError` if the manifest cannot be written.
    func reportExistingLine(_ line: [UInt8], summary ending: ResultSummary, source origin: RunSummary.LineSource)
        throws(RunError)
    {
        try state.withLock { (state) throws(RunError) in
            state.summary.countResult(ending, from: origin)
            try state.manifestWriter.writeLine(line + [UInt8(ascii: "\n")])
        }
    }

    /// Reports one input's result. `json` is the same line in JSON with its terminator. This can be called on any
    /// thread.
    ///
    /// - Throws: `RunError` if the manifest cannot be written.
    func reportResult(_ line: ManifestLine, json: Data) throws(RunError) {
        try state.withLock { (state) throws(RunError) in
            state.summary.countResult(ResultSummary(line))
            if !isQuiet, let verdict = line.verdict, verdict == .rejected || verdict == .failed {
                state.progressDisplay?.clearLine()
                for reason in line.reasons {
                    let place = reason.offset.map { " at byte \($0)" } ?? ""
                    Terminal.printError("prep: \(line.input): \(verdict) (\(reason.code))\(place): \(reason.message)")
                }
            }
            state.progressDisplay?.countInput(bytes: line.inputBytes ?? 0)
            try state.manifestWriter.writeLine(json)
        }
    }

    /// Reports an upload's result. `json` is the manifest line with its terminator. This can be called on any thread.
    ///
    /// - Throws: `RunError` if the manifest cannot be written.
    func reportUpload(_ upload: PreparedUpload, result: UploadResult, json: Data) throws(RunError) {
        try state.withLock { (state) throws(RunError) in
            state.summary.countResult(upload.resultSummary, from: upload.lineSource)
            state.summary.countUpload(result)
            if !isQuiet, let error = result.error {
                state.progressDisplay?.clearLine()
                Terminal.printError(
                    "prep: \(upload.uploadItem.name): \(result.status.rawValue) (\(error.code)): \(error.message)")
            }
            state.progressDisplay?.countInput(bytes: upload.resultSummary.byteCounts?.input ?? 0)
            try state.manifestWriter.writeLine(json)
        }
    }

    func receiveResult(_ finished: PendingOutput, json: Data) throws {
        try reportResult(finished.manifestLine, json: json)
    }

    func receiveEarlierRecord(_ record: InputRecord) throws {
        try reportExistingLine(record.manifestLine, summary: ResultSummary(record), source: .earlierRun)
    }

    /// Writes the buffered lines to the manifest.
    ///
    /// - Throws: `RunError` if the manifest cannot be written.
    func flush() throws(RunError) {
        try state.withLock { (state) throws(RunError) in try state.manifestWriter.flush() }
    }

    /// Runs `work`, then closes the ledger and prints the summary, even if `work` was not completed.
    ///
    /// - Parameters:
    ///   - ledger: The ledger to close. It is not closed here if `work` throws a `RunError`.
    ///   - work: The work of the run.
    /// - Returns: The exit status, which depends on whether inputs were rejected or failed.
    /// - Throws: The error of `work`; `RunError` if the ledger or the manifest cannot be written.
    func finishRun(closing ledger: LedgerDatabase?, after work: () async throws -> Void) async throws -> ExitStatus {
        var failure: (any Error)?
        do { try await work() } catch { failure = error }
        return try await BlockingThreadPool.commandThread.run { [failure] () throws in
            if !(failure is RunError) { try ledger?.closeThrowingRunError() }
            let status = try printSummary(isComplete: failure == nil)
            if let failure { throw failure }
            return status
        }
    }

    private func printSummary(isComplete: Bool) throws(RunError) -> ExitStatus {
        let summary = state.withLock { state in
            state.progressDisplay?.clearLine()
            return state.summary
        }
        if !isQuiet {
            Terminal.printError(
                summary.formattedLines(elapsed: ContinuousClock.now - startTime, isComplete: isComplete))
        }
        try flush()
        return summary.hasFailures ? .someInputsFailed : .success
    }
}
