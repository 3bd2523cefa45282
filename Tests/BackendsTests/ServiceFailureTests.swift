import HTTPCalls
import HTTPTestSupport
import KSRCranesAPI
import SymptomSentryAPI
import Synchronization
import Testing

/// The error of each service for each failure, over both transports.
///
/// A sentence that ends with `…` is the beginning of the error's: the transports have words of their own.
@Suite("Each failure of each service, over HTTP", .serialized)
struct ServiceFailureTests {
    /// The outcome of a call for each service.
    private struct Outcome {
        var symptomSentry: String
        var ksrCranes: String
        /// Pet visits and messages, whose documents have no sentences for errors.
        var others: String

        func text(for service: ServiceUnderTest) -> String {
            switch service {
            case .symptomSentry: symptomSentry
            case .ksrCranes: ksrCranes
            case .petVisits, .messages: others
            }
        }
    }

    /// A failure of all attempts, and its outcomes.
    private struct Row {
        var fault: RunningBackend.Fault
        var read: Outcome
        var write: Outcome

        init(_ fault: RunningBackend.Fault, read: Outcome, write: Outcome) {
            (self.fault, self.read, self.write) = (fault, read, write)
        }

        /// A failure that is the same for both calls.
        init(_ fault: RunningBackend.Fault, _ symptomSentry: String, _ ksrCranes: String, _ others: String) {
            let outcome = Outcome(symptomSentry: symptomSentry, ksrCranes: ksrCranes, others: others)
            self.init(fault, read: outcome, write: outcome)
        }
    }

    private static let own = "An error was asked for."
    private static let whole = "it was sent whole, and may have been taken; "

    /// Refusals: the server's own message, or else the document's sentence.
    private static let refusals =
        [
            Row(
                .status(401), "unauthorized 401: \(own)", "authenticationError: \(own)", "unauthorized 401: \(own)"),
            Row(
                .page(401), "unauthorized 401: Authentication failed. Please log in again.",
                "authenticationError: Authentication failed. Please log in again.",
                "unauthorized 401: the server answered 401"),
        ]
        + [403, 404, 422].flatMap { status in
            [
                Row(
                    .status(status), "refused \(status): \(own)",
                    "httpError \(status): Server error (\(status)): \(own)",
                    "refused \(status): \(own)"),
                Row(
                    .page(status), "refused \(status): Server error (\(status)). Please try again later.",
                    "httpError \(status): Server error (\(status)): Unknown error",
                    "refused \(status): the server answered \(status)"),
            ]
        }

    private static let rateLimits = [
        Row(
            .busy, "quota-exhausted 429: Too many requests.", "httpError 429: Server error (429): Too many requests.",
            "rate-limited 429: Too many requests."),
        Row(
            .page(429), "quota-exhausted 429: You've reached your analysis limit for this month.",
            "httpError 429: Server error (429): Unknown error",
            "rate-limited 429: the server kept answering that it is busy"),
    ]

    /// A GET is repeated. A POST is not, because the server may have carried it out.
    private static let serverErrors = [
        Row(
            .status(500),
            read: Outcome(
                symptomSentry: "unreachable 500: \(own)", ksrCranes: "httpError 500: Server error (500): \(own)",
                others: "unreachable 500: \(own)"),
            write: Outcome(
                symptomSentry: "outcome-unknown 500: \(own)",
                ksrCranes: "callError outcome-unknown 500: Server error (500): \(own)",
                others: "outcome-unknown 500: \(own)")),
        Row(
            .page(500),
            read: Outcome(
                symptomSentry: "unreachable 500: Server error (500). Please try again later.",
                ksrCranes: "httpError 500: Server error (500): Unknown error",
                others: "unreachable 500: the server answered 500, tried 2 times"),
            write: Outcome(
                symptomSentry: "outcome-unknown 500: Server error (500). Please try again later.",
                ksrCranes: "callError outcome-unknown 500: Server error (500): Unknown error",
                others: "outcome-unknown 500: \(whole)the server answered 500")),
        Row(
            .page(503), "unreachable 503: Server error (503). Please try again later.",
            "httpError 503: Server error (503): Unknown error",
            "unreachable 503: the server answered 503, tried 2 times"),
    ]

