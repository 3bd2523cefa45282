import HTTPTestSupport
import HTTPTypes
import InMemoryLogging
import Logging
import Testing

@testable import HTTPCalls

@Suite("A client sends a request until it succeeds or fails for good", .timeLimit(.minutes(20)))
struct HTTPClientTests {
    @Test("Temporary failures are retried, and attempts and bytes are counted")
    func transientFailureIsRetriedAndCounted() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.failure(.connectionFailed), ScriptedTransport.status(500), ScriptedTransport.status(503),
            ScriptedTransport.failure(.connectionLost), ScriptedTransport.status(201),
        ])
        let tally = TransferCounters()
        let response = try await HTTPClient(scripted: transport).send(.testPost, isIdempotent: true, counters: tally)
        #expect(response.status == 201)
        #expect(transport.requests.count == 5)
        #expect(tally.attemptCount == 5)
        #expect(tally.bytesSent == 9)
    }

    @Test("A cancelled request that must not be sent twice gets its response within the time for that")
    func cancelledRequestGetsResponse() async throws {
        var timeouts = HTTPClient.Timeouts()
        timeouts.cancellation = .seconds(600)
        for isIdempotent in [false, true] {
            let transport = ScriptedTransport([ScriptedTransport.status(201, afterDelay: .seconds(1), isWhole: true)])
            let client = HTTPClient(transport: transport, timeouts: timeouts)
            let task = Task { try await client.send(.testPost, isIdempotent: isIdempotent).status }
            while transport.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            task.cancel()
            let result = await task.result
            if isIdempotent {
                #expect(throws: CallError.self) { try result.get() }
            } else {
                #expect(try result.get() == 201)
            }
        }
    }

    @Test("A cancelled request ends after the time for its response")
    func cancelledRequestEnds() async throws {
        var timeouts = HTTPClient.Timeouts()
        timeouts.cancellation = .milliseconds(10)
        let transport = ScriptedTransport([ScriptedTransport.status(201, afterDelay: .seconds(3600), isWhole: true)])
        let client = HTTPClient(transport: transport, timeouts: timeouts)
        let task = Task { try await client.send(.testPost, isIdempotent: false).status }
        while transport.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        let error = await #expect(throws: CallError.self) { try await task.value }
        #expect(error?.code == .outcomeUnknown)
    }

    @Test("After ten attempts it fails with the server's message")
    func clientGivesUpAfterTenAttempts() async {
        let transport = ScriptedTransport([
            ScriptedTransport.status(502, body: #"{"message":"broken","code":"b","details":"d"}"#)
        ])
        let error = await #expect(throws: CallError.self) {
            try await HTTPClient(scripted: transport).send(.testPost, isIdempotent: true)
        }
        #expect(transport.requests.count == 10)
        #expect(error?.code == .serverUnreachable)
        #expect(error?.status == 502)
        #expect(error?.serverMessage == ServerErrorMessage(message: "broken", code: "b", details: "d"))
        #expect(error?.message == "the server answered 502, tried 10 times: broken")
    }

    @Test("A request that is not idempotent is not sent again after it was sent completely")
    func nonIdempotentRequestSentWholeIsNotRetried() async {
        for answer in [
            ScriptedTransport.status(500), ScriptedTransport.failure(.connectionLost, isWhole: true),
            ScriptedTransport.failure(.timeout, isWhole: true),
        ] {
            let transport = ScriptedTransport([answer])
            let error = await #expect(throws: CallError.self) {
                try await HTTPClient(scripted: transport).send(.testPost, isIdempotent: false)
            }
            #expect(error?.code == .outcomeUnknown)
            #expect(transport.requests.count == 1)
        }
    }

    @Test("Plain http to a name below localhost needs a transport that resolves it without a name server")
    func localhostSubdomainNeedsLocalResolvingTransport() async throws {
        let transport = ScriptedTransport(200)
        let refused = try Endpoint("http://dev.LOCALHOST:8080/a")
        for endpoint in [
            refused, refused.appendingPathSegments("b"), refused.appendingQuery([FormField(name: "c", value: "d")]),
        ] {
            let error = await #expect(throws: CallError.self) {
                try await HTTPClient(scripted: transport).send(
                    TransportRequest(method: .get, endpoint: endpoint), isIdempotent: true)
            }
            #expect(error?.code == .insecureURL)
        }
        #expect(transport.requests.isEmpty)
        let sent = try [
            Endpoint("https://dev.localhost/"), Endpoint("http://dev.localhost/", allowsPlainHTTP: true),
            Endpoint("http://localhost/"), Endpoint("http://127.0.0.1/"),
        ]
        for endpoint in sent {
            _ = try await HTTPClient(scripted: transport).send(
                TransportRequest(method: .get, endpoint: endpoint), isIdempotent: true)
        }
        #expect(transport.requests.count == 4)
    }

    @Test("307 and 308 are followed within the origin, at most five times")
    func redirectsWithinOriginAreFollowedFiveTimes() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.status(307, [.location: "/b"]),
            ScriptedTransport.status(308, [.location: "https://backend.test/c"]),
            ScriptedTransport.status(200),
        ])
        _ = try await HTTPClient(scripted: transport).send(.testPost, isIdempotent: false)
        #expect(
            transport.requests.map(\.endpoint.description) == [
                "https://backend.test/upload", "https://backend.test/b", "https://backend.test/c",
            ])
        for location in ["https://other.test/", "/again"] {
            let transport = ScriptedTransport([
                ScriptedTransport.status(307, [.location: location])
            ])
            let error = await #expect(throws: CallError.self) {
                try await HTTPClient(scripted: transport).send(.testPost, isIdempotent: true)
            }
            #expect(error?.code == .invalidResponse)
            #expect(transport.requests.count == (location == "/again" ? 6 : 1))
        }
    }

    @Test("Cancelling the task ends a wait at once")
    func cancellationEndsWait() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.status(503, [.retryAfter: "3000"])
        ])
        let client = HTTPClient(scripted: transport)
        let task = Task { try await client.send(.testPost, isIdempotent: true) }
        while transport.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        let result = await task.result
        let error = #expect(throws: CallError.self) { try result.get() }
        #expect(error?.code == .cancelled)
    }

    @Test("Each attempt is logged, without the token and the content")
    func logShowsAttemptsWithoutSecrets() async throws {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = .trace
        let transport = ScriptedTransport(500, 401, 200)
        let tokens = ScriptedTokens("s3cret-one", "s3cret-two")
        _ = try await HTTPClient(
            transport: transport, session: tokens.makeSession(), retryPolicy: .withoutDelays, logger: logger
        ).send(.testPost, isIdempotent: true)
        #expect(handler.entries.count == 3)
        #expect(handler.entries.allSatisfy { $0.level == .debug })
        #expect(!"\(handler.entries)".contains("s3cret"))
    }
}
