/// What goes wrong on request. Nothing, as it stands.
struct Faults: Sendable {
    /// What happens to one request.
    enum Fault: Hashable, Sendable {
        case none
        /// Answered with this status, and nothing committed.
        case error(Int)
        /// Answered 429, and nothing committed.
        case busy
        /// The connection is reset after this part of the body was read: 0 to 1.
        case reset(Double)
        /// Committed; then the connection is reset in place of the answer.
        case drop
    }

    /// What a 429 says of when to come back.
    enum RetryAfter: Hashable, Sendable {
        case unsaid
        case seconds(Int)
        /// That many seconds from now, as a date.
        case date(Int)
    }

    /// Bodies that are refused by their announced length, before they were read.
    struct TooLarge: Hashable, Sendable {
        /// The largest body that is taken, in bytes.
        var limit: Int64
        /// How much of a larger one is read before the answer.
        var readBytes = 0
        /// Whether the connection is reset right after the answer, rather than when the sender has had time to read it.
        var isAbrupt = false
    }

    /// What becomes of `Expect: 100-continue`.
    enum Expectation: Hashable, Sendable {
        case answered
        /// As by servers that don't know it.
        case ignored
        /// Answered with this status, 417 or 413, and the body not read.
        case refused(Int)
    }

    /// What becomes of a connection after an answer that left it open.
    enum KeepAlive: Hashable, Sendable {
        case kept
        /// Closed at once.
        case closed
        /// Reset when the next request comes.
        case resetOnReuse
    }

    /// Where the random numbers begin: the same seed, and requests in the same order, give the same faults.
    var seed: UInt64 = 1
    /// What happens to the first requests, one each; chance takes over after these.
    var script: [Fault] = []
    /// The share of requests answered 500, 502, 503 or 504.
    var errorRate = 0.0
    /// The share of requests with a body that are reset within it.
    var resetRate = 0.0
    /// The share of requests whose answer is dropped, of those that may change something.
    var dropRate = 0.0
    /// The share of requests at which a burst of 429 begins.
    var busyRate = 0.0
    /// How many requests a burst answers.
    var busyBurst = 3
    var retryAfter = RetryAfter.unsaid
    var tooLarge: TooLarge?
    /// How fast bodies are read, on each connection; nil for as fast as they come.
    var bytesPerSecond: Int?
    var expectation = Expectation.answered
    var keepAlive = KeepAlive.kept
}

/// How often each fault was made.
struct FaultCounts: Hashable, Sendable {
    var errors = 0
    var resets = 0
    var drops = 0
    var busy = 0
    var tooLarge = 0
    /// Connections that were closed, or reset, though the client was told that they stay open.
    var deadConnections = 0
}