    private static let lostConnections = [RunningBackend.Fault.noResponse, .halfResponse].map { fault in
        Row(
            fault,
            read: Outcome(
                symptomSentry: "unreachable: Network error: …", ksrCranes: "networkError: Network error: …",
                others: "unreachable: …"),
            write: Outcome(
                symptomSentry: "outcome-unknown: Network error: \(whole)…",
                ksrCranes: "callError outcome-unknown: \(whole)…", others: "outcome-unknown: \(whole)…"))
    }

    private static let noJSON = Row(
        .page(200),
        read: Outcome(
            symptomSentry: "bad-answer 200: the server answered 200, but its response is not JSON",
            ksrCranes: "decodingError: An unexpected error occurred",
            others: "bad-answer 200: the server answered 200, but its response is not JSON"),
        write: Outcome(
            symptomSentry: "outcome-unknown 200: \(whole)the server answered 200, but its response is not JSON",
            ksrCranes: "callError outcome-unknown 200: \(whole)the server answered 200, but its response is not JSON",
            others: "outcome-unknown 200: \(whole)the server answered 200, but its response is not JSON"))

    private static let rows = refusals + rateLimits + serverErrors + lostConnections + [noJSON]

    @Test(
        "has its code, and the server's own message or else the document's sentence",
        arguments: ServiceUnderTest.allCases, TransportKind.allCases)
    func failures(_ service: ServiceUnderTest, _ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let endpoint = try Endpoint(backend.url), transport = try kind.makeTransport()
            for row in Self.rows {
                for (name, outcome) in [("read", row.read), ("write", row.write)] {
                    backend.makeFaults(Array(repeating: row.fault, count: 8))
                    let http = HTTPClient(
                        transport: transport, session: Session(token: "dev-token"), retryPolicy: service.retryPolicy)
                    let countBefore = backend.requestCount
                    let found = await failure {
                        try await name == "read" ? service.read(endpoint, http) : service.write(endpoint, http)
                    }
                    let expected = outcome.text(for: service)
                    let isExpected =
                        expected.hasSuffix("…") ? found.hasPrefix(expected.dropLast()) : found == expected
                    #expect(isExpected, "\(row.fault), \(name): \(found), not \(expected)")
                    // Neither the client nor the transport sends it again.
                    if expected.contains("outcome-unknown") {
                        #expect(backend.requestCount == countBefore + 1, "\(row.fault), \(name)")
                    }
                }
            }
        }
    }

    @Test(
        "is overcome if it passes and the call may be repeated", arguments: ServiceUnderTest.allCases,
        TransportKind.allCases)
    func passingFailures(_ service: ServiceUnderTest, _ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let endpoint = try Endpoint(backend.url)
            let http = HTTPClient(
                transport: try kind.makeTransport(), session: Session(token: "dev-token"),
                retryPolicy: service.retryPolicy)
            for fault in [RunningBackend.Fault.status(500), .page(502), .status(503), .noResponse, .halfResponse] {
                backend.makeFaults([fault])
                #expect(await failure { try await service.read(endpoint, http) } == "none", "\(fault)")
            }
            for fault in [RunningBackend.Fault.status(503), .page(503), .busy] {
                backend.makeFaults([fault], retryAfterSeconds: 0)
                #expect(await failure { try await service.write(endpoint, http) } == "none", "\(fault)")
            }
        }
    }

    @Test(
        "of a token is overcome by one renewal, or signs out if the renewal is refused",
        arguments: ServiceUnderTest.allCases, TransportKind.allCases)
    func renewals(_ service: ServiceUnderTest, _ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let endpoint = try Endpoint(backend.url), transport = try kind.makeTransport()
            for isRefused in [false, true] {
                let count = Mutex(0)
                let session = Session(Credentials(account: "a", token: "expired")) { _ in
                    count.withLock { $0 += 1 }
                    return isRefused ? nil : Credentials(account: "a", token: "dev-token")
                }
                let http = HTTPClient(transport: transport, session: session, retryPolicy: service.retryPolicy)
                let kinds = [
                    await failure { try await service.read(endpoint, http) },
                    await failure { try await service.write(endpoint, http) },
                ].map { $0.prefix { $0 != ":" } }
                let refusals =
                    service == .ksrCranes
                    ? ["authenticationError", "authenticationError"] : ["unauthorized 401", "unauthorized"]
                #expect(kinds == (isRefused ? refusals.map { $0[...] } : ["none", "none"]))
                #expect(count.withLock { $0 } == 1 && (session.token == nil) == isRefused)
            }
        }
    }
}
