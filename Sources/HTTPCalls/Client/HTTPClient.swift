internal import HTTPTypes
public import Logging

/// Sends requests to one backend with the token of a ``Session``, retries them by a ``RetryPolicy``, and pauses all of
/// them when the backend answers 429.
///
/// Use one client for a whole batch, because each client has its own rate limit gate. Any number of requests can be
/// started at once: 256 with the session's token are in progress, and further ones wait in order.
public final class HTTPClient: Sendable {
    /// The timeouts that callers set on their requests.
    public let timeouts: Timeouts
    private let transport: any HTTPTransport
    private let retryPolicy: RetryPolicy
    private let rateLimitGate: RateLimitGate
    let limiter: RequestLimiter
    private let session: Session?
    /// The sign-in to which all requests belong; `nil` for that of the time when a request begins.
    private let signIn: SignIn?
    private let logger: Logger

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - session: Provides the bearer token; `nil` for a backend without authentication.
    ///   - retryPolicy: Decides which requests are retried, and when.
    ///   - timeouts: The timeouts for API calls and uploads.
    ///   - logger: Logs each attempt at level `debug`: the method, the status or error, and the bytes sent; never the
    ///     token, a file's name or content.
    public init(
        transport: any HTTPTransport, session: Session? = nil, retryPolicy: RetryPolicy = RetryPolicy(),
        timeouts: Timeouts = Timeouts(), logger: Logger = Logger(label: "http-calls") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.transport = transport
        self.retryPolicy = retryPolicy
        self.timeouts = timeouts
        self.logger = logger
        rateLimitGate = RateLimitGate(retryPolicy: retryPolicy)
        // More than a transport has connections, so that requests that wait for a retry do not stop the others.
        limiter = RequestLimiter(limit: 256)
        self.session = session
        signIn = nil
    }

    private init(_ client: HTTPClient, signIn: SignIn) {
        (transport, session, retryPolicy) = (client.transport, client.session, client.retryPolicy)
        (timeouts, logger) = (client.timeouts, client.logger)
        (rateLimitGate, limiter) = (client.rateLimitGate, client.limiter)
        self.signIn = signIn
    }

    /// Returns a client that sends all requests for the account that is signed in now. After its sign-out they fail
    /// with ``CallError/Code/signedOut``, even if another account signs in.
    ///
    /// Use it for several requests that belong together. The rate limit gate is shared.
    ///
    /// - Throws: ``CallError/Code/signedOut`` if no account is signed in. A client without a session never throws.
    public func boundToCurrentAccount() throws(CallError) -> HTTPClient {
        guard let session, signIn == nil else { return self }
        return HTTPClient(self, signIn: try session.currentSignIn())
    }

    /// The sign-in to which all requests belong; `nil` if the client is not bound to one.
    package var boundSignIn: SignIn? { signIn }

    /// The error of all further requests, because the account to which the client is bound was signed out; or `nil`.
    package var signOutError: CallError? {
        guard let session, let signIn else { return nil }
        do throws(CallError) { _ = try session.token(of: signIn) } catch { return error }
        return nil
    }

    /// Sends a request, and retries it until the status is 200 to 299 or the policy gives up.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isIdempotent: Whether sending the request twice has the effect of sending it once: a GET, or a request with
    ///     an idempotency key that the server honors.
    ///   - counters: Adds up the attempts and the bytes sent.
    /// - Returns: The response, with a status of 200 to 299.
    /// - Throws: ``CallError`` with the code that ``RetryPolicy`` lists for the last attempt;
    ///   ``CallError/Code/serverUnreachable`` after ``RetryPolicy/maxAttempts`` attempts;
    ///   ``CallError/Code/insecureURL`` if the transport may resolve a name below `localhost` to another machine;
    ///   ``CallError/Code/signedOut`` if no account is signed in, or it is signed out meanwhile;
    ///   ``CallError/Code/cancelled``.
    public func send(
        _ request: TransportRequest, isIdempotent: Bool, counters: TransferCounters = TransferCounters()
    ) async throws(CallError) -> TransportResponse {
        try await send(request, isIdempotent: isIdempotent, counters: counters, recorder: nil)
    }

    /// Sends a request, and records its attempts.
    ///
    /// - Parameter recorder: Records each attempt before it starts, and whether its outcome is unknown.
    package func send(
        _ request: TransportRequest, isIdempotent: Bool, counters: TransferCounters, recorder: (any AttemptRecorder)?
    ) async throws(CallError) -> TransportResponse {
        let turn = try await waitForTurn(usesClientToken: request.usesClientToken && request.bearerToken == nil)
        defer { turn.end() }
        return try await send(
            request, in: turn, isIdempotent: isIdempotent, counters: counters, recorder: recorder)
    }

