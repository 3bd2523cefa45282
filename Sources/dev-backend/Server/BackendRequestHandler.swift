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
                if fault.hasPrefix("html "), let status = Int(fault.dropFirst(5)) {
                    faultInjector.incrementCount(\.htmlPages)
                    return JSONResponse.htmlPage(status: status).httpResponse
                }
                throw self.injectedErrorResponse(for: fault)
            }
            let service = Service(path: incomingRequest.path)
            let account = try await authenticate(incomingRequest, for: service)
            guard let service, options.services.contains(service) else { throw ErrorResponse.notFound }
            response = try await routeRequest(incomingRequest, to: service, account: account)
        } catch let error as ErrorResponse {
            try await incomingRequest.drainBody()
            response = JSONResponse(error: error)
        }
        if options.responseDelay > .zero { try await Task.sleep(for: options.responseDelay) }
        return response.httpResponse
    }

    /// Returns the account of the token. Logins and `/upload` need none, but `/upload` rejects an invalid one.
    ///
    /// - Throws: `unauthorized`.
    private func authenticate(_ incomingRequest: IncomingRequest, for service: Service?) async throws -> Account {
        let needsToken = !Service.pathsWithoutToken.contains(incomingRequest.path)
        guard let token = incomingRequest.bearerToken else {
            if needsToken { throw ErrorResponse.unauthorized }
            return Account()
        }
        if options.acceptedTokens.contains(token) || !needsToken && service != .plain { return Account() }
        guard let service else { throw ErrorResponse.unauthorized }
        let account = try await store.readFromDatabase {
            try TokenTable.account(ofToken: token, service: service, in: $0)
        }
        guard let account else { throw ErrorResponse.unauthorized }
        return account
    }

    private func routeRequest(
        _ incomingRequest: IncomingRequest, to service: Service, account: Account
    ) async throws -> JSONResponse {
        let key = options.honorsIdempotencyKeys ? incomingRequest.idempotencyKey : nil
        let response: JSONResponse? =
            switch service {
            case .symptomSentry:
                try await SymptomSentryRoutes(
                    store: store, account: account, freeAnalysesPerMonth: options.freeAnalysesPerMonth
                ).respond(to: incomingRequest, idempotencyKey: key)
            case .petVisits:
                try await PetVisitsRoutes(store: store).respond(to: incomingRequest, idempotencyKey: key)
            case .ksrCranes:
                try await KSRCranesRoutes(store: store, account: account).respond(
                    to: incomingRequest, idempotencyKey: key)
            case .messages:
                try await MessagesRoutes(store: store, account: account).respond(
                    to: incomingRequest, idempotencyKey: key)
            case .plain:
                incomingRequest.method == "POST"
                    ? try await PlainUploadRoute(store: store).upload(incomingRequest, idempotencyKey: key) : nil
            }
        guard let response else { throw ErrorResponse.notFound }
        return response
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
