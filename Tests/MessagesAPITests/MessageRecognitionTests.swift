import HTTPCalls
import HTTPTestSupport
import HTTPTypes
import MessagesAPI
import Synchronization
import Testing

@MainActor @Suite("Messages that were sent without a confirmation")
struct MessageRecognitionTests {
    private static let carlos = MessageFixtures.carlosID

    @Test("are recognized when they are listed, but not among older ones")
    func olderMessages() async throws {
        let listed = ListedConversation()
        listed.add("old", minute: 20)
        let store = try MessageStore { $0.method == .get ? listed.page : .json(500, "?") }
        try await store.refresh(with: Self.carlos)
        await store.send("Hola", to: Self.carlos)
        #expect(store.deliveries == [.delivered, .unconfirmed])
        listed.add("older", minute: 15)
        try await store.refresh(with: Self.carlos)
        #expect(store.deliveries == [.delivered, .delivered, .unconfirmed])
        listed.add("new", minute: 50)
        try await store.refresh(with: Self.carlos)
        #expect(store.entries(with: Self.carlos).map(\.id) == ["older", "old", "new"])
        #expect(store.deliveries == [.delivered, .delivered, .delivered])
    }

    @Test("are not taken for an older one with the same text in a conversation that was not loaded")
    func unloadedConversation() async throws {
        let listed = ListedConversation()
        listed.add("last month", minute: 10)
        let store = try MessageStore { $0.method == .get ? listed.page : .json(500, "?") }
        await store.send("Hola", to: Self.carlos)
        try await store.refresh(with: Self.carlos)
        #expect(store.deliveries == [.delivered, .unconfirmed])
    }

    @Test("are recognized in a conversation that was empty")
    func emptyConversation() async throws {
        let listed = ListedConversation()
        let store = try MessageStore { $0.method == .get ? listed.page : .json(500, "?") }
        try await store.refresh(with: Self.carlos)
        await store.send("Hola", to: Self.carlos)
        #expect(store.deliveries == [.unconfirmed])
        listed.add("new", minute: 10)
        try await store.refresh(with: Self.carlos)
        #expect(store.entries(with: Self.carlos).map(\.id) == ["new"] && store.deliveries == [.delivered])
    }

    @Test("are recognized if they were listed before the request failed")
    func listedWhileSending() async throws {
        let listed = ListedConversation(), pending = PendingResponse()
        let store = try MessageStore { await $0.method == .get ? listed.page : pending.wait() }
        try await store.refresh(with: Self.carlos)
        let sending = Task { await store.send("Hola", to: Self.carlos) }
        await pending.waitForRequest()
        listed.add("new", minute: 10)
        try await store.refresh(with: Self.carlos)
        #expect(store.deliveries == [.delivered, .sending])
        pending.give(.json(500, "?"))
        _ = await sending.value
        #expect(store.entries(with: Self.carlos).map(\.id) == ["new"] && store.deliveries == [.delivered])
    }

    @Test("are not taken for an equal one that was confirmed")
    func equalMessages() async throws {
        let listed = ListedConversation(), pending = [PendingResponse(), PendingResponse()]
        let count = Mutex(0)
        let store = try MessageStore { request in
            guard request.method == .post else { return listed.page }
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return await pending[number].wait()
        }
        try await store.refresh(with: Self.carlos)
        let first = Task { await store.send("Hola", to: Self.carlos) }
        await pending[0].waitForRequest()
        let second = Task { await store.send("Hola", to: Self.carlos) }
        await pending[1].waitForRequest()
        listed.add("second", minute: 10)
        try await store.refresh(with: Self.carlos)
        pending[0].give(.json(500, "?"))
        _ = await first.value
        #expect(store.deliveries == [.delivered, .unconfirmed, .sending])
        pending[1].give(MessageFixtures.sendResponse(MessageFixtures.conversationMessage("second", minute: 10)))
        #expect(await second.value == "second")
        #expect(store.deliveries == [.delivered, .unconfirmed])
        listed.add("first", minute: 11)
        try await store.refresh(with: Self.carlos)
        #expect(store.entries(with: Self.carlos).map(\.id) == ["second", "first"])
        #expect(store.deliveries == [.delivered, .delivered])
    }
}
