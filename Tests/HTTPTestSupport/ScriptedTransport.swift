public import HTTPCalls
public import HTTPTypes
public import Synchronization

/// A counter for use on any thread.
public final class AtomicCounter: Sendable {
    /// The number.
    public let value = Atomic(0)

    /// Creates a counter at 0.
    public init() {}
}

/// A transport that returns scripted responses in order and records the requests.
public final class ScriptedTransport: HTTPTransport {
    /// Returns the response to a request.
    public typealias ResponseScript = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

    private let state: Mutex<(answers: [ResponseScript], requests: [TransportRequest], running: Int, most: Int)>

    /// Creates a transport with scripts.
    ///
    /// - Parameter answers: the responses. The last one is repeated for all further requests.
    public init(_ answers: [ResponseScript]) { state = Mutex((answers, [], 0, 0)) }

    /// Creates a transport that responds with each of the statuses, and then always with the last.
    public convenience init(_ statuses: Int...) { self.init(statuses.map { ScriptedTransport.status($0) }) }

    /// The requests, in order.
    public var requests: [TransportRequest] { state.withLock(\.requests) }
    /// The idempotency keys of the requests.
    public var idempotencyKeys: Set<String> { Set(requests.compactMap { $0.headerFields[.idempotencyKey] }) }
    /// The maximum number of concurrent requests.
    public var maxConcurrentRequests: Int { state.withLock(\.most) }

    /// Records the request, and returns the response of the next script.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            state.running += 1
            state.most = max(state.most, state.running)
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }
        defer { state.withLock { $0.running -= 1 } }
        return try await answer(request)
    }

    /// Returns a response with a status, after the whole body or none of it was sent.
    public static func status(
        _ status: Int, _ headerFields: HTTPFields = [:], body: String = "{}", isWhole: Bool = true
    ) -> ResponseScript {
        { (request) throws(TransportError) in
            TransportResponse(
                status: status, headerFields: headerFields, body: Array(body.utf8),
                sendProgress: request.finalProgress(isSentWhole: isWhole))
        }
    }

    /// Returns a response that depends on the request.
    public static func status(_ status: @escaping @Sendable (TransportRequest) -> Int) -> ResponseScript {
        { (request) throws(TransportError) in TransportResponse(status: status(request)) }
    }

    /// Responds after a delay. If the request is cancelled before, the whole body or none of it was sent.
    public static func status(_ status: Int, afterDelay time: Duration, isWhole: Bool = false) -> ResponseScript {
        { (request) async throws(TransportError) in
            do { try await Task.sleep(for: time) } catch {
                throw TransportError(
                    code: .cancelled, message: "cancelled", sendProgress: request.finalProgress(isSentWhole: isWhole))
            }
            return TransportResponse(status: status)
        }
    }

    /// Responds when `count` requests have arrived, or with an error after ten seconds.
    public static func status(_ status: Int, whenRequestCountReaches count: Int, of counter: AtomicCounter)
        -> ResponseScript
    {
        { (_) async throws(TransportError) in
            counter.value.add(1, ordering: .relaxed)
            for _ in 0..<12_000 where counter.value.load(ordering: .relaxed) < count {
                try? await Task.sleep(for: .milliseconds(5))
            }
            return TransportResponse(status: counter.value.load(ordering: .relaxed) < count ? 400 : status)
        }
    }

    /// Responds to the first request, when the second has arrived, that it should wait 1 s, and to the others that the
    /// quota is exhausted.
    public static func rateLimitThenQuota(_ counter: AtomicCounter) -> ResponseScript {
        { (_) async throws(TransportError) in
            guard counter.value.add(1, ordering: .relaxed).newValue == 1 else { return TransportResponse(status: 429) }
            while counter.value.load(ordering: .relaxed) < 2 { try? await Task.sleep(for: .milliseconds(1)) }
            return TransportResponse(status: 429, headerFields: [.retryAfter: "1"])
        }
    }

    /// Fails after the whole body or none of it was sent.
    public static func failure(_ code: TransportError.Code, isWhole: Bool = false) -> ResponseScript {
        { (request) throws(TransportError) in
            throw TransportError(
                code: code, message: "it failed", sendProgress: request.finalProgress(isSentWhole: isWhole))
        }
    }
}

extension TransportRequest {
    fileprivate func finalProgress(isSentWhole: Bool) -> SendProgress {
        let total = body.contentLength
        // A request without a body is complete when it was sent.
        return SendProgress(
            bytesSent: isSentWhole ? total : 0, totalBodyBytes: max(total, isSentWhole ? 0 : 1), attemptCount: 1)
    }
}

/// The tokens of a session. Each renewal returns the next one, and is refused after the last.
public final class ScriptedTokens: Sendable {
    private let state: Mutex<(tokens: [String], rejected: [String])>
    private let first: BearerToken?

    /// Creates the tokens: that of the session, and those of its renewals.
    public init(_ tokens: String...) {
        first = tokens.first.flatMap(BearerToken.init)
        state = Mutex((Array(tokens.dropFirst()), []))
    }

    /// The rejected tokens for which new ones were requested.
    public var rejectedTokens: [String] { state.withLock(\.rejected) }

    /// Returns a session with the first token.
    public func makeSession() -> Session {
        Session(first.map { Credentials(token: $0) }) { rejected in
            self.state.withLock { state in
                state.rejected.append(rejected.token.secret)
                let next = state.tokens.isEmpty ? nil : BearerToken(state.tokens.removeFirst())
                return next.map { Credentials(token: $0) }
            }
        }
    }
}
