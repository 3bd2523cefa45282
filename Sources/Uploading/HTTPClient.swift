public import Logging

/// Sends requests to one backend as its retry policy says, with its token, and holds all back while the backend asks for it.
///
/// One client serves a whole batch: the gate that 429 closes is the client's.
public final class HTTPClient: Sendable {
    /// How long requests may take.
    public struct Timeouts: Hashable, Sendable {
        /// Of calls.
        public var call = Duration.seconds(30)
        /// Of uploads.
        public var upload = Duration.seconds(300)

        /// 30 s and 300 s.
        public init() {}
    }

    /// How long requests may take.
    public let timeouts: Timeouts
    private let transport: any Transport
    private let policy: RetryPolicy
    private let gate: RequestGate
    private let tokens: TokenStore
    private let logger: Logger

    /// A client of these parts.
    ///
    /// - Parameters:
    ///   - transport: sends the requests.
    ///   - tokens: nil for a backend that wants none.
    ///   - policy: which requests are retried, and when.
    ///   - timeouts: how long requests may take.
    ///   - logger: takes a message of level `debug` for each attempt: the method, the status, the bytes, never the token, a file's
    ///     name or what was sent.
    public init(
        _ transport: any Transport, tokens: (any TokenProvider)? = nil, policy: RetryPolicy = RetryPolicy(),
        timeouts: Timeouts = Timeouts(), logger: Logger = Logger(label: "uploading") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.transport = transport
        self.policy = policy
        self.timeouts = timeouts
        self.logger = logger
        gate = RequestGate(policy)
        self.tokens = TokenStore(tokens)
    }

    /// Sends a request until it is answered with a status of 200 to 299, or the policy gives up.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - mayRepeat: whether to send it twice is to do it once: a GET, or what bears a key that the server honours.
    ///   - tally: adds up the attempts and the bytes that left.
    public func send(
        _ request: HTTPRequest, mayRepeat: Bool, tally: Tally = Tally()
    ) async throws(UploadError) -> HTTPResponse {
        try await send(request, mayRepeat: mayRepeat, tally: tally, for: nil)
    }

    /// - Parameter delivery: is told before each attempt, and after one that surely did nothing.
    func send(
        _ request: HTTPRequest, mayRepeat: Bool, tally: Tally, for delivery: Delivery?
    ) async throws(UploadError) -> HTTPResponse {
        guard transport.pinsLocalhost || !request.endpoint.needsPinning else {
            throw UploadError(
                .insecureURL,
                "the name may lead to another machine, and http lets everyone on the way read along: use https")
        }
        var exchange = Exchange(request: request)
        while true {
            let passage = try await gate.pass()
            if exchange.request.takesToken, exchange.request.token == nil {
                exchange.request.token = try await tokens.current()
            }
            try await delivery?.begin()
            let outcome = await attempt(exchange.request, tally)
            if outcome.leavesDoubt(policy) { delivery?.leaveInDoubt() }
            if case .response(let response) = outcome, response.status != 429 { await gate.succeed() }
            switch outcome.decision(policy, mayRepeat: mayRepeat) {
            case .done:
                if case .response(let response) = outcome { return response }
            case .again(let asked):
                exchange.attempts += outcome.progress.attempts
                if exchange.attempts >= policy.attempts { throw outcome.error(.unreachable, after: exchange.attempts) }
                try await delivery?.pause()
                try await pause(policy.wait(after: exchange.attempts, asked: asked))
            case .wait(let asked):
                try await delivery?.pause()
                try await gate.close(passage, asked: asked, server: outcome.server)
            case .renewToken: try await renewToken(of: &exchange, outcome)
            case .follow(let location): try exchange.follow(location, outcome)
            case .give(let code): throw outcome.error(code)
            }
        }
    }

    private func attempt(_ request: HTTPRequest, _ tally: Tally) async -> Outcome {
        do {
            var response = try await transport.send(request)
            response.hide(request.token)
            response.secrets = request.endpoint.secrets
            if let token = request.token { response.secrets.insert(token) }
            tally.add(response.progress)
            logger.debug(
                "answered",
                metadata: [
                    "method": "\(request.method.rawValue)", "status": "\(response.status)",
                    "sent": "\(response.progress.sent)",
                ])
            return .response(response)
        } catch {
            tally.add(error.progress)
            logger.debug(
                "not answered",
                metadata: [
                    "method": "\(request.method.rawValue)", "reason": "\(error.code)", "sent": "\(error.progress.sent)",
                ])
            return .failure(error)
        }
    }

    private func renewToken(of exchange: inout Exchange, _ outcome: Outcome) async throws(UploadError) {
        guard !exchange.hasNewToken, let refused = exchange.request.token,
            let token = try await tokens.replace(refused), token != refused
        else { throw outcome.error(.unauthorized) }
        exchange.hasNewToken = true
        exchange.request.token = token
    }

    private func pause(_ duration: Duration) async throws(UploadError) {
        do { try await Task.sleep(for: duration) } catch { throw UploadError(.cancelled, "it was cancelled") }
    }
}

/// One request with what became of it so far.
private struct Exchange {
    /// As many as browsers follow is 20; within one origin a chain of 5 is a mistake.
    private static let redirects = 5

    var request: HTTPRequest
    /// Those that count.
    var attempts = 0
    var hasNewToken = false
    private var redirects = 0

    init(request: HTTPRequest) { self.request = request }

    mutating func follow(_ location: String, _ outcome: Outcome) throws(UploadError) {
        redirects += 1
        guard redirects <= Self.redirects, let target = request.endpoint.following(location) else {
            throw outcome.error(.badAnswer)
        }
        request.endpoint = target
    }
}

/// What became of one attempt.
private enum Outcome {
    case response(HTTPResponse)
    case failure(TransportError)

    var progress: SendProgress {
        switch self {
        case .response(let response): response.progress
        case .failure(let error): error.progress
        }
    }

    func decision(_ policy: RetryPolicy, mayRepeat: Bool) -> RetryPolicy.Decision {
        switch self {
        case .response(let response): policy.decision(on: response, mayRepeat: mayRepeat)
        case .failure(let error): policy.decision(on: error, mayRepeat: mayRepeat)
        }
    }

    /// Whether the server may have done what it was asked, and hasn't said so: what a request that may be done twice is given up
    /// for.
    func leavesDoubt(_ policy: RetryPolicy) -> Bool {
        decision(policy, mayRepeat: false) == .give(up: .outcomeUnknown)
    }

    var server: ServerMessage? {
        if case .response(let response) = self { return response.serverMessage }
        return nil
    }

    /// - Parameter attempts: how many were made in vain; 0 where one was enough.
    func error(_ code: UploadError.Code, after attempts: Int = 0) -> UploadError {
        let unknown = code == .outcomeUnknown ? "it was sent whole, and may have been taken; " : ""
        let times = attempts > 1 ? ", tried \(attempts) times" : ""
        switch self {
        case .response(let response):
            let server = server
            let said = server?.message.map { ": \($0)" } ?? ""
            return UploadError(
                code, "\(unknown)the server answered \(response.status)\(times)\(said)", status: response.status,
                server: server)
        case .failure(let error): return UploadError(code, "\(unknown)\(error.message)\(times)", cause: error)
        }
    }
}
