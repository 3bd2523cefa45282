/// Pauses all requests of a batch after a 429 response. A limit on concurrent requests does not limit the requests per
/// minute.
actor RateLimitGate {
    private let retryPolicy: RetryPolicy
    /// The number of times that the gate was closed. A 429 response to a request of an earlier generation does not
    /// count as a further one.
    private var generation = 0
    private var consecutive429Count = 0
    private var closedUntil = ContinuousClock.now
    /// The error that closed the gate permanently.
    private var terminalError: UploadError?

    init(retryPolicy: RetryPolicy) { self.retryPolicy = retryPolicy }

    /// Waits until the gate is open.
    ///
    /// - Returns: The generation, to be passed to ``closeTemporarily(generation:retryAfter:serverMessage:)``.
    /// - Throws: The error that closed the gate permanently; ``UploadError/Code/cancelled``.
    func waitUntilOpen() async throws(UploadError) -> Int {
        while terminalError == nil, closedUntil > .now {
            do { try await Task.sleep(until: closedUntil) } catch { break }
        }
        if let terminalError { throw terminalError }
        if Task.isCancelled { throw UploadError(code: .cancelled, message: "the upload was cancelled") }
        return generation
    }

    /// Resets the count of consecutive 429 responses.
    func recordNon429Response() { consecutive429Count = 0 }

    /// Closes the gate after a 429 response.
    ///
    /// - Parameters:
    ///   - passedGeneration: The generation in which the request passed the gate.
    ///   - retryAfter: The delay that the server requests; `nil` for the retry policy's.
    ///   - serverMessage: The server's error message.
    /// - Throws: ``UploadError/Code/quotaExhausted`` or ``UploadError/Code/rateLimited`` if the batch ends. All later
    ///   requests fail with the same error.
    func closeTemporarily(generation passedGeneration: Int, retryAfter: Duration?, serverMessage: ServerErrorMessage?)
        throws(UploadError)
    {
        if let terminalError { throw terminalError }
        if retryPolicy.treats429AsQuota && retryAfter == nil || retryAfter ?? .zero > retryPolicy.maxRetryAfter {
            throw closePermanently(
                code: retryPolicy.treats429AsQuota ? .quotaExhausted : .rateLimited, serverMessage: serverMessage,
                message: "the server's rate limit is reached")
        }
        if passedGeneration == generation {
            generation += 1
            consecutive429Count += 1
        } else if retryAfter == nil {
            // The request was sent before the gate was last closed.
            return
        }
        if consecutive429Count >= retryPolicy.maxConsecutive429s {
            throw closePermanently(
                code: .rateLimited, serverMessage: serverMessage, message: "the server kept answering that it is busy")
        }
        // Random jitter of at most 1 s is added to the server's delay. The requests are thus not all sent at the same
        // time, nor immediately if the server requests 0 s.
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
