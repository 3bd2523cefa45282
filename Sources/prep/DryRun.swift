internal import Ledger
internal import MediaPrep
internal import SystemPackage

/// Says what a run would do, and writes nothing but that.
struct DryRun: Sendable {
    var inputs: InputList
    /// Which of them are this run's.
    var positions: [Int]
    var history: History?
    var directory: FilePath
    var inspection: Inspection
    var reporter: Reporter

    /// Looks at every input. Blocks.
    ///
    /// - Throws: if the manifest can't be written.
    func run() throws {
        let remaining =
            try history?.remaining(of: inputs, at: positions, in: directory) { record in
                try reporter.carryOver(record.manifestLine, Ending(record), from: .earlierRun)
            } ?? positions
        for position in remaining {
            let line = line(for: inputs[position])
            try reporter.report(line, json: line.json())
        }
    }

    private func line(for input: Input) -> ManifestLine {
        if input.refusal != nil { return ManifestLine(refusing: input) }
        var line = inspection.line(for: input.path, of: input)
        let isToBeDone = [nil, .accepted, .cleaned].contains(line.verdict)
        if isToBeDone { line.output = line.audio == nil ? input.imageOutput : input.recordingOutput }
        return line
    }
}
