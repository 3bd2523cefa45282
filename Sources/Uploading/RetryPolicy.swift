#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What is tried again, how often, and how long is waited before.
///
/// | what happened | the server honours the key, or nothing is changed | a repeat might be done twice |
/// |---|---|---|
/// | 2xx | done | done |
/// | 429 | the gate closes; then again, uncounted | the same |
/// | 503 | again | again |
/// | 408, 500, 502, 504 | again | again if the body was not sent whole; else `outcome-unknown` |
/// | 401 | again with another token, once | the same |
/// | 307, 308 within the origin | to there | to there |
/// | 413 | final: `too-large` | final |
/// | other 4xx, 501, 505, 507 | final: `refused` | final |
/// | any other status | final: `bad-answer` | `outcome-unknown` if the body was sent whole; else final |
/// | no connection | again | again |
/// | connection lost, time out | again | again if the body was not sent whole; else `outcome-unknown` |
/// | no HTTP, or too much of it | final: `bad-answer` | `outcome-unknown` if the body was sent whole; else final |
/// | TLS fails, the source changed | final | final |
///
/// What the server says in `Retry-After` is waited; else a random time up to a limit that doubles with each
/// attempt: full jitter, as Amazon's architecture blog of 2015 calls it, where it needed the fewest calls.
public struct RetryPolicy: Hashable, Sendable {
    /// How often one request is sent at most; what is answered with 429 doesn't count.
    public var maxAttempts = 10
    /// The limit of the first wait.
    public var initialRetryDelayLimit = Duration.milliseconds(250)
    /// The limit of all.
    public var maxRetryDelay = Duration.seconds(30)
    /// What a server may ask for; a longer wait ends the batch.
    public var maxRetryAfter = Duration.seconds(3600)
    /// How many answers of 429 in a row end the batch: some 6 minutes where the server doesn't say how long to wait.
    public var maxConsecutive429s = 30
    /// Whether 429 without `Retry-After`, or with more than `maxRetryAfter`, says that what the account may send is
    /// used up.
    public var treats429AsQuota = false

    /// The policy as it stands above.
    public init() {}

    /// What follows from one attempt.
    enum RetryDecision: Equatable {
        case succeed
        /// Another attempt, after the time that the server asks for.
        case retry(after: Duration?)
        /// The gate closes.
        case closeGate(retryAfter: Duration?)
        case renewToken
        case followRedirect(to: String)
        case fail(UploadError.Code)
    }

    /// What follows from a response.
    ///
    /// - Parameter isIdempotent: whether to send it twice is to do it once.
    func retryDecision(for response: HTTPResponse, isIdempotent: Bool) -> RetryDecision {
        let isSafe = isIdempotent || !response.sendProgress.hasSentEntireBody
        switch response.status {
        case 200..<300: return .succeed
        case 429: return .closeGate(retryAfter: response.retryAfter)
        case 503: return .retry(after: response.retryAfter)
        case 408, 500, 502, 504: return isSafe ? .retry(after: response.retryAfter) : .fail(.outcomeUnknown)
        case 401: return .renewToken
        case 307, 308:
            if let location = response.headerValue(named: "Location") { return .followRedirect(to: location) }
            return .fail(.invalidResponse)
        case 413: return .fail(.contentTooLarge)
        case 400..<500, 501, 505, 507: return .fail(.rejectedByServer)
        default: return .fail(isSafe ? .invalidResponse : .outcomeUnknown)
        }
    }

    /// What follows where no response came.
    func retryDecision(for error: TransportError, isIdempotent: Bool) -> RetryDecision {
        let isSafe = isIdempotent || !error.sendProgress.hasSentEntireBody
        switch error.code {
        case .connectionFailed, .outOfResources: return .retry(after: nil)
        case .connectionLost, .timeout: return isSafe ? .retry(after: nil) : .fail(.outcomeUnknown)
        case .tlsFailed: return .fail(.tlsFailed)
        case .invalidURL, .invalidRequest: return .fail(.invalidURL)
        case .bodySourceFailed: return .fail(.sourceChanged)
        case .cancelled: return .fail(isSafe ? .cancelled : .outcomeUnknown)
        default: return .fail(isSafe ? .invalidResponse : .outcomeUnknown)
        }
    }

    /// How long to wait before the attempt after `attempt`, the first being 1.
    func delay(afterAttempt attempt: Int, retryAfter: Duration?) -> Duration {
        if let retryAfter { return min(retryAfter, maxRetryAfter) }
        let limit = min(initialRetryDelayLimit * (1 << min(max(attempt - 1, 0), 20)), maxRetryDelay)
        return limit * Double.random(in: 0...1)
    }
}

extension HTTPResponse {
    /// What `Retry-After` asks for (RFC 9110, section 10.2.3): seconds, or the time until a date, by the server's own
    /// clock where it says what that is.
    var retryAfter: Duration? {
        guard let value = headerValue(named: "Retry-After"), !value.isEmpty else {
            return nil
        }
        if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // Of more digits than a number holds: longer than anyone waits.
            return .seconds(Int32(value) ?? .max)
        }
        guard let date = HTTPDate(value) else { return nil }
        let now =
            headerValue(named: "Date").flatMap(HTTPDate.init)?.secondsSince1970 ?? Int64(Date().timeIntervalSince1970)
        return .seconds(min(max(0, date.secondsSince1970 - now), Int64(Int32.max)))
    }
}
