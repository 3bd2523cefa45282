internal import Ledger
internal import MediaPrep
internal import Uploading

/// The part of an input's result that the summary counts.
struct ResultSummary: Sendable {
    /// The verdict, or `nil` for an input of a dry run that would be prepared.
    var verdict: ManifestLine.Verdict?
    /// The code of the first reason, or `nil` if there is none.
    var firstReasonCode: String?
    /// The sizes of the input and its output in bytes, or `nil` if there is no output.
    var byteCounts: (input: Int, output: Int)?

    init(_ line: ManifestLine) {
        verdict = line.verdict
        firstReasonCode = line.reasons.first?.code
        byteCounts = line.outputBytes.map { (line.inputBytes ?? 0, $0) }
    }

    init(_ entry: ManifestEntry) {
        verdict = entry.verdict
        firstReasonCode = entry.reasons.first?.code
        byteCounts = entry.outputBytes.map { (entry.inputBytes ?? 0, $0) }
    }

    init(_ record: InputRecord) {
        verdict = ManifestLine.Verdict(rawValue: record.verdict)
        firstReasonCode = record.reasonCode
        byteCounts = record.output.map { (Int(record.fileStamp.size), Int($0.size)) }
    }
}

/// The number of results by verdict and reason, and the total sizes.
struct RunSummary: Sendable {
    private struct OutcomeReason: Hashable, Sendable {
        /// The verdict, or the status of the upload.
        var outcome: String
        var reasonCode: String
    }

    private var verdictCounts: [ManifestLine.Verdict: Int] = [:]
    private var uploadStatusCounts: [UploadResult.Status: Int] = [:]
    private var reasonCounts: [OutcomeReason: Int] = [:]
    private var plannedCount = 0
    /// The number of results and uploads of this run.
    private var completedCount = 0
    private var carriedOverCount = 0
    private var byteTotals = (input: 0, output: 0)

    private(set) var inputCount = 0

    var hasFailures: Bool {
        verdictCounts[.rejected] != nil || verdictCounts[.failed] != nil
            || !Set(uploadStatusCounts.keys).isSubset(of: [.acknowledged, .duplicate])
    }

    /// The origin of a manifest line.
    enum LineSource { case thisRun, earlierRun, plan }

    mutating func countResult(_ ending: ResultSummary, from origin: LineSource = .thisRun) {
        inputCount += 1
        completedCount += origin == .thisRun ? 1 : 0
        carriedOverCount += origin == .earlierRun ? 1 : 0
        if let verdict = ending.verdict {
            verdictCounts[verdict, default: 0] += 1
            if let reason = ending.firstReasonCode {
                reasonCounts[OutcomeReason(outcome: verdict.rawValue, reasonCode: reason), default: 0] += 1
            }
        } else {
            plannedCount += 1
        }
        byteTotals.input = byteTotals.input.addingSaturated(ending.byteCounts?.input ?? 0)
        byteTotals.output = byteTotals.output.addingSaturated(ending.byteCounts?.output ?? 0)
    }

    mutating func countUpload(_ upload: UploadResult) {
        uploadStatusCounts[upload.status, default: 0] += 1
        completedCount += upload.isFromEarlierRun ? 0 : 1
        if let error = upload.error {
            reasonCounts[OutcomeReason(outcome: upload.status.rawValue, reasonCode: error.code.rawValue), default: 0] +=
                1
        }
    }

    /// Returns the summary, such as `12 inputs: 10 converted, 2 rejected; 34.5 MB became 3.2 MB in 0.41 s`, and one
    /// line per reason.
    func formattedLines(elapsed: Duration, isComplete: Bool) -> [String] {
        var counts = ManifestLine.Verdict.allCases.compactMap { verdict in
            verdictCounts[verdict].map { "\($0) \(verdict == .passthrough ? "passed through" : verdict.rawValue)" }
        }
        if plannedCount > 0 { counts.append("\(plannedCount) to be prepared") }
        counts += UploadResult.Status.allCases.compactMap { status in
            uploadStatusCounts[status].map { "\($0) \(status == .failed ? "not uploaded" : status.rawValue)" }
        }
        let what = counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")
        let time = DecimalFormat.string(from: elapsed.milliseconds / 1000, fractionDigits: 2)
        let sizes =
            byteTotals.output > 0
            ? "\(Self.formattedMegabytes(fromBytes: byteTotals.input)) MB became "
                + "\(Self.formattedMegabytes(fromBytes: byteTotals.output)) MB "
            : ""
        let first =
            "\(inputCount) \(inputCount == 1 ? "input" : "inputs")"
            + "\(isComplete ? "" : " before the interruption")\(what); "
            + "\(sizes)in \(time) s" + earlierRunNote(isComplete: isComplete)
        return [first] + reasonTableLines
    }

    private func earlierRunNote(isComplete isWhole: Bool) -> String {
        if carriedOverCount == 0 { return "" }
        return completedCount == 0 && isWhole
            ? "; nothing to do: all was done before" : "; \(carriedOverCount) of them done before"
    }

    /// The counts by reason, most frequent first.
    private var reasonTableLines: [String] {
        let rows = reasonCounts.sorted { ($1.value, $0.key.reasonCode) < ($0.value, $1.key.reasonCode) }
        let width = rows.map { String($0.value).count }.max() ?? 0
        return rows.map { cause, count in
            let number = String(count)
            return "  " + String(repeating: " ", count: width - number.count)
                + "\(number)  \(cause.outcome)  \(cause.reasonCode)"
        }
    }

    private static func formattedMegabytes(fromBytes bytes: Int) -> String {
        DecimalFormat.string(from: Double(bytes) / 1e6, fractionDigits: bytes < 1_000_000 ? 3 : 1)
    }
}

/// Formats numbers with a fixed number of decimals, without a formatter and its locale data.
enum DecimalFormat {
    /// Returns `value` with `fractionDigits` decimals. NaN is formatted as 0. The magnitude of the scaled value is
    /// limited to 9 × 10^18.
    static func string(from value: Double, fractionDigits: Int) -> String {
        let scale = (0..<fractionDigits).reduce(1) { product, _ in product * 10 }
        let scaled = Int(saturating: (abs(value) * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        return "\(value < 0 && scaled > 0 ? "-" : "")\(scaled / scale)."
            + String(repeating: "0", count: fractionDigits - fraction.count) + fraction
    }
}

extension Int {
    /// Creates the integral part of `value`, limited to ±9 × 10^18, or 0 for NaN.
    init(saturating value: Double) { self = value.isNaN ? 0 : Int(Swift.max(-9e18, Swift.min(value, 9e18))) }
}

extension Duration {
    /// The duration in milliseconds, truncated to three decimals.
    var milliseconds: Double {
        let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        return Double(microseconds) / 1000
    }
}
