internal import Ledger
internal import MediaPrep
internal import Synchronization
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where every input's line goes: to the manifest, to the counts, and to the person who waits.
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

    /// Shows from now on how far the work is.
    func showProgress(_ progress: MediaProgress, mode: ProgressMode) {
        state.withLock { $0.progressDisplay = mode.makeDisplay(for: progress) }
    }

    /// Repeats a line that was written before, without its end.
    func reportExistingLine(_ line: [UInt8], summary ending: ResultSummary, source origin: RunSummary.LineSource)
        throws(RunError)
    {
        try state.withLock { (state) throws(RunError) in
            state.summary.countResult(ending, from: origin)
            try state.manifestWriter.writeLine(line + [UInt8(ascii: "\n")])
        }
    }

    /// Takes one input's line, and the same as it is printed; from any thread.
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

    /// Takes what became of an upload, and its line as it is printed; from any thread.
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

    /// Writes what was taken to the manifest's file.
    func flush() throws(RunError) {
        try state.withLock { (state) throws(RunError) in try state.manifestWriter.flush() }
    }

    /// Does the work of a run; then, whether or not it came to its end, gives the ledger up and prints the summary.
    ///
    /// - Throws: what `work` throws, and if the manifest can't be written.
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
