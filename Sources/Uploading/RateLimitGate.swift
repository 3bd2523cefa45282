/// Holds back all requests of a batch while the server asks for it: a limit of how many are sent at a time is none of
/// how many are sent in a minute.
actor RateLimitGate {
    private let retryPolicy: RetryPolicy
    /// How often it was closed; who passed before the last time brings no news.
    private var generation = 0
    private var consecutive429Count = 0
    private var closedUntil = ContinuousClock.now
    /// Why it is shut for good.
    private var terminalError: UploadError?

    init(retryPolicy: RetryPolicy) { self.retryPolicy = retryPolicy }

    /// Waits until it is open.
    ///
    /// - Returns: stands for this passage.
    /// - Throws: what it was shut for; `cancelled`.
    func waitUntilOpen() async throws(UploadError) -> Int {
        while terminalError == nil, closedUntil > .now {
            do { try await Task.sleep(until: closedUntil) } catch { break }
        }
        if let terminalError { throw terminalError }
        if Task.isCancelled { throw UploadError(code: .cancelled, message: "it was cancelled") }
        return generation
    }

    /// A request was answered with something else than 429.
    func recordNon429Response() { consecutive429Count = 0 }

    /// The request that passed as `passedGeneration` was answered with 429.
    ///
    /// - Parameter retryAfter: how long the server asks to wait; nil if it doesn't.
    /// - Throws: if that ends the batch; all that would pass from then on learn the same.
    func closeTemporarily(generation passedGeneration: Int, retryAfter: Duration?, serverMessage: ServerErrorMessage?)
        throws(UploadError)
    {
        if let terminalError { throw terminalError }
        if retryPolicy.treats429AsQuota && retryAfter == nil || retryAfter ?? .zero > retryPolicy.maxRetryAfter {
            throw closePermanently(
                code: retryPolicy.treats429AsQuota ? .quotaExhausted : .rateLimited, serverMessage: serverMessage,
                message: "the server allows no more for now")
        }
        if passedGeneration == generation {
            generation += 1
            consecutive429Count += 1
        } else if retryAfter == nil {
            // One of many that were on their way when it was closed.
            return
        }
        if consecutive429Count >= retryPolicy.maxConsecutive429s {
            throw closePermanently(
                code: .rateLimited, serverMessage: serverMessage, message: "the server kept answering that it is busy")
        }
        // What is asked for, and a little more: not all at once, and not again at once where 0 s are asked for.
        let jitter = retryPolicy.delay(afterAttempt: consecutive429Count, retryAfter: nil)
        closedUntil = max(closedUntil, .now + (retryAfter.map { $0 + min(jitter, .seconds(1)) } ?? jitter))
    }

    private func closePermanently(code: UploadError.Code, serverMessage: ServerErrorMessage?, message: String)
        -> UploadError
    {
        let error = UploadError(code: code, message: message, status: 429, serverMessage: serverMessage)
        terminalError = error
        return error
    }
}
