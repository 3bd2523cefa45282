package import CoreMetrics
public import Logging

/// Prepares many inputs, a few at a time, within a budget of memory.
///
/// ```swift
/// for try await result in MediaPipeline(jobs: 4).results(of: inputs) { print(result.index, result.verdict) }
/// ```
///
/// Every input has exactly one result, whose verdict and bytes depend neither on the number of jobs nor on the budget,
/// but for what a hard limit refuses. Results come as they end, in no order. What can't be prepared is a result too,
/// and no error.
///
/// An input is begun when a job is free. It is opened, recognised and its header read; then its job waits until the
/// memory that preparing it will take is free, first come first served; only then is it read whole. The work is done on
/// threads of the run's own, as many as jobs, so that Swift's stay free.
///
/// Cancelling the task stops a run within one image: nothing more is begun, what waits is woken, and what can't be
/// interrupted, as a decoder in C, ends and is dropped.
public struct MediaPipeline: Sendable {
    /// How images are prepared.
    public var imagePreparer: ImagePreparer
    /// How recordings are.
    public var audioPreparer: AudioPreparer
    /// Inputs at a time, at least 1.
    public var maxConcurrentJobs: Int
    /// Bytes of memory that the inputs being prepared may take together, the outputs that a sink holds included: an
    /// estimate from above. What takes more than that alone is refused as `max-memory`.
    ///
    /// Nil stands for half of what this process may use; then nothing is refused, and what takes more is prepared
    /// alone.
    public var memoryLimit: Int?
    /// Where messages go: one of level `debug` for each input, with its name; `warning` for what `max-memory` refuses
    /// and `info` for the end, without names. By default nowhere.
    public var logger = Logger(label: "media-prep") { _ in SwiftLogNoOpLogHandler() }
    /// Where counters are looked up; nil for what the host has bootstrapped, or nothing.
    package var metricsFactory: (any MetricsFactory)?

    /// A pipeline of these preparers.
    ///
    /// - Parameters:
    ///   - imagePreparer: how images are prepared.
    ///   - audioPreparer: how audio is prepared.
    ///   - maxConcurrentJobs: the number of concurrent inputs, at least 1; nil for the number of available processors.
    ///   - memoryLimit: bytes of memory that concurrent inputs may take together; see ``memoryLimit``.
    public init(
        imagePreparer: ImagePreparer = ImagePreparer(), audioPreparer: AudioPreparer = AudioPreparer(),
        maxConcurrentJobs: Int? = nil,
        memoryLimit: Int? = nil
    ) {
        self.imagePreparer = imagePreparer
        self.audioPreparer = audioPreparer
        self.maxConcurrentJobs = maxConcurrentJobs ?? AvailableProcessors.count
        self.memoryLimit = memoryLimit
    }

    /// Prepares all inputs and gives the results to `sink`.
    ///
    /// - Parameters:
    ///   - inputs: taken one at a time, on the codec threads, when a job is free.
    ///   - sink: receives each result.
    /// - Throws: what `sink` throws, at once; what `inputs` throws, once all before it were given to the sink;
    ///   `CancellationError`.
    public func run<Inputs: AsyncSequence & Sendable>(
        _ inputs: Inputs, into sink: some MediaResultSink
    ) async throws where Inputs.Element == MediaInput {
        let run = PipelineRun(self), feed = MediaInputFeed(inputs),
            threads = BlockingThreadPool(threadCount: maxConcurrentJobs)
        defer { run.logVerdictCounts() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<maxConcurrentJobs {
                group.addTask(executorPreference: threads) {
                    while let (index, input) = try await feed.nextInput() {
                        try await run.prepareInput(input, index: index, into: sink)
                    }
                }
            }
            // The first to throw ends the others.
            for try await _ in group {}
        }
        if let failure = await feed.sequenceError { throw failure }
    }

    /// The results of all inputs, as they come.
    ///
    /// - Returns: a sequence that runs the pipeline when it is iterated.
    public func results<Inputs: AsyncSequence & Sendable>(
        for inputs: Inputs
    ) -> MediaResultSequence where Inputs.Element == MediaInput {
        MediaResultSequence { sink in try await run(inputs, into: sink) }
    }
}
