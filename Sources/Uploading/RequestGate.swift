/// Holds back all requests of a batch while the server asks for it: a limit of how many are sent at a time is none of how many
/// are sent in a minute.
actor RequestGate {
    private let policy: RetryPolicy
    /// How often it was closed; who passed before the last time brings no news.
    private var closings = 0
    private var refusalsInARow = 0
    private var opening = ContinuousClock.now
    /// Why it is shut for good.
    private var end: UploadError?

    init(_ policy: RetryPolicy) { self.policy = policy }

    /// Waits until it is open.
    ///
    /// - Returns: stands for this passage.
    /// - Throws: what it was shut for; `cancelled`.
    func pass() async throws(UploadError) -> Int {
        while end == nil, opening > .now {
            do { try await Task.sleep(until: opening) } catch { break }
        }
        if let end { throw end }
        if Task.isCancelled { throw UploadError(.cancelled, "it was cancelled") }
        return closings
    }

    /// A request was answered with something else than 429.
    func succeed() { refusalsInARow = 0 }

    /// The request that passed as `passage` was answered with 429.
    ///
    /// - Parameter asked: how long the server asks to wait; nil if it doesn't.
    /// - Throws: if that ends the batch; all that would pass from then on learn the same.
    func close(_ passage: Int, asked: Duration?, server: ServerMessage?) throws(UploadError) {
        if let end { throw end }
        if policy.meansQuota && asked == nil || asked ?? .zero > policy.longestRetryAfter {
            throw shut(
                policy.meansQuota ? .quotaExhausted : .rateLimited, server, "the server allows no more for now")
        }
        if passage == closings {
            closings += 1
            refusalsInARow += 1
        } else if asked == nil {
            // One of many that were on their way when it was closed.
            return
        }
        if refusalsInARow >= policy.refusalsInARow {
            throw shut(.rateLimited, server, "the server kept answering that it is busy")
        }
        // What is asked for, and a little more: not all at once, and not again at once where 0 s are asked for.
        let more = policy.wait(after: refusalsInARow, asked: nil)
        opening = max(opening, .now + (asked.map { $0 + min(more, .seconds(1)) } ?? more))
    }

    private func shut(_ code: UploadError.Code, _ server: ServerMessage?, _ message: String) -> UploadError {
        let error = UploadError(code, message, status: 429, server: server)
        end = error
        return error
    }
}
