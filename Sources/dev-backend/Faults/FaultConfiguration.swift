/// The faults that the backend injects. By default there are none.
struct FaultConfiguration: Sendable {
    /// The fault of one request.
    enum Fault: Hashable, Sendable {
        case none
        /// The response has this status and an error in JSON, and nothing is committed.
        case errorStatus(Int)
        /// The response has this status, 200 included, and an HTML page, as from a proxy. Nothing is committed.
        case htmlPage(Int)
        /// The response is 429, and nothing is committed.
        case tooManyRequests
        /// The connection is reset after this fraction of the body, 0 to 1, was read.
        case resetWithinBody(Double)
        /// The request is committed, and then the connection is reset instead of a response.
        case dropResponse
        /// The request is committed, and then the connection is closed in the middle of the response's body.
        case cutResponse
    }

    /// The `Retry-After` header of a 429 response.
    enum RetryAfter: Hashable, Sendable {
        case omitted
        case seconds(Int)
        /// A date this number of seconds from now.
        case date(Int)
    }

    /// A limit on the Content-Length, above which the response is 413 before the body is read.
    struct BodySizeLimit: Hashable, Sendable {
        /// The largest accepted body in bytes.
        var maxBodyBytes: Int64
        /// The number of bytes of a larger body that are read before the response.
        var bytesReadBeforeResponse = 0
        /// Whether the connection is reset immediately after the response. Otherwise the client has time to read the
        /// response.
        var resetsConnection = false
    }

    /// The response to `Expect: 100-continue`.
    enum ContinueExpectation: Hashable, Sendable {
        case continued
        /// The header is ignored, as by servers that do not support it.
        case ignored
        /// The response has this status, 417 or 413, and the body is not read.
        case rejected(Int)
    }

    /// The treatment of a connection after a response that left it open.
    enum KeepAliveBehavior: Hashable, Sendable {
        case keepOpen
        /// The connection is closed immediately.
        case closeAfterResponse
        /// The connection is reset when the next request arrives.
        case resetOnReuse
    }

    /// The seed of the random numbers. The same seed and the same order of requests give the same faults.
    var seed: UInt64 = 1
    /// The faults of the first requests, one each. Later faults are random.
    var scriptedFaults: [Fault] = []
    /// The fraction of requests answered with 500, 502, 503 or 504.
    var errorRate = 0.0
    /// The fraction of requests with a body during which the connection is reset.
    var resetRate = 0.0
    /// The fraction of requests other than GET and HEAD that are committed without a response.
    var dropRate = 0.0
    /// The probability with which a request starts a burst of 429 responses.
    var rateLimitBurstRate = 0.0
    /// The number of requests in such a burst.
    var rateLimitBurstLength = 3
    var retryAfter = RetryAfter.omitted
    var bodySizeLimit: BodySizeLimit?
    /// The rate in bytes per second at which bodies are read, on each connection; `nil` for no limit.
    var bodyBytesPerSecond: Int?
    var continueExpectation = ContinueExpectation.continued
    var keepAliveBehavior = KeepAliveBehavior.keepOpen
}

/// The number of injected faults of each kind.
struct FaultCounts: Hashable, Sendable {
    var errorResponses = 0
    var htmlPages = 0
    var cutResponses = 0
    var connectionResets = 0
    var droppedResponses = 0
    var tooManyRequestsResponses = 0
    var tooLargeResponses = 0
    /// The number of connections that were closed or reset although the response had left them open.
    var deadConnections = 0
}
