/// The state of a request across its attempts.
struct RequestState {
    /// Browsers follow up to 20 redirects. Within one origin, a chain of more than 5 is a configuration error.
    private static let maxRedirects = 5

    var request: TransportRequest
    /// The number of attempts that count towards `maxAttempts`: those answered with 429, 401 or a redirect do not.
    var attemptCount = 0
    /// Whether the last response was 401, and the token was then renewed.
    var isTokenRenewed = false
    private var renewalCount = 0
    /// A request may wait for hours, longer than its tokens are valid. The limit is for a server that answers 401 and
    /// 429 in turn.
    private static let maxRenewals = 10
    /// The tokens of all attempts. A server may repeat a token that it rejected before.
    var sentTokens: Set<BearerToken> = []
    private var redirectCount = 0

    init(request: TransportRequest) { self.request = request }

    /// Whether the token that the server rejected may be renewed: it was not renewed for the request before.
    var mayRenewToken: Bool { !isTokenRenewed && renewalCount < Self.maxRenewals }

    mutating func recordRenewal() {
        isTokenRenewed = true
        renewalCount += 1
    }

    mutating func followRedirect(to location: String, after outcome: AttemptOutcome) throws(CallError) {
        redirectCount += 1
        guard redirectCount <= Self.maxRedirects, let target = request.endpoint.sameOriginRedirect(to: location) else {
            throw outcome.callError(code: .invalidResponse)
        }
        request.endpoint = target
    }
}

/// The outcome of one attempt: a response or a transport error.
enum AttemptOutcome {
    case response(TransportResponse)
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

    /// Returns whether the server may have processed the request without confirming it. That is when the policy would
    /// give up a request that is not idempotent with `outcome-unknown`.
    func leavesOutcomeUnknown(under policy: RetryPolicy) -> Bool {
        retryDecision(by: policy, isIdempotent: false) == .fail(.outcomeUnknown)
    }

    var serverMessage: ServerErrorMessage? {
        if case .response(let response) = self { return response.serverMessage }
        return nil
    }

    /// Returns the error of a request that is given up.
    ///
    /// - Parameter attemptCount: The number of failed attempts for the message; 0 to omit it.
    func callError(code: CallError.Code, attemptCount: Int = 0) -> CallError {
        let prefix = code == .outcomeUnknown ? "it was sent whole, and may have been taken; " : ""
        let attemptText = attemptCount > 1 ? ", tried \(attemptCount) times" : ""
        switch self {
        case .response(let response):
            let serverMessage = serverMessage
            let serverText = serverMessage?.message.map { ": \($0)" } ?? ""
            return CallError(
                code: code, message: "\(prefix)the server answered \(response.status)\(attemptText)\(serverText)",
                status: response.status,
                serverMessage: serverMessage)
        case .failure(let error):
            return CallError(code: code, message: "\(prefix)\(error.message)\(attemptText)", cause: error)
        }
    }
}
