import HTTPCalls
import HTTPTestSupport
import HTTPTypes
import MessagesAPI
import Testing

@MainActor @Suite("The badge, and messages that are marked as read")
struct MessageReadingTests {
    private static let carlos = MessageFixtures.carlosID

    private var unread: ListedConversation {
        ListedConversation(MessageFixtures.conversationMessage("m", minute: 40, isFromAna: false))
    }

    /// Creates a store of a conversation, with a badge of 5.
    private func makeStore(
        _ listed: ListedConversation, read: @escaping @Sendable () async -> TransportResponse
    ) async throws -> MessageStore {
        let store = try MessageStore { request in
            if request.method == .put { return await read() }
            return "\(request.endpoint)".hasSuffix("unread-count") ? .json(MessageFixtures.unreadCount) : listed.page
        }
        #expect(store.unreadCount == nil)
        try await store.refreshUnreadCount()
        try await store.refresh(with: Self.carlos)
        return store
    }

    private func message(of store: MessageStore) -> MessagesClient.Message? {
        store.entries(with: Self.carlos).first?.message
    }

    @Test("reading a message lowers the badge, and a failure restores both", arguments: [true, false])
    func unreadBadge(_ fails: Bool) async throws {
        let store = try await makeStore(unread) {
            let read = MessageFixtures.conversationMessage("m", minute: 40, isFromAna: false)
                .replacing(#""is_read": false"#, with: #""is_read": true"#)
            return fails ? .json(404, "{}") : MessageFixtures.sendResponse(read)
        }
        do {
            try await store.markAsRead(messageID: "m", with: Self.carlos)
            #expect(!fails)
            // A second time has no effect.
            try await store.markAsRead(messageID: "m", with: Self.carlos)
        } catch { #expect(fails) }
        #expect(store.unreadCount == (fails ? 5 : 4) && message(of: store)?.isRead == !fails)
    }

    @Test("a message that the user sent is not marked")
    func ownMessage() async throws {
        let listed = ListedConversation(MessageFixtures.conversationMessage("m", minute: 40))
        let store = try await makeStore(listed) {
            Issue.record("the server was asked")
            return .json(404, "{}")
        }
        try await store.markAsRead(messageID: "m", with: Self.carlos)
        #expect(store.unreadCount == 5 && message(of: store)?.isRead == false)
    }

    @Test("a failure does not change a badge that was requested meanwhile")
    func refreshedBadge() async throws {
        let pending = PendingResponse()
        let store = try await makeStore(unread) { await pending.wait() }
        let marking = Task { try await store.markAsRead(messageID: "m", with: Self.carlos) }
        await pending.waitForRequest()
        #expect(store.unreadCount == 4 && message(of: store)?.isRead == true)
        try await store.refreshUnreadCount()
        pending.give(.json(404, "{}"))
        await #expect(throws: CallError.self) { try await marking.value }
        #expect(store.unreadCount == 5 && message(of: store)?.isRead == false)
    }

    @Test("a failure does not change a message that was requested meanwhile")
    func refreshedMessage() async throws {
        let listed = unread, pending = PendingResponse()
        let store = try await makeStore(listed) { await pending.wait() }
        let marking = Task { try await store.markAsRead(messageID: "m", with: Self.carlos) }
        await pending.waitForRequest()
        // Another device has marked it.
        listed.replace(#""read_at": null"#, with: #""read_at": "2025-06-08T02:41:00.000Z""#)
        listed.replace(#""is_read": false"#, with: #""is_read": true"#)
        try await store.refresh(with: Self.carlos)
        pending.give(.json(404, "{}"))
        await #expect(throws: CallError.self) { try await marking.value }
        #expect(message(of: store)?.isRead == true && message(of: store)?.readAt == "2025-06-08T02:41:00.000Z")
    }
}
