internal import Diagnostics
internal import MediaPrep

/// The totals of all files of a report, whether they are listed or not.
struct ReportSummary {
    /// The number of files and their sizes in bytes. Files without an output do not count towards the savings.
    struct FileTotals {
        var fileCount = 0
        var inputBytes = 0
        var outputBytes = 0
        /// The number of files with an output, and the sizes of their inputs in bytes.
        var withOutput = (files: 0, inputBytes: 0)

        mutating func addRow(_ row: ReportRow) {
            fileCount += 1
            inputBytes = inputBytes.addingSaturated(row.inputBytes ?? 0)
            guard let bytes = row.outputBytes else { return }
            outputBytes = outputBytes.addingSaturated(bytes)
            withOutput.files += 1
            withOutput.inputBytes = withOutput.inputBytes.addingSaturated(row.inputBytes ?? 0)
        }
    }

    /// A combination of outcome and code for which files are counted.
    struct DiagnosticKey: Hashable {
        var outcome: ReportOutcome
        var isWarning: Bool
        var code: String
    }

    /// Statistics of the audio durations that are known.
    struct DurationStatistics {
        var count = 0
        var totalSeconds = 0.0
        var shortestSeconds = Double.infinity
        var longestSeconds = 0.0

        mutating func add(seconds: Double) {
            count += 1
            totalSeconds += seconds
            shortestSeconds = min(shortestSeconds, seconds)
            longestSeconds = max(longestSeconds, seconds)
        }
    }

    /// The maximum number of combinations that are counted separately. Only a manifest that `prep` did not write has
    /// more. Further codes are counted as `other`.
    private static let maxDistinctDiagnostics = 200

    private(set) var totals = FileTotals()
    private(set) var totalsByOutcome: [ReportOutcome: FileTotals] = [:]
    private(set) var diagnosticCounts: [DiagnosticKey: Int] = [:]
    private var uploadCount = 0
    private var notUploadedCount = 0
    private(set) var outputSizeHistogram = Histogram.ofByteSizes
    private(set) var audioFileCount = 0
    private(set) var durationStatistics = DurationStatistics()
    private(set) var durationHistogram = Histogram.ofDurations
    /// The distributions of the images' measures, in the order of ``ReportMeasure``.
    private(set) var measureDistributions = ReportMeasure.allCases.map(MeasureDistribution.init)
    private(set) var measuredImageCount = 0
    /// The first failed and rejected rows, which the page shows without its script.
    private(set) var firstFailedRows: [ReportRow] = []

    static let maxFailedRows = 300

    /// Whether the manifest is that of an upload: each prepared file has one, whatever its outcome.
    var isOfUpload: Bool { uploadCount > 0 && notUploadedCount == 0 }
    var readyCount: Int { fileCount { $0.isReady } }
    var unreadyCount: Int { fileCount { $0.needsAttention } }

    private func fileCount(where isCounted: (ReportOutcome) -> Bool) -> Int {
        totalsByOutcome.reduce(0) { $0 + (isCounted($1.key) ? $1.value.fileCount : 0) }
    }

    mutating func addRow(_ row: ReportRow) {
        totals.addRow(row)
        if row.isUploaded { uploadCount += 1 } else if row.isPrepared { notUploadedCount += 1 }
        totalsByOutcome[row.outcome, default: FileTotals()].addRow(row)
        for cause in Set(row.diagnostics.map({ DiagnosticKey(row: row, diagnostic: $0) })) { countDiagnostic(cause) }
        if let bytes = row.outputBytes { outputSizeHistogram.addValue(Double(bytes)) }
        if row.mediaKind == .audio { audioFileCount += 1 }
        if let seconds = row.durationSeconds {
            durationStatistics.add(seconds: seconds)
            durationHistogram.addValue(seconds)
        }
        if let measures = row.measures {
            measuredImageCount += 1
            for (index, value) in measures.enumerated() {
                if let value { measureDistributions[index].add(value) }
            }
        }
        if row.outcome.needsAttention, firstFailedRows.count < Self.maxFailedRows { firstFailedRows.append(row) }
    }

    private mutating func countDiagnostic(_ cause: DiagnosticKey) {
        var cause = cause
        if diagnosticCounts[cause] == nil, diagnosticCounts.count >= Self.maxDistinctDiagnostics {
            cause.code = "other"
        }
        diagnosticCounts[cause, default: 0] += 1
    }

    /// Returns the reasons or the warnings of files with an outcome, most frequent first.
    func diagnosticCounts(of outcome: ReportOutcome, areWarnings: Bool) -> [(code: String, count: Int)] {
        let matching = diagnosticCounts.filter { $0.key.outcome == outcome && $0.key.isWarning == areWarnings }
        return matching.map { ($0.key.code, $0.value) }.sorted {
            $0.1 != $1.1 ? $0.1 > $1.1 : $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
        }
    }
}

extension ReportSummary.DiagnosticKey {
    fileprivate init(row: ReportRow, diagnostic note: ReportRow.RowDiagnostic) {
        self.init(outcome: row.outcome, isWarning: note.isWarning, code: note.reason.code.rawValue)
    }
}
