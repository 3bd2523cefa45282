internal import Synchronization

/// Where every input's line goes: to the manifest, to the counts, and to the person who waits.
final class Reporter: Sendable {
    private struct State {
        var manifest: ManifestWriter
        var summary = Summary()
        var progress: ProgressBar?
        var manifestError: (any Error)?
    }

    private let state: Mutex<State>
    private let isQuiet: Bool
    private let start = ContinuousClock.now

    init(manifest: ManifestWriter, isQuiet: Bool, showsProgress: Bool, total: Int) {
        self.isQuiet = isQuiet
        state = Mutex(State(manifest: manifest, progress: showsProgress ? ProgressBar(total: total) : nil))
    }

    /// Takes one input's line; from any thread.
    func report(_ line: ManifestLine) {
        state.withLock { state in
            state.summary.add(line)
            do {
                if state.manifestError == nil { try state.manifest.write(line) }
            } catch {
                state.manifestError = error
            }
            if !isQuiet, let verdict = line.verdict, verdict == .rejected || verdict == .failed {
                state.progress?.clear()
                for reason in line.reasons {
                    let place = reason.offset.map { " at byte \($0)" } ?? ""
                    Terminal.printError(
                        "prep: \(line.input): \(verdict) (\(reason.code))\(place): \(reason.message)")
                }
            }
            state.progress?.update(done: state.summary.total)
        }
    }

    /// Prints the summary.
    ///
    /// - Throws: if a line of the manifest could not be written.
    func finish() throws(RunError) -> ExitStatus {
        let (summary, error) = state.withLock { state in
            state.progress?.clear()
            return (state.summary, state.manifestError)
        }
        if !isQuiet { Terminal.printError(summary.text(elapsed: ContinuousClock.now - start)) }
        if let error { throw RunError("the manifest can't be written: \(error)") }
        return summary.hasFailures ? .someNotPrepared : .success
    }
}

/// Counts by verdict, and bytes.
struct Summary: Sendable {
    private var counts: [ManifestLine.Verdict: Int] = [:]
    private var bytesIn = 0
    private var bytesOut = 0

    private(set) var total = 0

    var hasFailures: Bool { counts[.rejected] != nil || counts[.failed] != nil }

    mutating func add(_ line: ManifestLine) {
        if let verdict = line.verdict { counts[verdict, default: 0] += 1 }
        total += 1
        guard line.output != nil else { return }
        bytesIn += line.inputBytes ?? 0
        bytesOut += line.outputBytes ?? 0
    }

    /// `12 inputs: 10 converted, 2 skipped; 34.5 MB became 3.2 MB in 0.41 s`
    func text(elapsed: Duration) -> String {
        let verdicts = ManifestLine.Verdict.allCases.compactMap { verdict in
            counts[verdict].map { "\($0) \(verdict == .passthrough ? "passed through" : verdict.rawValue)" }
        }
        let what = verdicts.isEmpty ? "" : ": " + verdicts.joined(separator: ", ")
        let time = Decimal.text(elapsed.milliseconds / 1000, digits: 2)
        return "\(total) \(total == 1 ? "input" : "inputs")\(what); "
            + "\(Self.megabytes(bytesIn)) MB became \(Self.megabytes(bytesOut)) MB in \(time) s"
    }

    private static func megabytes(_ bytes: Int) -> String {
        Decimal.text(Double(bytes) / 1e6, digits: bytes < 1_000_000 ? 3 : 1)
    }
}

/// Numbers with a fixed count of decimals, without a formatter and its locale data.
enum Decimal {
    static func text(_ value: Double, digits: Int) -> String {
        let scale = (0..<digits).reduce(1) { product, _ in product * 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        return "\(value < 0 && scaled > 0 ? "-" : "")\(scaled / scale)."
            + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
