package import CoreMetrics
public import Logging

/// Prepares many inputs concurrently, within a memory budget.
///
/// ```swift
/// let pipeline = MediaPipeline(maxConcurrentJobs: 4)
/// for try await result in pipeline.results(for: inputs) { print(result.index, result.verdict) }
/// ```
///
/// Every input has exactly one result. Its verdict and bytes do not depend on the number of jobs or on the budget,
/// unless a configured limit rejects the input. Results arrive in the order in which they finish. An input that cannot
/// be prepared is also a result, not an error of the run.
///
/// A free job takes the next input, opens it, detects its kind and reads its header. The job then waits until the
/// memory for the preparation is available, first come first served, and only then reads the whole file. Each run has
/// its own threads, one for each job, so Swift's threads stay free.
///
/// Cancelling the task stops a run within the time of one image: no further input is started, and jobs that wait for
/// memory are woken. A C decoder cannot be interrupted, so it finishes and its result is dropped.
public struct MediaPipeline: Sendable {
    /// The preparer for images.
    public var imagePreparer: ImagePreparer
    /// The preparer for audio.
    public var audioPreparer: AudioPreparer
    /// The maximum number of inputs that are prepared concurrently, at least 1.
    public var maxConcurrentJobs: Int
    /// The maximum memory, in bytes, for all concurrent inputs and the outputs that a sink holds.
    ///
    /// Memory is estimated from above. An input that needs more than the limit alone is rejected with
    /// ``MediaError/Code/maxMemoryExceeded``.
    ///
    /// If it is `nil`, the budget is half of the memory that this process may use. An input that needs more is then not
    /// rejected, but prepared alone.
    public var memoryLimit: Int?
    /// The logger; by default nothing is logged.
    ///
    /// Level `debug` has a message with the name of each input. Level `warning` reports inputs that exceed the memory
    /// limit, and level `info` the end of the run, both without names.
    public var logger = Logger(label: "media-prep") { _ in SwiftLogNoOpLogHandler() }
    /// The factory of the metrics; `nil` for the one that the process has bootstrapped.
    package var metricsFactory: (any MetricsFactory)?

    /// Creates a pipeline with the given preparers.
    ///
    /// - Parameters:
    ///   - imagePreparer: The preparer for images.
    ///   - audioPreparer: The preparer for audio.
    ///   - maxConcurrentJobs: The maximum number of concurrent inputs, at least 1; `nil` for the number of available
    ///     processors.
    ///   - memoryLimit: The maximum memory, in bytes, for all concurrent inputs; see ``memoryLimit``.
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

    /// Prepares all inputs and passes each result to `sink`.
    ///
    /// - Parameters:
    ///   - inputs: The inputs. The next one is requested, on the run's threads, when a job is free.
    ///   - sink: Receives each result.
    /// - Throws: The errors of `sink`, at once; the error of `inputs`, after the results of all inputs before it were
    ///   passed to `sink`; `CancellationError`.
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
                    run.recordEndOfJob()
                }
            }
            // The first job that throws cancels the others.
            for try await _ in group {}
        }
        if let failure = await feed.sequenceError { throw failure }
    }

    /// Returns the results of all inputs as an asynchronous sequence, in the order in which they finish.
    ///
    /// - Parameter inputs: The inputs. The next one is requested, on the run's threads, when a job is free.
    /// - Returns: A sequence that starts a run for each iterator.
    public func results<Inputs: AsyncSequence & Sendable>(
        for inputs: Inputs
    ) -> MediaResultSequence where Inputs.Element == MediaInput {
        MediaResultSequence { sink in try await run(inputs, into: sink) }
    }
}
