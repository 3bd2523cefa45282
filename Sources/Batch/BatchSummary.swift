public import Diagnostics
package import Ledger
public import MediaPrep
internal import SystemSupport

/// The totals of a run.
public struct BatchSummary: Sendable {
    /// A verdict with the code of the first reason for it.
    public struct VerdictAndCode: Hashable, Sendable {
        /// The verdict.
        public var verdict: Verdict
        /// The code of the first reason.
        public var code: Diagnostic.Code
    }

    /// The number of inputs that have a result.
    public private(set) var inputCount = 0
    /// The number of results of this run, rather than of an earlier one or of the plan.
    public private(set) var newResultCount = 0
    /// The number of results that an earlier run recorded and that are still valid.
    public private(set) var carriedOverCount = 0
    /// The number of inputs of a dry run that would be prepared.
    public private(set) var plannedCount = 0
    /// The number of results by verdict.
    public private(set) var verdictCounts: [Verdict: Int] = [:]
    /// The number of results by verdict and first reason.
    public private(set) var reasonCounts: [VerdictAndCode: Int] = [:]
    /// The size of all inputs that have an output, in bytes.
    public private(set) var inputBytes = 0
    /// The size of all outputs, in bytes.
    public private(set) var outputBytes = 0
    /// The time since the start of the run.
    public package(set) var elapsed = Duration.zero
    /// Whether the run came to its end. It did not if it was cancelled or failed.
    public package(set) var isComplete = false

    /// Creates a summary of nothing.
    package init() {}

    /// Whether an input was rejected or failed.
    public var hasFailures: Bool { verdictCounts[.rejected] != nil || verdictCounts[.failed] != nil }

    /// The origin of a manifest line.
    package enum LineSource: Sendable { case thisRun, earlierRun, plan }

    package mutating func countResult(_ result: ResultSummary, from source: LineSource) {
        inputCount += 1
        newResultCount += source == .thisRun ? 1 : 0
        carriedOverCount += source == .earlierRun ? 1 : 0
        if let verdict = result.verdict {
            verdictCounts[verdict, default: 0] += 1
            if let code = result.firstReasonCode {
                reasonCounts[VerdictAndCode(verdict: verdict, code: code), default: 0] += 1
            }
        } else {
            plannedCount += 1
        }
        inputBytes = inputBytes.addingSaturated(result.byteCounts?.input ?? 0)
        outputBytes = outputBytes.addingSaturated(result.byteCounts?.output ?? 0)
    }
}

/// The part of an input's result that a summary counts.
package struct ResultSummary: Sendable {
    /// The verdict, or `nil` for an input of a dry run that would be prepared.
    package var verdict: Verdict?
    /// The code of the first reason, or `nil` if there is none.
    package var firstReasonCode: Diagnostic.Code?
    /// The sizes of the input and its output in bytes, or `nil` if there is no output.
    package var byteCounts: (input: Int, output: Int)?

    package init(_ line: ManifestLine) {
        verdict = line.verdict
        firstReasonCode = line.reasons.first?.code
        byteCounts = line.outputBytes.map { (line.inputBytes ?? 0, $0) }
    }

    package init(_ entry: ManifestEntry) {
        verdict = entry.verdict
        firstReasonCode = entry.reasons.first?.code
        byteCounts = entry.outputBytes.map { (entry.inputBytes ?? 0, $0) }
    }

    package init(_ record: InputRecord) {
        verdict = Verdict(rawValue: record.verdict)
        firstReasonCode = record.reasonCode.map(Diagnostic.Code.init)
        byteCounts = record.output.map { (Int(record.fileVersion.size), Int($0.size)) }
    }
}
