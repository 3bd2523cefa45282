public import Logging

/// Sends requests to one backend as its retry policy says, with its token, and holds all back while the backend asks
/// for it.
///
/// One client serves a whole batch: the gate that 429 closes is the client's.
public final class HTTPClient: Sendable {
    /// How long requests may take.
    public struct Timeouts: Hashable, Sendable {
        /// Of calls.
        public var apiCall = Duration.seconds(30)
        /// Of uploads.
        public var upload = Duration.seconds(300)

        /// 30 s and 300 s.
        public init() {}
    }

    /// How long requests may take.
    public let timeouts: Timeouts
    private let transport: any HTTPTransport
    private let retryPolicy: RetryPolicy
    private let rateLimitGate: RateLimitGate
    private let tokenCache: BearerTokenCache
    private let logger: Logger

    /// A client of these parts.
    ///
    /// - Parameters:
    ///   - transport: sends the requests.
    ///   - tokenProvider: nil for a backend that wants none.
    ///   - retryPolicy: which requests are retried, and when.
    ///   - timeouts: how long requests may take.
    ///   - logger: takes a message of level `debug` for each attempt: the method, the status, the bytes, never the
    ///     token, a file's name or what was sent.
    public init(
        transport: any HTTPTransport, tokenProvider: (any TokenProvider)? = nil,
        retryPolicy: RetryPolicy = RetryPolicy(),
        timeouts: Timeouts = Timeouts(), logger: Logger = Logger(label: "uploading") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.transport = transport
        self.retryPolicy = retryPolicy
        self.timeouts = timeouts
        self.logger = logger
        rateLimitGate = RateLimitGate(retryPolicy: retryPolicy)
        self.tokenCache = BearerTokenCache(provider: tokenProvider)
    }

    /// Sends a request until it is answered with a status of 200 to 299, or the policy gives up.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - isIdempotent: whether to send it twice is to do it once: a GET, or what bears a key that the server honours.
    ///   - counters: adds up the attempts and the bytes that left.
    public func send(
        _ request: HTTPRequest, isIdempotent: Bool, counters: TransferCounters = TransferCounters()
    ) async throws(UploadError) -> HTTPResponse {
        try await send(request, isIdempotent: isIdempotent, counters: counters, session: nil)
    }

    /// - Parameter session: is told before each attempt, and after one that surely did nothing.
    func send(
        _ request: HTTPRequest, isIdempotent: Bool, counters: TransferCounters, session: UploadSession?
    ) async throws(UploadError) -> HTTPResponse {
        guard transport.resolvesLocalhostToLoopback || !request.endpoint.requiresLoopbackResolution else {
            throw UploadError(
                code: .insecureURL,
                message: "the name may lead to another machine, and http lets everyone on the way read along: use https"
            )
        }
        var state = RequestState(request: request)
        while true {
            let generation = try await rateLimitGate.waitUntilOpen()
            if state.request.usesClientToken, state.request.bearerToken == nil {
                state.request.bearerToken = try await tokenCache.currentToken()
            }
            try await session?.recordAttemptStart()
            let outcome = await sendOnce(state.request, counters: counters)
            if outcome.leavesOutcomeUnknown(under: retryPolicy) { session?.markUncertain() }
            if case .response(let response) = outcome, response.status != 429 {
                await rateLimitGate.recordNon429Response()
            }
            switch outcome.retryDecision(by: retryPolicy, isIdempotent: isIdempotent) {
            case .succeed:
                if case .response(let response) = outcome { return response }
            case .retry(let retryAfter):
                state.attemptCount += outcome.sendProgress.attemptCount
                if state.attemptCount >= retryPolicy.maxAttempts {
                    throw outcome.uploadError(code: .serverUnreachable, attemptCount: state.attemptCount)
                }
                try await session?.recordWaitForRetry()
                try await waitBeforeRetry(retryPolicy.delay(afterAttempt: state.attemptCount, retryAfter: retryAfter))
            case .closeGate(retryAfter: let retryAfter):
                try await session?.recordWaitForRetry()
                try await rateLimitGate.closeTemporarily(
                    generation: generation, retryAfter: retryAfter, serverMessage: outcome.serverMessage)
            case .renewToken: try await renewToken(of: &state, after: outcome)
            case .followRedirect(to: let location): try state.followRedirect(to: location, after: outcome)
            case .fail(let code): throw outcome.uploadError(code: code)
            }
        }
    }

