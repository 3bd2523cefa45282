/// Pauses all requests of a batch after a 429 response. A limit on concurrent requests does not limit the requests per
/// minute.
actor RateLimitGate {
    /// A passage through the gate.
    struct Passage: Equatable {
        /// The number of times that the gate had been closed. A 429 response to a request of an earlier passage does
        /// not count as a further one.
        var closingCount = 0
        /// The number of times that the requests of the moment had been given up.
        var failureCount = 0
    }

    private let retryPolicy: RetryPolicy
    private var current = Passage()
    private var consecutive429Count = 0
    private var closedUntil = ContinuousClock.now
    /// The error with which the requests of the moment were last given up.
    private var lastError: CallError?

    init(retryPolicy: RetryPolicy) { self.retryPolicy = retryPolicy }

    /// Waits until the gate is open.
    ///
    /// - Returns: The passage, to be passed to ``closeTemporarily(passage:retryAfter:serverMessage:)``.
    /// - Throws: ``CallError/Code/rateLimited`` if the requests of the moment were given up meanwhile;
    ///   ``CallError/Code/cancelled``.
    func waitUntilOpen() async throws(CallError) -> Passage {
        let arrival = current
        while arrival.failureCount == current.failureCount, closedUntil > .now {
            do { try await Task.sleep(until: closedUntil) } catch { break }
        }
        try throwIfGivenUp(since: arrival)
        if Task.isCancelled { throw CallError(code: .cancelled, message: "the request was cancelled") }
        return current
    }

    /// Resets the count of consecutive 429 responses.
    func recordNon429Response() { consecutive429Count = 0 }

    /// Closes the gate after a 429 response.
    ///
    /// - Parameters:
    ///   - passage: The passage of the request.
    ///   - retryAfter: The delay that the server requests; `nil` for the retry policy's.
    ///   - serverMessage: The server's error message.
    /// - Throws: ``CallError/Code/quotaExhausted`` for this request alone. The next one is sent, because only the
    ///   server knows when there is a new quota. ``CallError/Code/rateLimited`` if the requests of the moment are
    ///   given up: this one, those in progress and those that wait. Later ones are sent.
    func closeTemporarily(passage: Passage, retryAfter: Duration?, serverMessage: ServerErrorMessage?)
        throws(CallError)
    {
        try throwIfGivenUp(since: passage)
        if retryPolicy.treats429AsQuota && retryAfter == nil || retryAfter ?? .zero > retryPolicy.maxRetryAfter {
            let message = "the server's rate limit is reached"
            if retryPolicy.treats429AsQuota {
                throw CallError(
                    code: .quotaExhausted, message: message, status: 429, serverMessage: serverMessage)
            }
            throw giveUp(serverMessage: serverMessage, message: message)
        }
        if passage.closingCount == current.closingCount {
            current.closingCount += 1
            consecutive429Count += 1
        } else if retryAfter == nil {
            // The request was sent before the gate was last closed.
            return
        }
        if consecutive429Count >= retryPolicy.maxConsecutive429s {
            throw giveUp(serverMessage: serverMessage, message: "the server kept answering that it is busy")
        }
        // Random jitter of at most 1 s is added to the server's delay. The requests are thus not all sent at the same
        // time, nor immediately if the server requests 0 s.
        let jitter = retryPolicy.delay(afterAttempt: consecutive429Count, retryAfter: nil)
        closedUntil = max(closedUntil, .now + (retryAfter.map { $0 + min(jitter, .seconds(1)) } ?? jitter))
    }

    private func throwIfGivenUp(since passage: Passage) throws(CallError) {
        if let lastError, passage.failureCount != current.failureCount { throw lastError }
    }

    /// Gives up the requests of the moment, and opens the gate for later ones.
    private func giveUp(serverMessage: ServerErrorMessage?, message: String) -> CallError {
        let error = CallError(code: .rateLimited, message: message, status: 429, serverMessage: serverMessage)
        lastError = error
        current.failureCount += 1
        consecutive429Count = 0
        closedUntil = .now
        return error
    }
}
