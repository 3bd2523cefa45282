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
    public var attempts = 10
    /// The limit of the first wait.
    public var firstWait = Duration.milliseconds(250)
    /// The limit of all.
    public var longestWait = Duration.seconds(30)
    /// What a server may ask for; a longer wait ends the batch.
    public var longestRetryAfter = Duration.seconds(3600)
    /// How many answers of 429 in a row end the batch: some 6 minutes where the server doesn't say how long to wait.
    public var refusalsInARow = 30
    /// Whether 429 without `Retry-After`, or with more than `longestRetryAfter`, says that what the account may send is used up.
    public var meansQuota = false

    /// The policy as it stands above.
    public init() {}

    /// What follows from one attempt.
    enum Decision: Equatable {
        case done
        /// Another attempt, after the time that the server asks for.
        case again(after: Duration?)
        /// The gate closes.
        case wait(Duration?)
        case renewToken
        case follow(String)
        case give(up: UploadError.Code)
    }

    /// What follows from a response.
    ///
    /// - Parameter mayRepeat: whether to send it twice is to do it once.
    func decision(on response: HTTPResponse, mayRepeat: Bool) -> Decision {
        let isSafe = mayRepeat || !response.progress.isWhole
        switch response.status {
        case 200..<300: return .done
        case 429: return .wait(response.retryAfter)
        case 503: return .again(after: response.retryAfter)
        case 408, 500, 502, 504: return isSafe ? .again(after: response.retryAfter) : .give(up: .outcomeUnknown)
        case 401: return .renewToken
        case 307, 308:
            if let location = response.header("Location") { return .follow(location) }
            return .give(up: .badAnswer)
        case 413: return .give(up: .tooLarge)
        case 400..<500, 501, 505, 507: return .give(up: .refused)
        default: return .give(up: isSafe ? .badAnswer : .outcomeUnknown)
        }
    }

    /// What follows where no response came.
    func decision(on error: TransportError, mayRepeat: Bool) -> Decision {
        let isSafe = mayRepeat || !error.progress.isWhole
        switch error.code {
        case .connect, .outOfResources: return .again(after: nil)
        case .connectionLost, .timeout: return isSafe ? .again(after: nil) : .give(up: .outcomeUnknown)
        case .tls: return .give(up: .tls)
        case .invalidURL, .invalidRequest: return .give(up: .invalidURL)
        case .source: return .give(up: .sourceChanged)
        case .cancelled: return .give(up: isSafe ? .cancelled : .outcomeUnknown)
        default: return .give(up: isSafe ? .badAnswer : .outcomeUnknown)
        }
    }

    /// How long to wait before the attempt after `attempt`, the first being 1.
    func wait(after attempt: Int, asked: Duration?) -> Duration {
        if let asked { return min(asked, longestRetryAfter) }
        let limit = min(firstWait * (1 << min(max(attempt - 1, 0), 20)), longestWait)
        return limit * Double.random(in: 0...1)
    }
}

extension HTTPResponse {
    /// What `Retry-After` asks for (RFC 9110, section 10.2.3): seconds, or the time until a date, by the server's own clock where it
    /// says what that is.
    var retryAfter: Duration? {
        guard let value = header("Retry-After"), !value.isEmpty else {
            return nil
        }
        if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // Of more digits than a number holds: longer than anyone waits.
            return .seconds(Int32(value) ?? .max)
        }
        guard let date = HTTPDate(value) else { return nil }
        let now = header("Date").flatMap(HTTPDate.init)?.seconds ?? Int64(Date().timeIntervalSince1970)
        return .seconds(min(max(0, date.seconds - now), Int64(Int32.max)))
    }
}
