import HTTPTestSupport
import HTTPTypes
import Synchronization
import Testing

@testable import HTTPCalls

@Suite("A session has the token of the account that is signed in", .timeLimit(.minutes(20)))
struct SessionTests {
    private let request = TransportRequest(
        method: .post, endpoint: .testEndpoint, body: .bytes([1, 2, 3], mediaType: "text/plain"))
    private let alice = Credentials(account: "alice", token: "a-token")
    private let bob = Credentials(account: "bob", token: "b-token")

    private func makeClient(_ transport: ScriptedTransport, _ session: Session) -> HTTPClient {
        HTTPClient(transport: transport, session: session, retryPolicy: .withoutDelays)
    }

    @Test("each request is sent with the token of that moment")
    func eachRequestAsksForToken() async throws {
        let transport = ScriptedTransport(200), session = Session(alice)
        let client = makeClient(transport, session)
        _ = try await client.send(request, isIdempotent: true)
        try session.signOut()
        let error = await #expect(throws: CallError.self) { try await client.send(request, isIdempotent: true) }
        #expect(error?.code == .signedOut)
        try session.signIn(bob)
        _ = try await client.send(request, isIdempotent: true)
        try session.signIn(Credentials(account: "bob", token: "b-token-2"))
        _ = try await client.send(request, isIdempotent: true)
        #expect(transport.requests.map(\.bearerToken?.secret) == ["a-token", "b-token", "b-token-2"])
    }

