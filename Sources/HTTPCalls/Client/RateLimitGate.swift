internal import Synchronization

/// Pauses all requests of a batch after a 429 response. A limit on concurrent requests does not limit the requests per
/// minute.
///
/// A lock instead of an actor, because almost every request passes without waiting.
final class RateLimitGate: Sendable {
    /// A passage through the gate.
    struct Passage: Equatable {
        /// The number of times that the gate had been closed. A 429 response to a request of an earlier passage does
        /// not count as a further one.
        var closingCount = 0
        /// The number of times that the requests of the moment had been given up.
        var failureCount = 0
    }

    fileprivate struct State {
        var current = Passage()
        var consecutive429Count = 0
        /// The time until which the gate is closed; `nil` if it is open.
        var closedUntil: ContinuousClock.Instant?
        /// The error with which the requests of the moment were last given up.
        var lastError: CallError?
    }

    private let retryPolicy: RetryPolicy
    private let state = Mutex(State())

    init(retryPolicy: RetryPolicy) { self.retryPolicy = retryPolicy }

    /// The passage of a request that begins now.
    var currentPassage: Passage { state.withLock(\.current) }

    /// Waits until the gate is open.
    ///
    /// - Parameter arrival: The passage when the request began.
    /// - Returns: The passage, to be passed to ``closeTemporarily(passage:retryAfter:serverMessage:)``.
    /// - Throws: ``CallError/Code/rateLimited`` if the requests of the moment were given up since the arrival;
    ///   ``CallError/Code/cancelled``.
    func waitUntilOpen(since arrival: Passage) async throws(CallError) -> Passage {
        while let time = state.withLock({ $0.timeToWait(since: arrival) }) {
            do { try await Task.sleep(until: time) } catch { break }
        }
        let passage = try state.withLock { (state) throws(CallError) in
            try state.throwIfGivenUp(since: arrival)
            return state.current
        }
        if Task.isCancelled { throw .cancelled }
        return passage
    }

    /// Resets the count of consecutive 429 responses.
    func recordNon429Response() { state.withLock { $0.consecutive429Count = 0 } }

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
        try state.withLock { (state) throws(CallError) in
            try state.close(
                passage: passage, retryAfter: retryAfter, serverMessage: serverMessage, retryPolicy: retryPolicy)
        }
    }
}

extension RateLimitGate.State {
    /// Returns the time until which a request waits; `nil` if it need not wait.
    fileprivate mutating func timeToWait(since arrival: RateLimitGate.Passage) -> ContinuousClock.Instant? {
        guard let closedUntil, arrival.failureCount == current.failureCount else { return nil }
        if closedUntil > .now { return closedUntil }
        self.closedUntil = nil
        return nil
    }

    fileprivate func throwIfGivenUp(since passage: RateLimitGate.Passage) throws(CallError) {
        if let lastError, passage.failureCount != current.failureCount { throw lastError }
    }

    fileprivate mutating func close(
        passage: RateLimitGate.Passage, retryAfter: Duration?, serverMessage: ServerErrorMessage?,
        retryPolicy: RetryPolicy
    ) throws(CallError) {
        try throwIfGivenUp(since: passage)
        if retryPolicy.treats429AsQuota && retryAfter == nil || retryAfter ?? .zero > retryPolicy.maxRetryAfter {
            if retryPolicy.treats429AsQuota {
                throw CallError(
                    code: .quotaExhausted, message: "the account's quota is exhausted", status: 429,
                    serverMessage: serverMessage)
            }
            throw giveUp(serverMessage: serverMessage, message: "the server's rate limit is reached")
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
        let time = ContinuousClock.now + (retryAfter.map { $0 + min(jitter, .seconds(1)) } ?? jitter)
        closedUntil = max(closedUntil ?? time, time)
    }

    /// Gives up the requests of the moment, and opens the gate for later ones.
    private mutating func giveUp(serverMessage: ServerErrorMessage?, message: String) -> CallError {
        let error = CallError(code: .rateLimited, message: message, status: 429, serverMessage: serverMessage)
        lastError = error
        current.failureCount += 1
        consecutive429Count = 0
        closedUntil = nil
        return error
    }
}
