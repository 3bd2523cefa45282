import Backends
import HTTPCalls
import HTTPTestSupport
import MediaPrep
import SymptomSentryAPI
import Synchronization
import Testing
import TestSupport
import Uploading

@Suite("A batch of one account, and then another account, over HTTP")
struct AccountFlowTests {
    /// Sends requests by another transport, and calls `action` before one of them.
    private struct InterruptedTransport: HTTPTransport {
        var base: any HTTPTransport
        var number: Int
        var action: @Sendable () -> Void
        let count = AtomicCounter()

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            if count.value.add(1, ordering: .relaxed).newValue == number { action() }
            return try await base.send(request)
        }
    }

    private func makeItems(_ count: Int) async throws -> [UploadItem] {
        var items: [UploadItem] = []
        for quality in 60..<60 + count {
            var options = SymptomSentryClient.imageOptions
            (options.maxDimension, options.quality) = (64, quality)
            let source = SampleMedia.goodImage(named: "ear-passthrough.jpg")
            items.append(UploadItem(try await ImagePreparer(options).prepare(contentsOf: source)))
        }
        return items
    }

    @Test("the other account receives nothing, and can send equal files", arguments: TransportKind.allCases)
    func accounts(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let endpoint = try Endpoint(backend.url), transport = try kind.makeTransport()
            let login = SymptomSentryClient(baseEndpoint: endpoint, client: HTTPClient(transport: transport))
            let alice = try await login.register(email: "alice@example.com", password: "long enough", name: "Alice")
            let bob = try await login.register(email: "bob@example.com", password: "long enough", name: "Bob")
            let aliceCredentials = Credentials(token: alice.token, accountID: alice.user.id)
            let bobCredentials = Credentials(token: bob.token, accountID: bob.user.id)

            let session = Session(aliceCredentials)
            let interrupted = InterruptedTransport(base: transport, number: 2) {
                // The store is in memory, which never fails.
                try? session.signOut()
                try? session.signIn(bobCredentials)
            }
            let items = try await makeItems(3), journal = try UploadHarness()
            let destination = SymptomSentryClient.Destination(baseEndpoint: endpoint, defaultAnalysisType: .ear)
            let (results, _) = try await journal.upload(
                items, to: destination, HTTPClient(transport: interrupted, session: session))
            #expect(results[0].status == .acknowledged)
            // URLSession does not tell whether the second one was sent whole.
            #expect([.notSent, .outcomeUnknown].contains(results[1].status) && results[2].status == .notSent)
            #expect(results[2].error?.code == .signedOut)

            let client = HTTPClient(transport: transport, session: session)
            let api = SymptomSentryClient(baseEndpoint: endpoint, client: client)
            #expect(try await api.profile().id == bob.user.id)
            #expect(try await api.profile().analysisCount == 0)
            let (own, _) = try await journal.upload(items, to: destination, client)
            #expect(own.allSatisfy { $0.status == .acknowledged && !$0.isFromEarlierRun })
            #expect(try await api.profile().analysisCount == 3)

            try session.signOut()
            try session.signIn(aliceCredentials)
            let (later, _) = try await journal.upload(items, to: destination, client)
            #expect(later[0].status == .acknowledged && later[0].isFromEarlierRun)
            #expect(later[2].status == .acknowledged && !later[2].isFromEarlierRun)
            #expect(try await api.profile().analysisCount <= 3)
            #expect(try await api.profile().id == alice.user.id)
        }
    }
}