    @Test("a request with its own token is sent with it, and that token is never replaced")
    func explicitTokenIsKept() async throws {
        let transport = ScriptedTransport(401)
        var request = request
        request.bearerToken = BearerToken("own")
        let error = await #expect(throws: CallError.self) {
            try await makeClient(transport, Session(alice)).send(request, isIdempotent: true)
        }
        #expect(error?.code == .unauthorized)
        #expect(transport.requests.map(\.bearerToken?.secret) == ["own"])
    }

    /// The script of a request in progress, and the code with which signing out ends it.
    static let cancelledRequests: [(ScriptedTransport.ResponseScript, Bool, CallError.Code)] = [
        (ScriptedTransport.status(200, afterDelay: .seconds(3600)), false, .signedOut),
        (ScriptedTransport.status(200, afterDelay: .seconds(3600), isWhole: true), false, .outcomeUnknown),
        (ScriptedTransport.status(200, afterDelay: .seconds(3600), isWhole: true), true, .signedOut),
        (ScriptedTransport.status(503, [.retryAfter: "600"]), false, .signedOut),
        (ScriptedTransport.status(429, [.retryAfter: "600"]), false, .signedOut),
    ]

    @Test("signing out cancels requests, which never go on with another token", arguments: cancelledRequests.indices)
    func signingOutCancelsRequests(_ index: Int) async throws {
        let (script, isIdempotent, code) = Self.cancelledRequests[index]
        let transport = ScriptedTransport([script]), session = Session(alice)
        let client = makeClient(transport, session)
        let task = Task { try await client.send(request, isIdempotent: isIdempotent) }
        while transport.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        try session.signIn(bob)
        let result = await task.result
        #expect(#expect(throws: CallError.self) { try result.get() }?.code == code)
        #expect(transport.requests.map(\.bearerToken?.secret) == ["a-token"])
    }

    @Test("a cancelled task is cancelled, not signed out")
    func cancelledTaskIsCancelled() async throws {
        let transport = ScriptedTransport([ScriptedTransport.status(200, afterDelay: .seconds(3600))])
        let client = makeClient(transport, Session(alice))
        let task = Task { try await client.send(request, isIdempotent: false) }
        while transport.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        let result = await task.result
        #expect(#expect(throws: CallError.self) { try result.get() }?.code == .cancelled)
    }

    @Test("a client that is bound to an account sends nothing for another one")
    func boundClientKeepsAccount() async throws {
        let transport = ScriptedTransport(200), session = Session(alice)
        let client = try makeClient(transport, session).boundToCurrentAccount()
        _ = try await client.send(request, isIdempotent: true)
        try session.signIn(bob)
        try session.signIn(alice)
        let error = await #expect(throws: CallError.self) { try await client.send(request, isIdempotent: true) }
        #expect(error?.code == .signedOut)
        #expect(transport.requests.count == 1)
    }

    @Test("a refused renewal signs out")
    func refusedRenewalSignsOut() async throws {
        let refusals: [Session.Renewal?] = [
            nil, { _ in nil }, { $0 }, { _ in throw CallError(code: .unauthorized, message: "") },
            { _ in throw CallError(code: .rejectedByServer, message: "") },
        ]
        for renewal in refusals {
            let transport = ScriptedTransport(401), session = Session(alice, renewal: renewal)
            let error = await #expect(throws: CallError.self) {
                try await makeClient(transport, session).send(request, isIdempotent: true)
            }
            #expect(error?.code == .unauthorized && error?.status == 401)
            #expect(session.credentials == nil)
            #expect(transport.requests.count == 1)
        }
    }

    @Test("a renewal that fails for another reason keeps the account signed in, and shows no secret")
    func failedRenewalStaysSignedIn() async throws {
        struct Failure: Error { var text = "s3cret" }
        for (failure, code) in [
            (CallError(code: .serverUnreachable, message: "s3cret"), .serverUnreachable), (Failure(), .unauthorized),
        ] as [(any Error, CallError.Code)] {
            let session = Session(alice) { _ in throw failure }
            let error = await #expect(throws: CallError.self) {
                try await makeClient(ScriptedTransport(401), session).send(request, isIdempotent: true)
            }
            #expect(error?.code == code && !"\(String(describing: error))".contains("s3cret"))
            #expect(session.credentials == alice)
        }
    }

    @Test("a renewal that ends after another account has signed in changes nothing")
    func lateRenewalIsDropped() async throws {
        let isRenewing = AtomicCounter(), transport = ScriptedTransport(401)
        let session = Session(alice) { rejected in
            isRenewing.value.store(1, ordering: .relaxed)
            try? await Task.sleep(for: .seconds(3600))
            return Credentials(token: rejected.token, accountID: "alice")
        }
        let task = Task { try await makeClient(transport, session).send(request, isIdempotent: true) }
        while isRenewing.value.load(ordering: .relaxed) == 0 { try await Task.sleep(for: .milliseconds(1)) }
        try session.signIn(bob)
        let result = await task.result
        #expect(throws: CallError.self) { try result.get() }
        #expect(session.credentials == bob && transport.requests.count == 1)
    }

    @Test("requests that wait for a renewal go on when the same account has signed in again")
    func signInReplacesRenewal() async throws {
        let isRenewing = AtomicCounter(), transport = ScriptedTransport(401, 200)
        let session = Session(alice) { _ in
            isRenewing.value.store(1, ordering: .relaxed)
            try await Task.sleep(for: .seconds(3600))
            return nil
        }
        let task = Task { try await makeClient(transport, session).send(request, isIdempotent: true) }
        while isRenewing.value.load(ordering: .relaxed) == 0 { try await Task.sleep(for: .milliseconds(1)) }
        try session.signIn(Credentials(account: "alice", token: "a-token-2"))
        _ = try await task.value
        #expect(transport.requests.map(\.bearerToken?.secret) == ["a-token", "a-token-2"])
    }

    @Test("the changes begin with the current state")
    func changesAreObserved() async throws {
        let session = Session(alice)
        var changes = session.changes.makeAsyncIterator()
        try session.signOut()
        try session.signOut()
        try session.signIn(bob)
        try session.signIn(Credentials(account: "bob", token: "b-token-2"))
        try session.signOut()
        let expected: [Session.State] = [
            .signedIn(accountID: "alice"), .signedOut, .signedIn(accountID: "bob"), .signedOut,
        ]
        for state in expected { #expect(await changes.next() == state) }
    }

    @Test("the changes end with the session")
    func changesEndWithSession() async {
        var session: Session? = Session(alice)
        var changes = session?.changes.makeAsyncIterator()
        session = nil
        #expect(await changes?.next() == .signedIn(accountID: "alice"))
        #expect(await changes?.next() == nil)
    }
}
