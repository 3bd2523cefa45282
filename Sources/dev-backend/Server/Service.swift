internal import FlyingFox

/// What the backend does with a request.
struct Service: HTTPHandler {
    let store: Store
    let dice: FaultDice
    let options: DevBackendOptions

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let call = Call(request)
        let answer: Answer
        do {
            if let fault = call[FaultHeader.name] {
                try await call.drain()
                throw self.refusal(for: fault)
            }
            try await authorize(call)
            answer = try await route(call)
        } catch let refusal as Refusal {
            try await call.drain()
            answer = Answer(refusing: refusal)
        }
        if options.latency > .zero { try await Task.sleep(for: options.latency) }
        return answer.response
    }

    /// All but to log in needs a token; the plain endpoint does without, but takes no wrong one.
    private func authorize(_ call: Call) async throws {
        guard let token = call.token else {
            if ["/upload", "/api/login", "/api/app/login"].contains(call.path) { return }
            throw Refusal.unauthorized
        }
        if options.acceptedTokens.contains(token) || call.path.hasSuffix("/login") { return }
        let isKnown = try await store.read { try Tokens.contains(token, $0) }
        guard isKnown else { throw Refusal.unauthorized }
    }

    private func route(_ call: Call) async throws -> Answer {
        let key = options.honoursKeys ? call.idempotencyKey : nil
        if call.method == "POST", call.path == "/upload" {
            return try await PlainEndpoint(store: store).upload(call, key: key)
        }
        let sentry = SymptomSentry(store: store, freeAnalyses: options.freeAnalyses)
        if let answer = try await sentry.respond(to: call, key: key) { return answer }
        if let answer = try await PetVisits(store: store).respond(to: call, key: key) { return answer }
        if let answer = try await KSRCranes(store: store).respond(to: call, key: key) { return answer }
        throw Refusal.notFound
    }

    private func refusal(for fault: String) -> Refusal {
        guard let status = Int(fault) else {
            dice.count(\.busy)
            var refusal = Refusal(429, "busy", "Too many requests.")
            switch dice.faults.retryAfter {
            case .unsaid: break
            case .seconds(let seconds): refusal.headers["Retry-After"] = "\(seconds)"
            case .date(let seconds):
                refusal.headers["Retry-After"] = Timestamp.http(secondsFromNow: seconds)
            }
            return refusal
        }
        dice.count(\.errors)
        return Refusal(status, "injected", "An error was asked for.")
    }
}
