internal import Ledger
internal import MediaPrep
internal import SystemPackage

/// Reports the results that a run would have. It writes only the manifest.
struct DryRun: Sendable {
    var selection: InputSelection
    var history: RunHistory?
    var outputDirectory: FilePath
    var inspector: MediaInspector
    var recorder: RunRecorder

    /// Examines every input, without preparing it. This blocks the calling thread.
    ///
    /// - Throws: `BatchError` if the manifest cannot be written or the ledger cannot be read; `CancellationError`.
    func run() throws {
        var inputs = selection.inputs
        let remaining =
            try history?.remainingPositions(
                of: &inputs, at: selection.inputPositions, in: outputDirectory,
                carryOver: recorder.receiveEarlierRecord) ?? selection.inputPositions
        for position in remaining {
            try Task.checkCancellation()
            let line = plannedLine(for: inputs[position])
            // An inspection that was cancelled ends with an error, which is no result of the input.
            try Task.checkCancellation()
            try recorder.recordResult(line, json: line.jsonLine())
        }
    }

    private func plannedLine(for input: DiscoveredInput) -> ManifestLine {
        if input.rejectionReason != nil || input.isLivePhotoVideo { return ManifestLine(unprepared: input) }
        var line = inspector.manifestLine(forFileAt: input.path, input: input)
        let isToBeDone = [nil, .accepted, .cleaned].contains(line.verdict)
        if isToBeDone { line.output = line.audio == nil ? input.imageOutputPath : input.audioOutputPath }
        return line
    }
}
