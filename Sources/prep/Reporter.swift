internal import FoundationEssentials
internal import MediaPrep
internal import Synchronization

/// Where every input's line goes: to the manifest, to the counts, and to the person who waits.
final class Reporter: Sendable {
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
    func show(_ progress: ProgressDisplay) { state.withLock { $0.progress = progress } }

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

    /// Writes what was taken to the manifest's file.
    func flush() throws(RunError) { try state.withLock { (state) throws(RunError) in try state.manifest.flush() } }

    /// Prints the summary.
    ///
    /// - Parameter isWhole: whether every input has its line.
    /// - Throws: if the manifest can't be written.
    func finish(isWhole: Bool = true) throws(RunError) -> ExitStatus {
        let summary = state.withLock { state in
            state.progress?.clear()
            return state.summary
        }
        if !isQuiet { Terminal.printError(summary.text(elapsed: ContinuousClock.now - start, isWhole: isWhole)) }
        try flush()
        return summary.hasFailures ? .someNotPrepared : .success
    }
}
