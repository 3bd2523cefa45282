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
final class Reporter: Recipient {
    private struct State {
        var manifest: ManifestWriter
        var summary = Summary()
        var progress: ProgressDisplay?
    }

    private let state: Mutex<State>
    private let isQuiet: Bool
    private let start = ContinuousClock.now

    init(manifest: ManifestWriter, isQuiet: Bool) {
        self.isQuiet = isQuiet
        state = Mutex(State(manifest: manifest))
    }

    /// Shows from now on how far the work is.
    func show(_ progress: MediaProgress, _ mode: ProgressMode) {
        state.withLock { $0.progress = mode.display(progress) }
    }

    /// Repeats a line that was written before, without its end.
    func carryOver(_ line: [UInt8], _ ending: Ending, from origin: Summary.Origin) throws(RunError) {
        try state.withLock { (state) throws(RunError) in
            state.summary.add(ending, from: origin)
            try state.manifest.write(line + [UInt8(ascii: "\n")])
        }
    }

    /// Takes one input's line, and the same as it is printed; from any thread.
    func report(_ line: ManifestLine, json: Data) throws(RunError) {
        try state.withLock { (state) throws(RunError) in
            state.summary.add(Ending(line))
            if !isQuiet, let verdict = line.verdict, verdict == .rejected || verdict == .failed {
                state.progress?.clear()
                for reason in line.reasons {
                    let place = reason.offset.map { " at byte \($0)" } ?? ""
                    Terminal.printError("prep: \(line.input): \(verdict) (\(reason.code))\(place): \(reason.message)")
                }
            }
            state.progress?.add(bytes: line.inputBytes ?? 0)
            try state.manifest.write(json)
        }
    }

    /// Takes what became of an upload, and its line as it is printed; from any thread.
    func report(_ upload: PreparedUpload, _ result: UploadResult, json: Data) throws(RunError) {
        try state.withLock { (state) throws(RunError) in
            state.summary.add(upload.ending, from: upload.origin)
            state.summary.add(result)
            if !isQuiet, let error = result.error {
                state.progress?.clear()
                Terminal.printError(
                    "prep: \(upload.uploadItem.name): \(result.status.rawValue) (\(error.code)): \(error.message)")
            }
            state.progress?.add(bytes: upload.ending.bytes?.input ?? 0)
            try state.manifest.write(json)
        }
    }

    func receive(_ finished: Finished, json: Data) throws { try report(finished.line, json: json) }

    func receive(_ record: InputRecord) throws { try carryOver(record.manifestLine, Ending(record), from: .earlierRun) }

    /// Writes what was taken to the manifest's file.
    func flush() throws(RunError) { try state.withLock { (state) throws(RunError) in try state.manifest.flush() } }

    /// Does the work of a run; then, whether or not it came to its end, gives the ledger up and prints the summary.
    ///
    /// - Throws: what `work` throws, and if the manifest can't be written.
    func finishing(_ ledger: LedgerDatabase?, _ work: () async throws -> Void) async throws -> ExitStatus {
        var failure: (any Error)?
        do { try await work() } catch { failure = error }
        return try await BlockingThreadPool.command.run { [failure] () throws in
            if !(failure is RunError) { try ledger?.end() }
            let status = try finish(isWhole: failure == nil)
            if let failure { throw failure }
            return status
        }
    }

    private func finish(isWhole: Bool) throws(RunError) -> ExitStatus {
        let summary = state.withLock { state in
            state.progress?.clear()
            return state.summary
        }
        if !isQuiet { Terminal.printError(summary.lines(elapsed: ContinuousClock.now - start, isWhole: isWhole)) }
        try flush()
        return summary.hasFailures ? .someNotPrepared : .success
    }
}
