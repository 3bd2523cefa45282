import HTTPCalls
import HTTPTestSupport
import HTTPTypes
import MessagesAPI
import Testing

@Suite("Messages: the requests, byte by byte")
struct MessageRequestTests {
    private static let login = """
        {"success":true,"data":{"token":"t","user":{"_id":"u","nombre":"Ana","email":"a@b"}}}
        """

    private static let calls: [RecordedCall<MessagesClient>] = [
        RecordedCall(
            "login", login,
            recorded("POST /v1/api/auth/login", hasToken: false, json: #"{"email":"a@b","password":"p"}"#)
        ) { _ = try await $0.login(email: "a@b", password: "p") },
        RecordedCall(
            "send", MessageFixtures.sent,
            recorded(
                "POST /v1/api/messages",
                json: #"{"content":"¿Cómo \"estás\"?/","to_user_id":"6844f811e5125c9652a0498f"}"#)
        ) { _ = try await $0.send("¿Cómo \"estás\"?/", to: "6844f811e5125c9652a0498f") },
        RecordedCall("messages", MessageFixtures.list, recorded("GET /v1/api/messages")) {
            _ = try await $0.messages()
        },
        RecordedCall(
            "messages that are unread", MessageFixtures.list,
            recorded("GET /v1/api/messages?unread_only=true&page=1&limit=10")
        ) { _ = try await $0.messages(.unread, page: 1, limit: 10) },
        RecordedCall(
            "messages that were sent", MessageFixtures.list, recorded("GET /v1/api/messages?sent_only=true")
        ) { _ = try await $0.messages(.sent) },
        RecordedCall(
            "messages that were received", MessageFixtures.list, recorded("GET /v1/api/messages?received_only=true")
        ) { _ = try await $0.messages(.received) },
        RecordedCall(
            "conversation", MessageFixtures.conversation,
            recorded("GET /v1/api/messages/conversation/u%2F1?page=2&limit=25")
        ) { _ = try await $0.conversation(with: "u/1", page: 2, limit: 25) },
        RecordedCall("unreadCount", MessageFixtures.unreadCount, recorded("GET /v1/api/messages/unread-count")) {
            _ = try await $0.unreadCount()
        },
        RecordedCall("markAsRead", MessageFixtures.sent, recorded("PUT /v1/api/messages/m%2F1/read")) {
            _ = try await $0.markAsRead(messageID: "m/1")
        },
    ]

    @Test("are as recorded", arguments: calls)
    func requests(_ call: RecordedCall<MessagesClient>) async throws {
        let transport = StubTransport(call.answers)
        try await call.perform(MessagesClient(baseEndpoint: .test, client: HTTPClient(stub: transport)))
        #expect(transport.transcripts == call.requests)
    }

    @Test("are recorded for each call")
    func coverage() throws {
        let functions = try ModuleSource.asyncFunctions(in: "MessagesAPI", except: ["MessageStore"])
        // Pages are those of `messages` and `conversation`.
        #expect(functions == Set(Self.calls.map(\.name)))
    }
}
