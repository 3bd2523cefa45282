import HTTPTestSupport
import HTTPCalls
import HTTPTypes
import MessagesAPI
import Testing

@Suite("The calls of the messages API")
struct MessagesClientTests {
    private static let base = "https://messages.test/api/messages"

    @Test("a message is sent, and the answer is data.message")
    func sending() async throws {
        let transport = StubTransport(MessageFixtures.sent)
        let message = try await MessagesClient(transport).send("¿Cómo \"estás\"?", to: "6844f811e5125c9652a0498f")
        #expect(message.id == "6844f819e5125c9652a049f3" && message.toUser.nombre == "María González")
        #expect(transport.calls == ["POST \(Self.base)"])
        let request = try #require(transport.requests.first)
        #expect(request.headerFields == [.accept: "application/json"])
        #expect(request.head.path == "/api/messages" && request.head.authority == "messages.test")
        #expect(request.bearerToken == BearerToken("token") && request.timeout == .seconds(30))
    }

    @Test(
        "lists have the document's queries",
        arguments: [
            (nil, nil, nil, ""), (nil, 1, 20, "?page=1&limit=20"), (.unread, nil, nil, "?unread_only=true"),
            (.sent, nil, nil, "?sent_only=true"), (.received, nil, nil, "?received_only=true"),
            (.unread, 1, 10, "?unread_only=true&page=1&limit=10"),
        ] as [(MessagesClient.Filter?, Int?, Int?, String)])
    func lists(_ filter: MessagesClient.Filter?, _ page: Int?, _ limit: Int?, _ query: String) async throws {
        let transport = StubTransport(MessageFixtures.list)
        let data = try await MessagesClient(transport).messages(filter, page: page, limit: limit)
        #expect(data.pagination.totalMessages == 10 && data.otherUser == nil && data.messages.count == 1)
        #expect(transport.calls == ["GET \(Self.base)\(query)"])
    }

    @Test(
        "conversations have the document's path and query",
        arguments: [
            ("6844f811e5125c9652a0498f", nil, nil, "/6844f811e5125c9652a0498f"),
            ("6844", 2, 25, "/6844?page=2&limit=25"), ("6844", 1, 50, "/6844?page=1&limit=50"),
            ("a/b?c", nil, nil, "/a%2Fb%3Fc"),
        ] as [(String, Int?, Int?, String)])
    func conversations(_ user: String, _ page: Int?, _ limit: Int?, _ path: String) async throws {
        let transport = StubTransport(MessageFixtures.conversation)
        let data = try await MessagesClient(transport).conversation(with: user, page: page, limit: limit)
        #expect(data.otherUser?.nombre == "Carlos Rodríguez")
        #expect(transport.calls == ["GET \(Self.base)/conversation\(path)"])
    }

    @Test("the number of unread messages, and the assumed calls")
    func otherCalls() async throws {
        let transport = StubTransport(MessageFixtures.unreadCount, MessageFixtures.sent)
        let client = try MessagesClient(transport)
        #expect(try await client.unreadCount() == 5)
        #expect(try await client.markAsRead(messageID: "m/1").id == "6844f819e5125c9652a049f3")
        #expect(transport.calls == ["GET \(Self.base)/unread-count", "PUT \(Self.base)/m%2F1/read"])
    }

    @Test(
        "nothing is sent without a content or with an id that would change the path", arguments: ["", " ", ".", ".."])
    func invalidArguments(_ id: String) async throws {
        let transport = StubTransport(MessageFixtures.sent)
        let client = try MessagesClient(transport)
        await #expect(throws: CallError.self) { try await client.send("a", to: id) }
        await #expect(throws: CallError.self) { try await client.send(" \n", to: "a") }
        await #expect(throws: CallError.self) { try await client.conversation(with: id) }
        await #expect(throws: CallError.self) { try await client.markAsRead(messageID: id) }
        #expect(transport.requests.isEmpty)
    }

    @Test("pages are requested one after another until the last", arguments: [false, true])
    func pages(_ isConversation: Bool) async throws {
        let transport = StubTransport { request in
            let page = String("\(request.endpoint)".suffix(9)) == "2&limit=1" ? 2 : 1
            let message = MessageFixtures.message(id: "\(page)", content: "a")
            return .json(MessageFixtures.page([message], page: page, pages: 2, total: 2))
        }
        let client = try MessagesClient(transport)
        let pages = isConversation ? client.conversationPages(with: "u", limit: 1) : client.messagePages(limit: 1)
        var ids: [[String]] = []
        for try await page in pages { ids.append(page.items.map(\.id)) }
        #expect(ids == [["1"], ["2"]] && transport.requests.count == 2)
        #expect(try await pages.collectItems(upTo: 1).map(\.id) == ["1"])
    }

    @Test(
        "errors have the server's message and a code",
        arguments: [
            (400, #"{"success": false, "message": "Falta el contenido"}"#, "refused", "Falta el contenido"),
            (200, #"{"success": false, "message": "No se pudo enviar"}"#, "refused", "No se pudo enviar"),
            (404, #"{"success": false, "message": "Usuario no encontrado"}"#, "refused", "Usuario no encontrado"),
            (401, "{}", "unauthorized", "the server answered 401"), (500, "<html>", "outcome-unknown", nil),
            (200, "<html>", "outcome-unknown", nil), (200, #"{"success": true, "data": {}}"#, "outcome-unknown", nil),
        ] as [(Int, String, String, String?)])
    func errors(_ status: Int, _ body: String, _ code: String, _ text: String?) async throws {
        let client = try MessagesClient(StubTransport { _ in .json(status, body) })
        let error = await #expect(throws: CallError.self) { try await client.send("a", to: "b") }
        #expect(error?.code.rawValue == code)
        if let text { #expect(error?.errorDescription == text) }
    }
}
