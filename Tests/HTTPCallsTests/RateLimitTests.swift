import HTTPTestSupport
import HTTPTypes
import Testing

@testable import HTTPCalls

@Suite("A client pauses after 429, and gives up in the end", .timeLimit(.minutes(20)))
struct RateLimitTests {
    @Test("429 doesn't count as an attempt")
    func status429DoesNotCountAsAttempt() async throws {
        var answers = Array(repeating: ScriptedTransport.status(429), count: 20)
        answers.append(ScriptedTransport.status(200))
        let transport = ScriptedTransport(answers)
        #expect(try await HTTPClient(scripted: transport).send(.testPost, isIdempotent: false).status == 200)
        #expect(transport.requests.count == 21)
    }

    @Test("Repeated 429 ends a call, and the next one is sent")
    func endless429EndsCall() async throws {
        let refusals = Array(repeating: ScriptedTransport.status(429), count: 30)
        let transport = ScriptedTransport(refusals + [ScriptedTransport.status(200)])
        let client = HTTPClient(scripted: transport)
        let error = await #expect(throws: CallError.self) {
            try await client.send(.testPost, isIdempotent: true)
        }
        #expect(error?.code == .rateLimited)
        #expect(transport.requests.count == 30)
        #expect(try await client.send(.testPost, isIdempotent: true).status == 200)
    }

    @Test("Repeated 429 ends all calls of the moment after at most 30 requests each")
    func endless429EndsAllCalls() async {
        let transport = ScriptedTransport(429)
        let client = HTTPClient(scripted: transport)
        await withTaskGroup(of: CallError.Code?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do throws(CallError) { _ = try await client.send(.testPost, isIdempotent: true) } catch {
                        return error.code
                    }
                    return nil
                }
            }
            for await code in group { #expect(code == .rateLimited) }
        }
        #expect(transport.requests.count <= 20 * 30)
    }

    @Test("Repeated 429 also ends the calls that wait for their turn, which send nothing")
    func endless429EndsWaitingCalls() async throws {
        let transport = ScriptedTransport(429)
        let client = HTTPClient(
            transport: transport, session: Session(account: "a", token: "t"), retryPolicy: .withoutDelays)
        // Takes all places, so that the calls wait.
        let turn = try await client.waitForTurn(usesClientToken: true)
        for _ in 1..<256 { _ = try await client.waitForTurn(usesClientToken: true) }
        await withTaskGroup(of: CallError.Code?.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    do throws(CallError) { _ = try await client.send(.testPost, isIdempotent: true) } catch {
                        return error.code
                    }
                    return nil
                }
            }
            while client.limiter.waitingCount < 5, transport.requests.isEmpty { await Task.yield() }
            // The calls take the place one after another. The first one sends until the requests are given up.
            turn.end()
            for await code in group { #expect(code == .rateLimited) }
        }
        #expect(transport.requests.count == 30)
    }

    @Test("429 pauses all requests for as long as the server requests")
    func status429DelaysAllRequests() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.status(429, [.retryAfter: "1"]), ScriptedTransport.status(200),
        ])
        let client = HTTPClient(scripted: transport)
        let start = ContinuousClock.now
        _ = try await client.send(.testPost, isIdempotent: false)
        #expect(ContinuousClock.now - start >= .seconds(1))
        #expect(transport.requests.count == 2)
    }

    @Test("A request waits while the gate is closed")
    func requestsWaitWhileGateIsClosed() async throws {
        let gate = RateLimitGate(retryPolicy: .withoutDelays)
        let start = ContinuousClock.now
        try gate.closeTemporarily(passage: gate.currentPassage, retryAfter: .seconds(1), serverMessage: nil)
        async let first = gate.waitUntilOpen(since: gate.currentPassage)
        async let second = gate.waitUntilOpen(since: gate.currentPassage)
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
            try await HTTPClient(transport: transport, retryPolicy: policy).send(.testPost, isIdempotent: true)
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
            try await client.send(.testPost, isIdempotent: true)
        }
        #expect(error?.code == .quotaExhausted)
        #expect(error?.message == "the account's quota is exhausted")
        #expect(error?.serverMessage?.message == "Limit")
        #expect(transport.requests.count == 1)
        #expect(try await client.send(.testPost, isIdempotent: true).status == 200)
    }
}
