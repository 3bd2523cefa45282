internal import MediaPrep

/// One run over all its inputs.
struct Batch: Sendable {
    var inputs: [Input]
    var preparation: InputPreparation
    /// Files at a time.
    var jobs: Int
    var reporter: Reporter

    /// Prepares every input.
    ///
    /// - Throws: if the manifest can't be written.
    func run() async throws -> ExitStatus {
        // The large ones first, so that no processor is left waiting at the end for one that was begun last.
        let order = inputs.sorted { $0.size > $1.size }
        await forEachConcurrently(order, limit: jobs, on: CodecThreads(count: jobs)) { input in
            let clock = ContinuousClock()
            let start = clock.now
            var line = preparation.line(for: input)
            line.elapsedMilliseconds = (clock.now - start).milliseconds
            reporter.report(line)
        }
        preparation.directory.close()
        return try reporter.finish()
    }
}

extension Duration {
    /// With three decimals.
    var milliseconds: Double {
        let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        return Double(microseconds) / 1000
    }
}
