internal import FlyingFox

/// Handles the requests that the relay forwards.
struct BackendRequestHandler: HTTPHandler {
    let store: BackendStore
    let faultInjector: FaultInjector
    let options: DevBackendOptions

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let incomingRequest = IncomingRequest(request)
        let response: JSONResponse
        do {
            if let fault = incomingRequest[FaultHeader.fieldName] {
                try await incomingRequest.drainBody()
                throw self.injectedErrorResponse(for: fault)
            }
            try await requireValidToken(incomingRequest)
            response = try await routeRequest(incomingRequest)
        } catch let error as ErrorResponse {
            try await incomingRequest.drainBody()
            response = JSONResponse(error: error)
        }
        if options.responseDelay > .zero { try await Task.sleep(for: options.responseDelay) }
        return response.httpResponse
    }

    /// Checks the token. Logins and `/upload` need none, but `/upload` rejects an invalid one.
    ///
    /// - Throws: `unauthorized`.
    private func requireValidToken(_ incomingRequest: IncomingRequest) async throws {
        guard let token = incomingRequest.bearerToken else {
            if ["/upload", "/api/login", "/api/app/login"].contains(incomingRequest.path) { return }
            throw ErrorResponse.unauthorized
        }
        if options.acceptedTokens.contains(token) || incomingRequest.path.hasSuffix("/login") { return }
        let isKnown = try await store.readFromDatabase { try TokenTable.containsToken(token, in: $0) }
        guard isKnown else { throw ErrorResponse.unauthorized }
    }

    private func routeRequest(_ incomingRequest: IncomingRequest) async throws -> JSONResponse {
        let key = options.honorsIdempotencyKeys ? incomingRequest.idempotencyKey : nil
        if incomingRequest.method == "POST", incomingRequest.path == "/upload" {
            return try await PlainUploadRoute(store: store).upload(incomingRequest, idempotencyKey: key)
        }
        let sentry = SymptomSentryRoutes(store: store, freeAnalysesPerMonth: options.freeAnalysesPerMonth)
        if let answer = try await sentry.respond(to: incomingRequest, idempotencyKey: key) { return answer }
        if let answer = try await PetVisitsRoutes(store: store).respond(to: incomingRequest, idempotencyKey: key) {
            return answer
        }
        if let answer = try await KSRCranesRoutes(store: store).respond(to: incomingRequest, idempotencyKey: key) {
            return answer
        }
        throw ErrorResponse.notFound
    }

    private func injectedErrorResponse(for fault: String) -> ErrorResponse {
        guard let status = Int(fault) else {
            faultInjector.incrementCount(\.tooManyRequestsResponses)
            var response = ErrorResponse(status: 429, code: "busy", message: "Too many requests.")
            switch faultInjector.faults.retryAfter {
            case .omitted: break
            case .seconds(let seconds): response.headers["Retry-After"] = "\(seconds)"
            case .date(let seconds):
                response.headers["Retry-After"] = TimestampFormat.httpDate(secondsFromNow: seconds)
            }
            return response
        }
        faultInjector.incrementCount(\.errorResponses)
        return ErrorResponse(status: status, code: "injected", message: "An error was asked for.")
    }
}
