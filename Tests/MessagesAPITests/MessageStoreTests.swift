import HTTPTestSupport
import HTTPCalls
import HTTPTypes
import MessagesAPI
import Observation
import Synchronization
import Testing

@MainActor @Suite("The store of messages")
struct MessageStoreTests {
    private static let carlos = MessageFixtures.carlosID

    @Test("pages are in the order of time, without duplicates, until the last")
    func pagingAndOrder() async throws {
        let store = try MessageStore { request in
            // The newest first. A message that arrived between the requests moved one to the second page.
            let isSecond = "\(request.endpoint)".contains("page=2")
            let messages = isSecond ? [("b", 31), ("a", 30)] : [("c", 32), ("b", 31)]
            return .json(
                MessageFixtures.page(
                    messages.map { MessageFixtures.conversationMessage($0, minute: $1) }, otherUser: true,
                    page: isSecond ? 2 : 1, pages: 2, total: 3))
        }
        #expect(store.hasOlder(with: Self.carlos) && store.entries(with: Self.carlos).isEmpty)
        try await store.loadOlder(with: Self.carlos)
        #expect(store.entries(with: Self.carlos).map(\.id) == ["b", "c"])
        try await store.loadOlder(with: Self.carlos)
        #expect(store.entries(with: Self.carlos).map(\.id) == ["a", "b", "c"])
        #expect(!store.hasOlder(with: Self.carlos) && !store.isLoading(with: Self.carlos))
        #expect(store.otherUser(Self.carlos)?.nombre == "Carlos Rodríguez")
        try await store.loadOlder(with: Self.carlos)
        try await store.refresh(with: Self.carlos)
        #expect(store.entries(with: Self.carlos).map(\.id) == ["a", "b", "c"] && !store.hasOlder(with: Self.carlos))
    }

    @Test("a page that fails is requested again")
    func failedPage() async throws {
        let count = Mutex(0)
        let store = try MessageStore { _ in
            let isFirst = count.withLock {
                $0 += 1; return $0 == 1
            }
            return isFirst ? .json(404, "{}") : .json(MessageFixtures.conversation)
        }
        await #expect(throws: CallError.self) { try await store.loadOlder(with: Self.carlos) }
        #expect(store.hasOlder(with: Self.carlos) && !store.isLoading(with: Self.carlos))
        try await store.loadOlder(with: Self.carlos)
        #expect(store.entries(with: Self.carlos).count == 1)
    }

    @Test("a message is listed while it is sent, and takes the server's id")
    func optimisticSending() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let store = try MessageStore { _ in
            start.yield()
            for await _ in released { break }
            return .json(MessageFixtures.sent)
        }
        let sending = Task { await store.send("Hola", to: Self.carlos) }
        for await _ in started { break }
        let entries = store.entries(with: Self.carlos)
        #expect(entries.map(\.content) == ["Hola"] && entries.map(\.delivery) == [.sending])
        #expect(entries[0].message == nil)
        release.yield()
        #expect(await sending.value == "6844f819e5125c9652a049f3")
        #expect(store.entries(with: Self.carlos).map(\.delivery) == [.delivered])
        #expect(store.entries(with: Self.carlos).map(\.id) == ["6844f819e5125c9652a049f3"])
    }

    @Test("a refused message shows the reason, and can be sent again or discarded")
    func failedSending() async throws {
        let isRefusing = Mutex(true)
        let store = try MessageStore { _ in
            isRefusing.withLock { $0 }
                ? .json(403, #"{"success": false, "message": "Bloqueado"}"#) : .json(MessageFixtures.sent)
        }
        let id = await store.send("Hola", to: Self.carlos)
        #expect(store.entries(with: Self.carlos).map(\.delivery) == [.failed(reason: "Bloqueado")])
        let other = await store.send("Adiós", to: Self.carlos)
        store.discard(entryID: other, to: Self.carlos)
        #expect(store.entries(with: Self.carlos).map(\.id) == [id])
        isRefusing.withLock { $0 = false }
        await store.sendAgain(entryID: id, to: Self.carlos)
        #expect(store.entries(with: Self.carlos).map(\.delivery) == [.delivered])
    }

    @Test("changes can be observed")
    func observation() async throws {
        let store = try MessageStore { _ in .json(MessageFixtures.unreadCount) }
        let hasChanged = Mutex(false)
        withObservationTracking {
            _ = store.unreadCount
        } onChange: {
            hasChanged.withLock { $0 = true }
        }
        try await store.refreshUnreadCount()
        #expect(hasChanged.withLock { $0 } && store.unreadCount == 5)
    }

    @Test("a store needs an account, and never sends with another one")
    func accounts() async throws {
        let session = Session()
        let client = MessagesClient(
            baseEndpoint: try Endpoint("https://messages.test"),
            client: HTTPClient(transport: StubTransport(MessageFixtures.unreadCount), session: session))
        #expect(throws: CallError.self) { try MessageStore(client: client) }
        let ana = try #require(BearerToken("a")), carlos = try #require(BearerToken("c"))
        try session.signIn(Credentials(token: ana, accountID: "ana"))
        let store = try MessageStore(client: client)
        try session.signIn(Credentials(token: carlos, accountID: "carlos"))
        let error = await #expect(throws: CallError.self) { try await store.refreshUnreadCount() }
        #expect(error?.code == .signedOut)
    }
}
