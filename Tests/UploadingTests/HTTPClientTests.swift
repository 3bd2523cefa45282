import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import Testing

@testable import HTTPCalls
@testable import Uploading

@Suite("A client sends a request until it succeeds or fails for good")
struct HTTPClientTests {
    private let postRequest = TransportRequest(
        method: .post, endpoint: .testEndpoint, body: .bytes([1, 2, 3], mediaType: "text/plain"))

    private func makeClient(_ transport: ScriptedTransport, tokens: ScriptedTokens? = nil) -> HTTPClient {
        HTTPClient(transport: transport, session: tokens?.makeSession(), retryPolicy: .withoutDelays)
    }

    @Test("Temporary failures are retried, and attempts and bytes are counted")
    func transientFailureIsRetriedAndCounted() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.failure(.connectionFailed), ScriptedTransport.status(500), ScriptedTransport.status(503),
            ScriptedTransport.failure(.connectionLost), ScriptedTransport.status(201),
        ])
        let tally = TransferCounters()
        let response = try await makeClient(transport).send(postRequest, isIdempotent: true, counters: tally)
        #expect(response.status == 201)
        #expect(transport.requests.count == 5)
        #expect(tally.attemptCount == 5)
        #expect(tally.bytesSent == 9)
    }

    @Test("After ten attempts it fails with the server's message")
    func clientGivesUpAfterTenAttempts() async {
        let transport = ScriptedTransport([
            ScriptedTransport.status(502, body: #"{"message":"broken","code":"b","details":"d"}"#)
        ])
        let error = await #expect(throws: CallError.self) {
            try await makeClient(transport).send(postRequest, isIdempotent: true)
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
                try await makeClient(transport).send(postRequest, isIdempotent: false)
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
                try await makeClient(transport).send(
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
            _ = try await makeClient(transport).send(
                TransportRequest(method: .get, endpoint: endpoint), isIdempotent: true)
        }
        #expect(transport.requests.count == 4)
    }

    @Test(
        "The query of the URL, which may contain a secret, is in no error", arguments: ["/", "\\/"],
        ["&", "&amp;", "\\u0026"])
    func urlQueryAppearsInNoError(_ slash: String, _ ampersand: String) async throws {
        let echo = "Cannot POST \(slash)a?key=SECRET\(slash)1\(ampersand)b=c"
        let transport = ScriptedTransport([ScriptedTransport.status(404, body: #"{"message":"\#(echo)"}"#)])
        let endpoint = try Endpoint("https://example.com/a?key=SECRET/1&b=c")
        let error = await #expect(throws: CallError.self) {
            try await makeClient(transport).send(
                TransportRequest(method: .post, endpoint: endpoint), isIdempotent: true)
        }
        #expect(error?.message == "the server answered 404: Cannot POST /a?<query>")
    }

    /// Returns the message of the error for a server's error message.
    private func message(_ echo: String, from url: String, redirecting location: String? = nil) async throws -> String?
    {
        let body = String(decoding: try JSONEncoder().encode(["message": echo]), as: UTF8.self)
        let redirect = location.map { ScriptedTransport.status(307, [.location: $0]) }
        let transport = ScriptedTransport([redirect, ScriptedTransport.status(404, body: body)].compactMap { $0 })
        let endpoint = try Endpoint(url).appendingPathSegments("api", "visit-4711-4712-4713")
        let error = await #expect(throws: CallError.self) {
            try await makeClient(transport).send(
                TransportRequest(method: .post, endpoint: endpoint), isIdempotent: true)
        }
        return error?.serverMessage?.message
    }

    @Test(
        "A segment of the path or a value of the query that may be a secret is in no error, in whatever form",
        arguments: [
            ("https://b.test/hooks/T0KENT0KEN", "no hook T0KENT0KEN", "no hook <path>"),
            ("https://b.test/hooks/abcdefghijklmnop/v1", "no /hooks/abcdefghijklmnop/v1", "no /hooks/<path>/v1"),
            ("https://b.test/profile-image/v1", "no profile-image of v1", "no profile-image of v1"),
            ("https://b.test/%73%65cret%2Fkey9", "no secret/key9", "no <path>"),
            ("https://b.test/%73%65cret%2Fkey9", "no %73%65cret%2Fkey9 or secret%2Fkey9", "no <path> or <path>"),
            ("https://b.test/a?key=pass+word&b=c", "pass+word, pass word, pass%20word", "<query>, <query>, <query>"),
            ("https://b.test/a?key=%3Cs%26cret%3E&b=c", "no &lt;s&amp;cret&gt;", "no <query>"),
            ("https://b.test/a?secretsecret", "no secretsecret", "no <query>"),
            ("https://b.test/bot12:T0KENT0KEN/a", "bot12 has no T0KENT0KEN", "bot12 has no <path>"),
            ("https://b.test/key=T0KENT0KEN", "no /key=T0KENT0KEN or T0KENT0KEN", "no /<path> or <path>"),
            ("https://b.test/a?", "no? /a?", "no? /a?"),
            ("https://b.test", "no visit-4711-4712-4713", "no visit-4711-4712-4713"),
        ])
    func partsOfURL(_ url: String, _ echo: String, _ shown: String) async throws {
        #expect(try await message(echo, from: url) == shown)
    }

    @Test(
        "A percent sign without two hexadecimal digits is part of the secret",
        arguments: [
            ("100%+5secret", "100%25%2B5secret"), ("100%-5secret", "100%25-5secret"), ("secret100%5", "secret100%255"),
            ("secret100%", "secret100%25"),
        ])
    func invalidPercentEscapeIsKept(_ secret: String, _ echo: String) {
        #expect(RequestSecrets(query: "key=\(secret)").redactedText(from: "no \(echo)") == "no <query>")
    }

    @Test("A secret stays redacted after a redirect, as does a secret in the redirect's URL")
    func redirectedSecret() async throws {
        let echo = "T0KENT0KEN and an0thert0ken?key=one"
        let message = try await message(echo, from: "https://b.test/T0KENT0KEN", redirecting: "/an0thert0ken?key=one")
        #expect(message == "<path> and <path>?<query>")
    }

    @Test("A secret is redacted before a message is shortened, in each of its parts")
    func secretInEachPart() async throws {
        let padding = String(repeating: "x", count: 490)
        #expect(
            try await message(padding + "abcdefghijklmnop", from: "https://b.test/abcdefghijklmnop") == padding
                + "<path>")
        let body = #"{"code":"abcdefghijklmnop","details":{"abcdefghijklmnop":1},"errors":["abcdefghij\u006blmnop"]}"#
        let transport = ScriptedTransport([ScriptedTransport.status(404, body: body)])
        let endpoint = try Endpoint("https://b.test/abcdefghijklmnop")
        let error = await #expect(throws: CallError.self) {
            try await makeClient(transport).send(
                TransportRequest(method: .post, endpoint: endpoint), isIdempotent: true)
        }
        #expect(
            error?.serverMessage
                == ServerErrorMessage(code: "<path>", details: #"{"<path>":1}"#, validationErrors: ["<path>"]))
    }

    @Test("429 doesn't count as an attempt")
    func status429DoesNotCountAsAttempt() async throws {
        var answers = Array(repeating: ScriptedTransport.status(429), count: 20)
        answers.append(ScriptedTransport.status(200))
        let transport = ScriptedTransport(answers)
        #expect(try await makeClient(transport).send(postRequest, isIdempotent: false).status == 200)
        #expect(transport.requests.count == 21)
    }

    @Test("Repeated 429 ends a call, and the next one is sent")
    func endless429EndsCall() async throws {
        let refusals = Array(repeating: ScriptedTransport.status(429), count: 30)
        let transport = ScriptedTransport(refusals + [ScriptedTransport.status(200)])
        let client = makeClient(transport)
        let error = await #expect(throws: CallError.self) {
            try await client.send(postRequest, isIdempotent: true)
        }
        #expect(error?.code == .rateLimited)
        #expect(transport.requests.count == 30)
        #expect(try await client.send(postRequest, isIdempotent: true).status == 200)
    }

    @Test("Repeated 429 ends all calls of the moment after at most 30 requests each")
    func endless429EndsAllCalls() async {
        let transport = ScriptedTransport(429)
        let client = makeClient(transport)
        await withTaskGroup(of: CallError.Code?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do throws(CallError) { _ = try await client.send(postRequest, isIdempotent: true) } catch {
                        return error.code
                    }
                    return nil
                }
            }
            for await code in group { #expect(code == .rateLimited) }
        }
        #expect(transport.requests.count <= 20 * 30)
    }

    @Test("429 pauses all requests for as long as the server requests")
    func status429DelaysAllRequests() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.status(429, [.retryAfter: "1"]), ScriptedTransport.status(200),
        ])
        let client = makeClient(transport)
        let start = ContinuousClock.now
        _ = try await client.send(postRequest, isIdempotent: false)
        #expect(ContinuousClock.now - start >= .seconds(1))
        #expect(transport.requests.count == 2)
    }

    @Test("A request waits while the gate is closed")
    func requestsWaitWhileGateIsClosed() async throws {
        let gate = RateLimitGate(retryPolicy: .withoutDelays)
        let start = ContinuousClock.now
        try await gate.closeTemporarily(passage: gate.waitUntilOpen(), retryAfter: .seconds(1), serverMessage: nil)
        async let first = gate.waitUntilOpen()
        async let second = gate.waitUntilOpen()
        #expect(try await [first, second].map(\.closingCount) == [1, 1])
        #expect(ContinuousClock.now - start >= .seconds(1))
    }

    @Test("If 429 means a quota, any number of 429 responses with a short delay do not mean that it is exhausted")
    func short429WaitsAreNotQuotaExhaustion() async {
        var policy = RetryPolicy.withoutDelays
        policy.treats429AsQuota = true
        let transport = ScriptedTransport([ScriptedTransport.status(429, [.retryAfter: "0"])]
        )
        let error = await #expect(throws: CallError.self) {
            try await HTTPClient(transport: transport, retryPolicy: policy).send(postRequest, isIdempotent: true)
        }
        #expect(error?.code == .rateLimited)
    }

    @Test(
        "If 429 means a quota, a response without Retry-After or with a long one ends the call, and the next is sent",
        arguments: [nil, "601"])
    func long429MeansQuotaExhausted(_ retryAfter: String?) async throws {
        var policy = RetryPolicy.withoutDelays
        policy.treats429AsQuota = true
        policy.maxRetryAfter = .seconds(600)
        let headers = retryAfter.map { [.retryAfter: $0] as HTTPFields } ?? [:]
        let transport = ScriptedTransport([
            ScriptedTransport.status(429, headers, body: #"{"message":"Limit"}"#), ScriptedTransport.status(200),
        ])
        let client = HTTPClient(transport: transport, retryPolicy: policy)
        let error = await #expect(throws: CallError.self) {
            try await client.send(postRequest, isIdempotent: true)
        }
        #expect(error?.code == .quotaExhausted)
        #expect(error?.serverMessage?.message == "Limit")
        #expect(transport.requests.count == 1)
        #expect(try await client.send(postRequest, isIdempotent: true).status == 200)
    }

    @Test("A rejected token is renewed once")
    func rejectedTokenIsRenewedOnce() async throws {
        let tokens = ScriptedTokens("old", "new")
        let transport = ScriptedTransport(401, 200)
        _ = try await makeClient(transport, tokens: tokens).send(postRequest, isIdempotent: false)
        #expect(transport.requests.map(\.bearerToken?.secret) == ["old", "new"])
        #expect(tokens.rejectedTokens == ["old"])
    }

    @Test("A token that the server repeats does not appear in an error", arguments: ["s3cret/token", "s3cret.token"])
    func echoedTokenAppearsInNoError(_ secret: String) async throws {
        for text in [secret, secret.replacing("/", with: "\\/"), secret.replacing("c", with: "\\u0063")] {
            let transport = ScriptedTransport([
                ScriptedTransport.status(403, body: #"{"message":"no \#(text)","details":["\#(text)"]}"#)
            ])
            let error = await #expect(throws: CallError.self) {
                try await makeClient(transport, tokens: ScriptedTokens(secret)).send(
                    postRequest, isIdempotent: true)
            }
            #expect(error?.serverMessage?.message == "no <token>")
            #expect(!"\(String(describing: error))".contains("s3cret"))
        }
    }

    @Test("A rejected token that the server repeats after the renewal appears in no error and in no body")
    func tokenBeforeRenewalAppearsInNoErrorOrBody() async throws {
        let echo = #"{"message":"saw s3cret-one and s3cret-two"}"#
        for status in [400, 401, 200] {
            let transport = ScriptedTransport([
                ScriptedTransport.status(401), ScriptedTransport.status(503),
                ScriptedTransport.status(status, body: echo),
            ])
            let client = makeClient(transport, tokens: ScriptedTokens("s3cret-one", "s3cret-two"))
            do {
                let response = try await client.send(postRequest, isIdempotent: true)
                #expect(String(decoding: response.body, as: UTF8.self) == #"{"message":"saw <token> and <token>"}"#)
            } catch {
                #expect(error.serverMessage?.message == "saw <token> and <token>")
                #expect(!"\(String(describing: error))".contains("s3cret"))
            }
        }
    }

    @Test("A second 401 is final, and so is the first if there is no other token")
    func secondUnauthorizedIsFinal() async {
        for (tokens, sent) in [
            (ScriptedTokens("old", "new"), 2), (ScriptedTokens("old", "old"), 1),
            (ScriptedTokens("old"), 1),
        ] {
            let transport = ScriptedTransport(401)
            let error = await #expect(throws: CallError.self) {
                try await makeClient(transport, tokens: tokens).send(postRequest, isIdempotent: true)
            }
            #expect(error?.code == .unauthorized)
            #expect(transport.requests.count == sent)
        }
    }

    @Test("Many requests that are answered with 401 at once cause one renewal")
    func concurrentUnauthorizedRequestsShareOneRefresh() async throws {
        let tokens = ScriptedTokens("old", "new", "newer")
        let transport = ScriptedTransport([
            ScriptedTransport.status { $0.bearerToken?.secret == "old" ? 401 : 200 }
        ])
        let client = makeClient(transport, tokens: tokens)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await client.send(postRequest, isIdempotent: true).status } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(tokens.rejectedTokens == ["old"])
    }

    @Test("307 and 308 are followed within the origin, at most five times")
    func redirectsWithinOriginAreFollowedFiveTimes() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.status(307, [.location: "/b"]),
            ScriptedTransport.status(308, [.location: "https://backend.test/c"]),
            ScriptedTransport.status(200),
        ])
        _ = try await makeClient(transport).send(postRequest, isIdempotent: false)
        #expect(
            transport.requests.map(\.endpoint.description) == [
                "https://backend.test/upload", "https://backend.test/b", "https://backend.test/c",
            ])
        for location in ["https://other.test/", "/again"] {
            let transport = ScriptedTransport([
                ScriptedTransport.status(307, [.location: location])
            ])
            let error = await #expect(throws: CallError.self) {
                try await makeClient(transport).send(postRequest, isIdempotent: true)
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
        let client = makeClient(transport)
        let task = Task { try await client.send(postRequest, isIdempotent: true) }
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
        ).send(postRequest, isIdempotent: true)
        #expect(handler.entries.count == 3)
        #expect(handler.entries.allSatisfy { $0.level == .debug })
        #expect(!"\(handler.entries)".contains("s3cret"))
    }
}