    /// Waits until a request may be sent. It belongs to the account that was signed in before it waited.
    ///
    /// - Returns: The turn, which the caller must end.
    /// - Throws: ``CallError/Code/signedOut`` if no account is signed in; ``CallError/Code/cancelled``.
    func waitForTurn(usesClientToken: Bool) async throws(CallError) -> RequestTurn {
        // Read first, so that a call that waits for its place also ends when the requests of the moment are given up.
        let arrival = rateLimitGate.currentPassage
        // Requests without the client's token are not limited: the others may wait for one that renews the token.
        guard let session, usesClientToken else { return RequestTurn(arrival: arrival) }
        let signIn = if let signIn { signIn } else { try session.currentSignIn() }
        try await limiter.enter()
        return RequestTurn(arrival: arrival, session: session, signIn: signIn, limiter: limiter)
    }

    /// Sends a request in its turn.
    ///
    /// Not inlined: the memory of this function, some KiB, is allocated when it is called. That of its callers is
    /// allocated while they wait.
    @inline(never)
    func send(
        _ request: TransportRequest, in turn: RequestTurn, isIdempotent: Bool, counters: TransferCounters,
        recorder: (any AttemptRecorder)?
    ) async throws(CallError) -> TransportResponse {
        guard transport.resolvesLocalhostToLoopback || !request.endpoint.requiresLoopbackResolution else {
            throw CallError(
                code: .insecureURL,
                message: "the name may lead to another machine, and everyone on the network path can read plain HTTP: "
                    + "use https"
            )
        }
        guard let session = turn.session, let signIn = turn.signIn else {
            return try await attempt(
                request, since: turn.arrival, authorization: nil, isIdempotent: isIdempotent, counters: counters,
                recorder: recorder)
        }
        let authorization = Authorization(session: session, signIn: signIn)
        return try await session.perform(during: signIn) { () async throws(CallError) in
            try await self.attempt(
                request, since: turn.arrival, authorization: authorization, isIdempotent: isIdempotent,
                counters: counters, recorder: recorder)
        }
    }

    /// The source of the tokens of a request.
    private struct Authorization {
        var session: Session
        var signIn: SignIn
    }

    private func attempt(
        _ request: TransportRequest, since arrival: RateLimitGate.Passage, authorization: Authorization?,
        isIdempotent: Bool, counters: TransferCounters, recorder: (any AttemptRecorder)?
    ) async throws(CallError) -> TransportResponse {
        var state = RequestState(request: request)
        while true {
            let passage = try await rateLimitGate.waitUntilOpen(since: arrival)
            if let authorization {
                state.request.bearerToken = try authorization.session.token(of: authorization.signIn)
            }
            try await recorder?.recordAttemptStart()
            let outcome = await sendOnce(&state, isIdempotent: isIdempotent, counters: counters)
            if outcome.leavesOutcomeUnknown(under: retryPolicy) { recorder?.markUncertain() }
            if case .response(let response) = outcome {
                if response.status != 429 { rateLimitGate.recordNon429Response() }
                if response.status != 401 { state.isTokenRenewed = false }
            }
            switch outcome.retryDecision(by: retryPolicy, isIdempotent: isIdempotent) {
            case .succeed:
                if case .response(let response) = outcome { return response }
            case .retry(let retryAfter):
                state.attemptCount += outcome.sendProgress.attemptCount
                if state.attemptCount >= retryPolicy.maxAttempts {
                    throw outcome.callError(code: .serverUnreachable, attemptCount: state.attemptCount)
                }
                try await recorder?.recordWaitForRetry()
                try await waitBeforeRetry(retryPolicy.delay(afterAttempt: state.attemptCount, retryAfter: retryAfter))
            case .closeGate(retryAfter: let retryAfter):
                try await recorder?.recordWaitForRetry()
                try rateLimitGate.closeTemporarily(
                    passage: passage, retryAfter: retryAfter, serverMessage: outcome.serverMessage)
            case .renewToken: try await renewToken(of: &state, from: authorization, after: outcome)
            case .followRedirect(to: let location): try state.followRedirect(to: location, after: outcome)
            case .fail(let code): throw outcome.callError(code: code)
            }
        }
    }

    private func sendOnce(
        _ state: inout RequestState, isIdempotent: Bool, counters: TransferCounters
    ) async -> AttemptOutcome {
        let request = state.request
        if let token = request.bearerToken { state.sentTokens.insert(token) }
        do {
            var response = try await transport.send(
                request, continuingAfterCancellationFor: isIdempotent ? .zero : timeouts.cancellation)
            response.sentTokens = state.sentTokens
            response.secrets = request.endpoint.secrets
            for token in state.sentTokens { response.secrets.insert(token) }
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

    /// Renews the token that the server rejected. A token that the caller gave to the request is never replaced.
    private func renewToken(
        of state: inout RequestState, from authorization: Authorization?, after outcome: AttemptOutcome
    ) async throws(CallError) {
        guard state.mayRenewToken, let authorization, let rejected = state.request.bearerToken,
            try await authorization.session.token(of: authorization.signIn, replacing: rejected) != nil
        else { throw outcome.callError(code: .unauthorized) }
        state.recordRenewal()
    }

    private func waitBeforeRetry(_ duration: Duration) async throws(CallError) {
        do { try await Task.sleep(for: duration) } catch { throw .cancelled }
    }
}
