internal import CoreMetrics
internal import Logging
internal import Synchronization

/// One run of a pipeline: what all its jobs share.
final class PipelineRun: Sendable {
    private let preparation: MediaPreparation
    private let logger: Logger
    private let metrics: PipelineMetrics
    private let counts = Mutex([MediaResult.Verdict: Int]())

    init(_ pipeline: MediaPipeline) {
        preparation = MediaPreparation(pipeline)
        logger = pipeline.logger
        metrics = PipelineMetrics(pipeline.metrics ?? MetricsSystem.factory)
    }

    /// Prepares one input and gives the result to `sink`.
    ///
    /// - Throws: `CancellationError`, and what `sink` throws.
    func prepare(_ input: MediaInput, _ index: Int, into sink: some Sink) async throws {
        var share = MemoryShare(of: preparation.budget)
        let result = try await preparation.result(of: input, index, within: &share)
        try Task.checkCancellation()
        note(result)
        share.shrink(to: MemoryEstimate.held(by: result))
        try await sink.receive(result)
        share.shrink(to: 0)
    }

    private func note(_ result: MediaResult) {
        metrics.record(result)
        counts.withLock { $0[result.verdict, default: 0] += 1 }
        if case .failure(let error) = result.outcome, error.code == .maxMemory {
            logger.warning("an input takes more memory than is allowed")
        }
        logger.debug(
            "input prepared",
            metadata: ["name": "\(result.input.name ?? "")", "verdict": "\(result.verdict.rawValue)"])
    }

    /// Says how many inputs ended how.
    func logEnd() {
        let counts = counts.withLock { $0 }
        logger.info(
            "run ended",
            metadata: Logger.Metadata(
                uniqueKeysWithValues: MediaResult.Verdict.allCases.map { ($0.rawValue, "\(counts[$0, default: 0])") }))
    }
}