    private func sendOnce(_ request: HTTPRequest, counters: TransferCounters) async -> AttemptOutcome {
        do {
            var response = try await transport.send(request)
            response.redactToken(request.bearerToken)
            response.secrets = request.endpoint.secrets
            if let token = request.bearerToken { response.secrets.insert(token) }
            counters.recordTransfer(response.sendProgress)
            logger.debug(
                "answered",
                metadata: [
                    "method": "\(request.method.rawValue)", "status": "\(response.status)",
                    "sent": "\(response.sendProgress.bytesSent)",
                ])
            return .response(response)
        } catch {
            counters.recordTransfer(error.sendProgress)
            logger.debug(
                "not answered",
                metadata: [
                    "method": "\(request.method.rawValue)", "reason": "\(error.code)",
                    "sent": "\(error.sendProgress.bytesSent)",
                ])
            return .failure(error)
        }
    }

    private func renewToken(of state: inout RequestState, after outcome: AttemptOutcome) async throws(UploadError) {
        guard !state.hasRenewedToken, let rejected = state.request.bearerToken,
            let token = try await tokenCache.replacementToken(for: rejected), token != rejected
        else { throw outcome.uploadError(code: .unauthorized) }
        state.hasRenewedToken = true
        state.request.bearerToken = token
    }

    private func waitBeforeRetry(_ duration: Duration) async throws(UploadError) {
        do { try await Task.sleep(for: duration) } catch {
            throw UploadError(code: .cancelled, message: "it was cancelled")
        }
    }
}

/// One request with what became of it so far.
private struct RequestState {
    /// As many as browsers follow is 20; within one origin a chain of 5 is a mistake.
    private static let maxRedirects = 5

    var request: HTTPRequest
    /// Those that count.
    var attemptCount = 0
    var hasRenewedToken = false
    private var redirectCount = 0

    init(request: HTTPRequest) { self.request = request }

    mutating func followRedirect(to location: String, after outcome: AttemptOutcome) throws(UploadError) {
        redirectCount += 1
        guard redirectCount <= Self.maxRedirects, let target = request.endpoint.sameOriginRedirect(to: location) else {
            throw outcome.uploadError(code: .invalidResponse)
        }
        request.endpoint = target
    }
}

/// What became of one attempt.
private enum AttemptOutcome {
    case response(HTTPResponse)
    case failure(TransportError)

    var sendProgress: SendProgress {
        switch self {
        case .response(let response): response.sendProgress
        case .failure(let error): error.sendProgress
        }
    }

    func retryDecision(by policy: RetryPolicy, isIdempotent: Bool) -> RetryPolicy.RetryDecision {
        switch self {
        case .response(let response): policy.retryDecision(for: response, isIdempotent: isIdempotent)
        case .failure(let error): policy.retryDecision(for: error, isIdempotent: isIdempotent)
        }
    }

    /// Whether the server may have done what it was asked, and hasn't said so: what a request that may be done twice is
    /// given up for.
    func leavesOutcomeUnknown(under policy: RetryPolicy) -> Bool {
        retryDecision(by: policy, isIdempotent: false) == .fail(.outcomeUnknown)
    }

    var serverMessage: ServerErrorMessage? {
        if case .response(let response) = self { return response.serverMessage }
        return nil
    }

    /// - Parameter attemptCount: how many were made in vain; 0 where one was enough.
    func uploadError(code: UploadError.Code, attemptCount: Int = 0) -> UploadError {
        let prefix = code == .outcomeUnknown ? "it was sent whole, and may have been taken; " : ""
        let attemptText = attemptCount > 1 ? ", tried \(attemptCount) times" : ""
        switch self {
        case .response(let response):
            let serverMessage = serverMessage
            let serverText = serverMessage?.message.map { ": \($0)" } ?? ""
            return UploadError(
                code: code, message: "\(prefix)the server answered \(response.status)\(attemptText)\(serverText)",
                status: response.status,
                serverMessage: serverMessage)
        case .failure(let error):
            return UploadError(code: code, message: "\(prefix)\(error.message)\(attemptText)", cause: error)
        }
    }
}
