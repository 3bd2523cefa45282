import HTTPTestSupport
import HTTPCalls
import KSRCranesAPI
import MessagesAPI
import Testing

@Suite("Messages over HTTP")
struct MessagesFlowTests {
    private struct User {
        var client: MessagesClient
        var id: String
        var session: Session
    }

    private func signIn(_ email: String, _ backend: RunningBackend, _ kind: TransportKind) async throws -> User {
        let session = Session()
        let client = MessagesClient(
            baseEndpoint: try Endpoint(backend.url),
            client: HTTPClient(transport: try kind.makeTransport(), session: session))
        let login = try await client.login(email: email, password: "correct horse")
        try session.signIn(Credentials(token: login.token, accountID: login.user.id))
        return User(client: client, id: login.user.id, session: session)
    }

    @Test("two users send, list, count and read messages", arguments: TransportKind.allCases)
    func conversation(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let ana = try await signIn("ana.martinez@example.com", backend, kind)
            let carlos = try await signIn("carlos.rodriguez@example.com", backend, kind)
            #expect(ana.id == "6844f811e5125c9652a0498c" && carlos.id == "6844f811e5125c9652a0498f")
            let unread = try await carlos.client.unreadCount()
            let sent = try await ana.client.send("¿Cómo estás? 🩺", to: carlos.id)
            #expect(sent.fromUser.nombre == "Ana Martínez" && sent.readAt == nil && sent.createdAt != nil)
            #expect(try await carlos.client.unreadCount() == unread + 1)
            let conversation = try await carlos.client.conversation(with: ana.id, page: 1, limit: 1)
            #expect(conversation.messages.map(\.content) == ["¿Cómo estás? 🩺"])
            #expect(conversation.messages[0].createdAt == nil && conversation.otherUser?.id == ana.id)
            #expect(conversation.pagination.hasNext && conversation.pagination.totalMessages == 3)
            let all = try await carlos.client.conversationPages(with: ana.id, limit: 2).collectItems()
            #expect(all.count == 3 && Set(all.map(\.id)).count == 3)
            #expect(try await carlos.client.messages(.sent).messages.allSatisfy { $0.fromUser.id == carlos.id })
            #expect(try await carlos.client.messages(.received).messages.allSatisfy { $0.toUser.id == carlos.id })
            #expect(try await carlos.client.messages(.unread, page: 1, limit: 10).messages.count == unread + 1)
            #expect(try await carlos.client.markAsRead(messageID: sent.id).isRead)
            #expect(try await carlos.client.unreadCount() == unread)
        }
    }

    @Test("a token belongs to one user of one service", arguments: TransportKind.allCases)
    func tokens(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let ana = try await signIn("ana.martinez@example.com", backend, kind)
            let http = HTTPClient(transport: try kind.makeTransport(), session: ana.session)
            let cranes = KSRCranesClient(baseEndpoint: try Endpoint(backend.url), client: http)
            let error = await #expect(throws: KSRCranesError.self) { try await cranes.profile() }
            guard case .authenticationError? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
