internal import CoreMetrics
internal import Logging
internal import Synchronization
internal import SystemSupport

/// One run of a pipeline: the state that all its jobs share.
final class PipelineRun: Sendable {
    private let inputPreparer: MediaInputPreparer
    private let logger: Logger
    private let metrics: PipelineMetrics
    private let verdictCounts = Mutex([Verdict: Int]())

    init(_ pipeline: MediaPipeline) {
        inputPreparer = MediaInputPreparer(pipeline)
        logger = pipeline.logger
        metrics = PipelineMetrics(factory: pipeline.metricsFactory ?? MetricsSystem.factory)
    }

    /// Prepares one input and passes the result to `sink`.
    ///
    /// - Throws: `CancellationError`, and the errors of `sink`.
    func prepareInput(_ input: MediaInput, index: Int, into sink: some MediaResultSink) async throws {
        var reservation = MemoryReservation(from: inputPreparer.memoryBudget)
        let result = try await inputPreparer.prepareInput(input, index: index, within: &reservation)
        try Task.checkCancellation()
        recordResult(result)
        reservation.shrink(toByteCount: MemoryEstimate.bytesRetained(by: result))
        try await sink.receiveResult(result)
        reservation.shrink(toByteCount: 0)
    }

    /// Lets the thread of a job that found no further input work on the images of other jobs.
    func recordEndOfJob() { inputPreparer.spareThreads.giveBack() }

    private func recordResult(_ result: MediaResult) {
        metrics.recordResult(result)
        verdictCounts.withLock { $0[result.verdict, default: 0] += 1 }
        if case .failure(let error) = result.outcome, error.code == .maxMemoryExceeded {
            logger.warning("an input takes more memory than is allowed")
        }
        logger.debug(
            "input prepared",
            metadata: ["name": "\(result.input.name ?? "")", "verdict": "\(result.verdict.rawValue)"])
    }

    /// Logs the number of inputs of each verdict.
    func logVerdictCounts() {
        let counts = verdictCounts.withLock { $0 }
        // Only a batch skips inputs.
        let verdicts = Verdict.allCases.filter { $0 != .skipped }
        logger.info(
            "run ended",
            metadata: Logger.Metadata(
                uniqueKeysWithValues: verdicts.map { ($0.rawValue, "\(counts[$0, default: 0])") }))
    }
}
