import HTTPTestSupport
import HTTPTypes
import Synchronization
import Testing

@testable import HTTPCalls

@Suite("Many requests of a client", .timeLimit(.minutes(20)))
struct RequestLimiterTests {
    private let request = TransportRequest(method: .get, endpoint: .testEndpoint)

    private func makeClient(_ transport: ScriptedTransport, renewal: Session.Renewal? = nil) -> HTTPClient {
        HTTPClient(
            transport: transport, session: Session(Credentials(account: "a", token: "old"), renewal: renewal),
            retryPolicy: .withoutDelays)
    }

    @Test("are all answered")
    func allAreAnswered() async throws {
        let transport = ScriptedTransport([ScriptedTransport.status(200, afterDelay: .milliseconds(1))])
        let client = makeClient(transport)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2_000 { group.addTask { try await client.send(request, isIdempotent: true).status } }
            return try await group.reduce(0) { $0 + ($1 == 200 ? 1 : 0) }
        }
        #expect(count == 2_000 && transport.requests.count == 2_000)
    }

    @Test("All places can wait for a renewal that itself sends a request")
    func renewalIsNotLimited() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.status { $0.bearerToken?.secret == "old" ? 401 : 200 }
        ])
        let client = Mutex<HTTPClient?>(nil)
        let made = makeClient(transport) { _ in
            var login = TransportRequest(method: .post, endpoint: .testEndpoint)
            login.usesClientToken = false
            _ = try await client.withLock { $0 }?.send(login, isIdempotent: true)
            return Credentials(account: "a", token: "new")
        }
        client.withLock { $0 = made }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<600 { group.addTask { _ = try await made.send(request, isIdempotent: true) } }
            try await group.waitForAll()
        }
        #expect(transport.requests.filter { $0.bearerToken == nil }.count == 1)
    }

    @Test("One that waits is cancelled at once, and the places of all others are given on")
    func cancellation() async throws {
        let limiter = RequestLimiter(limit: 1)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let first = Task { () async throws in
            try await limiter.enter()
            defer { limiter.leave() }
            start.yield()
            for await _ in released { break }
            return 1
        }
        for await _ in started { break }
        let waiting = (0..<50).map { number in
            Task { () async throws in
                try await limiter.enter()
                defer { limiter.leave() }
                return number
            }
        }
        for task in waiting where task != waiting[7] { task.cancel() }
        for (number, task) in waiting.enumerated() where number != 7 {
            let error = await #expect(throws: CallError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        release.yield()
        #expect(try await [first.value, waiting[7].value] == [1, 7])
        try await limiter.enter()
        limiter.leave()
    }

    @Test("At most 256 are in progress. A sign-out ends them and those that wait: none is sent with another token")
    func signOut() async throws {
        let transport = ScriptedTransport([ScriptedTransport.status(200, afterDelay: .seconds(3600))])
        let session = Session(Credentials(account: "a", token: "a-token"))
        let client = HTTPClient(transport: transport, session: session, retryPolicy: .withoutDelays)
        let codes = await withTaskGroup(of: CallError.Code?.self) { group in
            for _ in 0..<600 {
                group.addTask {
                    do throws(CallError) { _ = try await client.send(request, isIdempotent: true) } catch {
                        return error.code
                    }
                    return nil
                }
            }
            // No request is answered, so that each is either in progress or waits.
            while transport.requests.count + client.limiter.waitingCount < 600 {
                try? await Task.sleep(for: .milliseconds(1))
            }
            try? session.signOut()
            try? session.signIn(Credentials(account: "b", token: "b-token"))
            var codes: [CallError.Code?] = []
            for await code in group { codes.append(code) }
            return codes
        }
        #expect(codes.count == 600 && codes.allSatisfy { $0 == .signedOut })
        #expect(transport.requests.count == 256)
        #expect(transport.requests.allSatisfy { $0.bearerToken?.secret == "a-token" })
    }
}
