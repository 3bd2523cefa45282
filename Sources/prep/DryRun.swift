internal import Ledger
internal import MediaPrep
internal import SystemPackage

/// Reports what a run would do. It writes only the manifest.
struct DryRun: Sendable {
    var inputs: InputList
    /// The positions of the inputs that this run would process.
    var inputPositions: [Int]
    var history: RunHistory?
    var outputDirectory: FilePath
    var inspector: MediaInspector
    var reporter: RunReporter

    /// Examines every input, without preparing it. This blocks the calling thread.
    ///
    /// - Throws: `RunError` if the manifest cannot be written or the ledger cannot be read.
    func run() throws {
        let remaining =
            try history?.remainingPositions(of: inputs, at: inputPositions, in: outputDirectory) { record in
                try reporter.reportExistingLine(
                    record.manifestLine, summary: ResultSummary(record), source: .earlierRun)
            } ?? inputPositions
        for position in remaining {
            let line = plannedLine(for: inputs[position])
            try reporter.reportResult(line, json: line.jsonLine())
        }
    }

    private func plannedLine(for input: DiscoveredInput) -> ManifestLine {
        if input.rejectionReason != nil { return ManifestLine(rejecting: input) }
        var line = inspector.manifestLine(forFileAt: input.path, input: input)
        let isToBeDone = [nil, .accepted, .cleaned].contains(line.verdict)
        if isToBeDone { line.output = line.audio == nil ? input.imageOutputPath : input.audioOutputPath }
        return line
    }
}
