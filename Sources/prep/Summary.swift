internal import Ledger
internal import MediaPrep
internal import Uploading

/// What counts of one input's end.
struct Ending: Sendable {
    /// Nil for what a dry run would do.
    var verdict: ManifestLine.Verdict?
    /// The first reason's code.
    var reason: String?
    /// Bytes of the input, and of what was written for it; nil where nothing was.
    var bytes: (input: Int, output: Int)?

    init(_ line: ManifestLine) {
        verdict = line.verdict
        reason = line.reasons.first?.code
        bytes = line.outputBytes.map { (line.inputBytes ?? 0, $0) }
    }

    init(_ entry: ManifestEntry) {
        verdict = entry.verdict
        reason = entry.reasons.first?.code
        bytes = entry.outputBytes.map { (entry.inputBytes ?? 0, $0) }
    }

    init(_ record: InputRecord) {
        verdict = ManifestLine.Verdict(rawValue: record.verdict)
        reason = record.reasonCode
        bytes = record.output.map { (Int(record.fileStamp.size), Int($0.size)) }
    }
}

/// Counts by verdict and reason, and bytes.
struct Summary: Sendable {
    private struct Cause: Hashable, Sendable {
        /// The verdict, or the upload's status.
        var ending: String
        var reason: String
    }

    private var verdicts: [ManifestLine.Verdict: Int] = [:]
    private var uploads: [UploadResult.Status: Int] = [:]
    private var causes: [Cause: Int] = [:]
    private var planned = 0
    /// Inputs that this run prepared, or sent.
    private var done = 0
    private var carried = 0
    private var bytes = (input: 0, output: 0)

    private(set) var total = 0

    var hasFailures: Bool {
        verdicts[.rejected] != nil || verdicts[.failed] != nil
            || !Set(uploads.keys).isSubset(of: [.acknowledged, .duplicate])
    }

    /// Whose work a line is.
    enum Origin { case thisRun, earlierRun, plan }

    mutating func add(_ ending: Ending, from origin: Origin = .thisRun) {
        total += 1
        done += origin == .thisRun ? 1 : 0
        carried += origin == .earlierRun ? 1 : 0
        if let verdict = ending.verdict {
            verdicts[verdict, default: 0] += 1
            if let reason = ending.reason { causes[Cause(ending: verdict.rawValue, reason: reason), default: 0] += 1 }
        } else {
            planned += 1
        }
        bytes.input = bytes.input.addingSaturated(ending.bytes?.input ?? 0)
        bytes.output = bytes.output.addingSaturated(ending.bytes?.output ?? 0)
    }

    mutating func add(_ upload: UploadResult) {
        uploads[upload.status, default: 0] += 1
        done += upload.isFromEarlierRun ? 0 : 1
        if let error = upload.error {
            causes[Cause(ending: upload.status.rawValue, reason: error.code.rawValue), default: 0] += 1
        }
    }

    /// `12 inputs: 10 converted, 2 rejected; 34.5 MB became 3.2 MB in 0.41 s`, and a line for each reason.
    func lines(elapsed: Duration, isWhole: Bool) -> [String] {
        var counts = ManifestLine.Verdict.allCases.compactMap { verdict in
            verdicts[verdict].map { "\($0) \(verdict == .passthrough ? "passed through" : verdict.rawValue)" }
        }
        if planned > 0 { counts.append("\(planned) to be prepared") }
        counts += UploadResult.Status.allCases.compactMap { status in
            uploads[status].map { "\($0) \(status == .failed ? "not uploaded" : status.rawValue)" }
        }
        let what = counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")
        let time = Decimal.text(elapsed.milliseconds / 1000, digits: 2)
        let sizes =
            bytes.output > 0
            ? "\(Self.megabytes(bytes.input)) MB became \(Self.megabytes(bytes.output)) MB " : ""
        let first =
            "\(total) \(total == 1 ? "input" : "inputs")\(isWhole ? "" : " before the interruption")\(what); "
            + "\(sizes)in \(time) s" + before(isWhole)
        return [first] + table
    }

    private func before(_ isWhole: Bool) -> String {
        if carried == 0 { return "" }
        return done == 0 && isWhole ? "; nothing to do: all was done before" : "; \(carried) of them done before"
    }

    /// Verdicts with reasons, the most frequent first.
    private var table: [String] {
        let rows = causes.sorted { ($1.value, $0.key.reason) < ($0.value, $1.key.reason) }
        let width = rows.map { String($0.value).count }.max() ?? 0
        return rows.map { cause, count in
            let number = String(count)
            return "  " + String(repeating: " ", count: width - number.count)
                + "\(number)  \(cause.ending)  \(cause.reason)"
        }
    }

    private static func megabytes(_ bytes: Int) -> String {
        Decimal.text(Double(bytes) / 1e6, digits: bytes < 1_000_000 ? 3 : 1)
    }
}

/// Numbers with a fixed count of decimals, without a formatter and its locale data.
enum Decimal {
    /// `value` with `digits` decimals. NaN is written as 0, and what exceeds 18 digits as the largest number of 18.
    static func text(_ value: Double, digits: Int) -> String {
        let scale = (0..<digits).reduce(1) { product, _ in product * 10 }
        let scaled = Int(saturating: (abs(value) * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        return "\(value < 0 && scaled > 0 ? "-" : "")\(scaled / scale)."
            + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}

extension Int {
    /// The whole part of `value`, or 9 x 10^18 with its sign if it is further from 0; 0 for NaN.
    init(saturating value: Double) { self = value.isNaN ? 0 : Int(Swift.max(-9e18, Swift.min(value, 9e18))) }
}

extension Duration {
    /// With three decimals.
    var milliseconds: Double {
        let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        return Double(microseconds) / 1000
    }
}
