#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

internal import HTTPTypes

/// Decides which requests are retried, how often and after which delay.
///
/// | outcome | idempotent request | other request |
/// |---|---|---|
/// | 2xx | success | success |
/// | 429 | all requests pause, then retry; not counted | the same |
/// | 503 | retry | retry |
/// | 408, 425, other 5xx | retry | retry if the body was not sent completely; else `outcome-unknown` |
/// | 401 | retry with a new token, unless it follows a 401; else `unauthorized` | the same |
/// | 307, 308 within the origin | redirect | redirect |
/// | 413 | `too-large` | `too-large` |
/// | other 4xx, 501, 505, 507 | `refused` | `refused` |
/// | any other status | `bad-answer` | `outcome-unknown` if the body was sent completely; else `bad-answer` |
/// | no connection | retry | retry |
/// | connection lost, timeout | retry | retry if the body was not sent completely; else `outcome-unknown` |
/// | not HTTP, or too large | `bad-answer` | `outcome-unknown` if the body was sent completely; else `bad-answer` |
/// | TLS failure | `tls` | `tls` |
/// | source changed | `source-changed` | `source-changed` |
///
/// A request is idempotent if it changes nothing, or if it has an idempotency key that the server honors.
///
/// The delay is the server's `Retry-After`, or else a random time up to a limit that doubles with each attempt. This is
/// the "full jitter" of Amazon's architecture blog (2015), the variant that needed the fewest calls.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts of a request. Attempts answered with 429 do not count. The default is 10.
    public var maxAttempts = 10
    /// The upper limit of the first random delay. The default is 250 ms.
    public var initialRetryDelayLimit = Duration.milliseconds(250)
    /// The upper limit of every random delay. The default is 30 s.
    public var maxRetryDelay = Duration.seconds(30)
    /// The maximum of `Retry-After`. After 429 a longer delay ends the call, and the batch to which it belongs;
    /// otherwise the delay is clamped to this value. The default is 1 hour.
    public var maxRetryAfter = Duration.seconds(3600)
    /// The number of consecutive 429 responses that ends all calls of the moment, and their batches. Later calls are
    /// sent. The default of 30 takes about 6 minutes if the server sends no `Retry-After`.
    public var maxConsecutive429s = 30
    /// Whether 429 without `Retry-After`, or with a delay above ``maxRetryAfter``, means that the account's quota is
    /// exhausted. The call then fails at once with ``CallError/Code/quotaExhausted``, and the next one is sent. The
    /// default is `false`.
    public var treats429AsQuota = false

    /// Creates the default policy.
    public init() {}

    /// The next step after an attempt.
    enum RetryDecision: Equatable {
        case succeed
        /// Retry after the server's delay, or after a random one if that is `nil`.
        case retry(after: Duration?)
        /// Pause all requests of the batch, then retry.
        case closeGate(retryAfter: Duration?)
        case renewToken
        case followRedirect(to: String)
        case fail(CallError.Code)
    }

    /// Returns the next step after a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - isIdempotent: Whether sending the request twice has the effect of sending it once.
    func retryDecision(for response: TransportResponse, isIdempotent: Bool) -> RetryDecision {
        let isSafe = isIdempotent || !response.sendProgress.hasSentEntireBody
        switch response.status {
        case 200..<300: return .succeed
        case 429: return .closeGate(retryAfter: response.retryAfter)
        case 503: return .retry(after: response.retryAfter)
        case 501, 505, 507: return .fail(.rejectedByServer)
        // An unknown status counts as the first of its class (RFC 9110, section 15). Proxies answer 520 to 530 while a
        // server restarts.
        case 408, 425, 500..<600: return isSafe ? .retry(after: response.retryAfter) : .fail(.outcomeUnknown)
        case 401: return .renewToken
        case 307, 308:
            if let location = response.firstValue(of: .location) { return .followRedirect(to: location) }
            return .fail(.invalidResponse)
        case 413: return .fail(.contentTooLarge)
        case 400..<500: return .fail(.rejectedByServer)
        default: return .fail(isSafe ? .invalidResponse : .outcomeUnknown)
        }
    }

    /// Returns the next step after an attempt without a response.
    ///
    /// - Parameters:
    ///   - error: The transport's error.
    ///   - isIdempotent: Whether sending the request twice has the effect of sending it once.
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

    /// Returns the delay before the next attempt.
    ///
    /// - Parameters:
    ///   - attempt: The number of the attempt that failed, starting at 1.
    ///   - retryAfter: The delay that the server requests; `nil` for a random one.
    func delay(afterAttempt attempt: Int, retryAfter: Duration?) -> Duration {
        if let retryAfter { return min(retryAfter, maxRetryAfter) }
        let limit = min(initialRetryDelayLimit * (1 << min(max(attempt - 1, 0), 20)), maxRetryDelay)
        return limit * Double.random(in: 0...1)
    }
}

extension TransportResponse {
    /// The delay of `Retry-After` (RFC 9110, section 10.2.3), in seconds or until a date. A date is compared with the
    /// response's `Date` if there is one, so that the server's clock need not be right.
    var retryAfter: Duration? {
        guard let value = firstValue(of: .retryAfter), !value.isEmpty else {
            return nil
        }
        if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that does not fit is clamped to `Int32.max` s, more than any `maxRetryAfter`.
            return .seconds(Int32(value) ?? .max)
        }
        guard let date = HTTPDate(value) else { return nil }
        let now =
            firstValue(of: .date).flatMap { HTTPDate($0) }?.secondsSince1970 ?? Int64(Date().timeIntervalSince1970)
        return .seconds(min(max(0, date.secondsSince1970 - now), Int64(Int32.max)))
    }
}
