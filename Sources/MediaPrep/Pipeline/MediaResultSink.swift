/// Takes what a pipeline has ready, and sets its pace.
public protocol MediaResultSink: Sendable {
    /// Takes one result.
    ///
    /// It is called on one of the pipeline's codec threads, so it may block, and for as many results at once as the
    /// pipeline has jobs. Until it returns, the job begins no other input, and what the result holds counts as memory
    /// in use: that is the back-pressure.
    ///
    /// - Throws: what ends the run; `MediaPipeline.run(_:into:)` throws it in turn.
    func receiveResult(_ result: MediaResult) async throws
}
