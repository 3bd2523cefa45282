internal import MediaPrep

/// What the report says of all files together, listed or not.
struct ReportSummary {
    /// How many files, and their bytes. Those of files without an output are not part of what was saved.
    struct Total {
        var files = 0
        var inputBytes = 0
        var outputBytes = 0
        /// Files with an output, and the bytes of their inputs.
        var saved = (files: 0, inputBytes: 0)

        mutating func add(_ row: ReportRow) {
            files += 1
            inputBytes = inputBytes.addingSaturated(row.inputBytes ?? 0)
            guard let bytes = row.outputBytes else { return }
            outputBytes = outputBytes.addingSaturated(bytes)
            saved.files += 1
            saved.inputBytes = saved.inputBytes.addingSaturated(row.inputBytes ?? 0)
        }
    }

    /// What files are counted by beside their outcome.
    struct Cause: Hashable {
        var outcome: Outcome
        var isWarning: Bool
        var code: String
    }

    /// The lengths of those recordings whose length is known.
    struct Lengths {
        var count = 0
        var total = 0.0
        var shortest = Double.infinity
        var longest = 0.0

        mutating func add(_ seconds: Double) {
            count += 1
            total += seconds
            shortest = min(shortest, seconds)
            longest = max(longest, seconds)
        }
    }

    /// Codes are a few dozen; a manifest with more distinct ones than this was not written by `prep`, and the rest of them
    /// count as `other`.
    private static let mostCauses = 200

    private(set) var total = Total()
    private(set) var outcomes: [Outcome: Total] = [:]
    private(set) var causes: [Cause: Int] = [:]
    private(set) var outputSizes = Histogram.sizes
    private(set) var recordings = 0
    private(set) var lengths = Lengths()
    private(set) var durations = Histogram.durations
    /// The first rows that are not ready, for a page that opens without its script, and for its first view.
    private(set) var unready: [ReportRow] = []

    static let mostUnready = 300

    var ready: Int { files { $0.isReady } }
    var notReady: Int { files { $0.isUnready } }

    private func files(_ isCounted: (Outcome) -> Bool) -> Int {
        outcomes.reduce(0) { $0 + (isCounted($1.key) ? $1.value.files : 0) }
    }

    mutating func add(_ row: ReportRow) {
        total.add(row)
        outcomes[row.outcome, default: Total()].add(row)
        for cause in Set(row.notes.map({ Cause(row, $0) })) { count(cause) }
        if let bytes = row.outputBytes { outputSizes.add(Double(bytes)) }
        if row.kind == 1 { recordings += 1 }
        if let seconds = row.seconds {
            lengths.add(seconds)
            durations.add(seconds)
        }
        if row.outcome.isUnready, unready.count < Self.mostUnready { unready.append(row) }
    }

    private mutating func count(_ cause: Cause) {
        var cause = cause
        if causes[cause] == nil, causes.count >= Self.mostCauses { cause.code = "other" }
        causes[cause, default: 0] += 1
    }

    /// The reasons, or the warnings, of files that ended so: the commonest first.
    func causes(of outcome: Outcome, areWarnings: Bool) -> [(code: String, count: Int)] {
        let matching = causes.filter { $0.key.outcome == outcome && $0.key.isWarning == areWarnings }
        return matching.map { ($0.key.code, $0.value) }.sorted {
            $0.1 != $1.1 ? $0.1 > $1.1 : $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
        }
    }
}

extension ReportSummary.Cause {
    fileprivate init(_ row: ReportRow, _ note: ReportRow.Note) {
        self.init(outcome: row.outcome, isWarning: note.isWarning, code: note.reason.code)
    }
}
