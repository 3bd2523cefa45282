internal import Batch
internal import BatchUpload
internal import Diagnostics
internal import HTTPCalls
internal import MediaPrep
internal import Uploading

/// The summary of a run as text.
enum SummaryText {
    private struct ReasonRow {
        var outcome: String
        var code: String
        var count: Int
    }

    /// Returns the summary, such as `12 inputs: 10 converted, 2 rejected; 34.5 MB became 3.2 MB in 0.41 s`, and one
    /// line per reason.
    static func lines(for summary: BatchSummary, uploads: UploadSummary?) -> [String] {
        let counts = outcomeCounts(summary, uploads)
        let what = counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")
        let time = DecimalFormat.string(from: summary.elapsed.milliseconds / 1000, fractionDigits: 2)
        let sizes =
            summary.outputBytes > 0
            ? "\(megabytes(summary.inputBytes)) MB became \(megabytes(summary.outputBytes)) MB " : ""
        let first =
            "\(summary.inputCount) \(summary.inputCount == 1 ? "input" : "inputs")"
            + "\(summary.isComplete ? "" : " before the run stopped")\(what); \(sizes)in \(time) s"
            + earlierRunNote(summary, uploads)
        return [first] + reasonTable(summary, uploads)
    }

    private static func outcomeCounts(_ summary: BatchSummary, _ uploads: UploadSummary?) -> [String] {
        var counts = Verdict.allCases.compactMap { verdict in
            summary.verdictCounts[verdict].map {
                "\($0) \(verdict == .passthrough ? "passed through" : verdict.rawValue)"
            }
        }
        if summary.plannedCount > 0 { counts.append("\(summary.plannedCount) to be prepared") }
        counts += UploadResult.Status.allCases.compactMap { status in
            uploads?.statusCounts[status].map { "\($0) \(status == .failed ? "not uploaded" : status.rawValue)" }
        }
        return counts
    }

    private static func earlierRunNote(_ summary: BatchSummary, _ uploads: UploadSummary?) -> String {
        if summary.carriedOverCount == 0 { return "" }
        return summary.newResultCount + (uploads?.newUploadCount ?? 0) == 0 && summary.isComplete
            ? "; nothing to do: all was done before" : "; \(summary.carriedOverCount) of them done before"
    }

    /// The counts by reason, most frequent first.
    private static func reasonTable(_ summary: BatchSummary, _ uploads: UploadSummary?) -> [String] {
        let rows =
            summary.reasonCounts.map {
                ReasonRow(outcome: $0.key.verdict.rawValue, code: $0.key.code.rawValue, count: $0.value)
            }
            + (uploads?.reasonCounts ?? [:]).map {
                ReasonRow(outcome: $0.key.status.rawValue, code: $0.key.code.rawValue, count: $0.value)
            }
        let width = rows.map { String($0.count).count }.max() ?? 0
        return rows.sorted { ($1.count, $0.code) < ($0.count, $1.code) }.map { row in
            let number = String(row.count)
            // The reason of an upload that is `outcome-unknown` has the same name.
            let outcome = row.outcome == row.code ? row.code : "\(row.outcome)  \(row.code)"
            return "  " + String(repeating: " ", count: width - number.count) + "\(number)  \(outcome)"
        }
    }

    private static func megabytes(_ bytes: Int) -> String {
        DecimalFormat.string(from: Double(bytes) / 1e6, fractionDigits: bytes < 1_000_000 ? 3 : 1)
    }
}
