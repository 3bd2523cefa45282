/// A receiver of a pipeline's results, which also sets the pipeline's pace.
public protocol MediaResultSink: Sendable {
    /// Receives one result.
    ///
    /// The method is called on one of the pipeline's threads, so it may block. It is called concurrently for as many
    /// results as the pipeline has jobs. Until it returns, the job starts no other input, and the result counts as
    /// memory in use. This is the pipeline's back-pressure.
    ///
    /// - Parameter result: The result of one input.
    /// - Throws: An error that ends the run and is thrown by ``MediaPipeline/run(_:into:)``.
    func receiveResult(_ result: MediaResult) async throws
}
