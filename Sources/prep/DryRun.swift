internal import Ledger
internal import MediaPrep
internal import SystemPackage

/// Says what a run would do, and writes nothing but that.
struct DryRun: Sendable {
    var inputs: InputList
    /// Which of them are this run's.
    var inputPositions: [Int]
    var history: RunHistory?
    var outputDirectory: FilePath
    var inspector: MediaInspector
    var reporter: RunReporter

    /// Looks at every input. Blocks.
    ///
    /// - Throws: if the manifest can't be written.
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
