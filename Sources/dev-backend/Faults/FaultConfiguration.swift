/// What goes wrong on request. Nothing, as it stands.
struct FaultConfiguration: Sendable {
    /// What happens to one request.
    enum Fault: Hashable, Sendable {
        case none
        /// Answered with this status, and nothing committed.
        case errorStatus(Int)
        /// Answered 429, and nothing committed.
        case tooManyRequests
        /// The connection is reset after this part of the body was read: 0 to 1.
        case resetWithinBody(Double)
        /// Committed; then the connection is reset in place of the answer.
        case dropResponse
    }

    /// What a 429 says of when to come back.
    enum RetryAfter: Hashable, Sendable {
        case omitted
        case seconds(Int)
        /// That many seconds from now, as a date.
        case date(Int)
    }

    /// Bodies that are refused by their announced length, before they were read.
    struct BodySizeLimit: Hashable, Sendable {
        /// The largest body that is taken, in bytes.
        var maxBodyBytes: Int64
        /// How much of a larger one is read before the answer.
        var bytesReadBeforeResponse = 0
        /// Whether the connection is reset right after the answer, rather than when the sender has had time to read it.
        var resetsConnection = false
    }

    /// What becomes of `Expect: 100-continue`.
    enum ContinueExpectation: Hashable, Sendable {
        case continued
        /// As by servers that don't know it.
        case ignored
        /// Answered with this status, 417 or 413, and the body not read.
        case rejected(Int)
    }

    /// What becomes of a connection after an answer that left it open.
    enum KeepAliveBehavior: Hashable, Sendable {
        case keepOpen
        /// Closed at once.
        case closeAfterResponse
        /// Reset when the next request comes.
        case resetOnReuse
    }

    /// Where the random numbers begin: the same seed, and requests in the same order, give the same faults.
    var seed: UInt64 = 1
    /// What happens to the first requests, one each; chance takes over after these.
    var scriptedFaults: [Fault] = []
    /// The share of requests answered 500, 502, 503 or 504.
    var errorRate = 0.0
    /// The share of requests with a body that are reset within it.
    var resetRate = 0.0
    /// The share of requests whose answer is dropped, of those that may change something.
    var dropRate = 0.0
    /// The share of requests at which a burst of 429 begins.
    var rateLimitBurstRate = 0.0
    /// How many requests a burst answers.
    var rateLimitBurstLength = 3
    var retryAfter = RetryAfter.omitted
    var bodySizeLimit: BodySizeLimit?
    /// How fast bodies are read, on each connection; nil for as fast as they come.
    var bodyBytesPerSecond: Int?
    var continueExpectation = ContinueExpectation.continued
    var keepAliveBehavior = KeepAliveBehavior.keepOpen
}

/// How often each fault was made.
struct FaultCounts: Hashable, Sendable {
    var errorResponses = 0
    var connectionResets = 0
    var droppedResponses = 0
    var tooManyRequestsResponses = 0
    var tooLargeResponses = 0
    /// Connections that were closed, or reset, though the client was told that they stay open.
    var deadConnections = 0
}
