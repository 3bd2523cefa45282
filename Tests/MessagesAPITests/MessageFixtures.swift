import HTTPTestSupport
import HTTPCalls
import HTTPTypes
import MessagesAPI

/// The JSON blocks of the document, with its values.
enum MessageFixtures {
    /// The id of the other user of the conversations.
    static let carlosID = "6844f811e5125c9652a0498f"
    static let ana = user("6844f811e5125c9652a0498c", "Ana Martínez", "ana.martinez@example.com")
    private static let carlos = user(carlosID, "Carlos Rodríguez", "carlos.rodriguez@example.com")
    private static let maria = user("6844f812e5125c9652a04992", "María González", "maria.gonzalez@example.com")

    private static func user(_ id: String, _ name: String, _ email: String) -> String {
        #"{"_id": "\#(id)", "nombre": "\#(name)", "email": "\#(email)"}"#
    }

    static func message(
        id: String = "6844f819e5125c9652a049f3", from: String = ana, to: String = maria, content: String,
        sentAt: String = "2025-06-08T02:40:25.982Z", hasTimes: Bool = true
    ) -> String {
        let times = #", "createdAt": "2025-06-08T02:40:25.983Z", "updatedAt": "2025-06-08T02:40:25.983Z""#
        return #"""
            {"_id": "\#(id)", "from_user_id": \#(from), "to_user_id": \#(to), "content": "\#(content)",
             "sent_at": "\#(sentAt)", "read_at": null, "is_deleted": false, "is_read": false,
             "time_since_sent": "Ahora"\#(hasTimes ? times : "")}
            """#
    }

    /// A message of a conversation between Ana and Carlos, in which `minute` gives the time.
    static func conversationMessage(_ id: String, minute: Int, content: String = "Hola", isFromAna: Bool = true)
        -> String
    {
        message(
            id: id, from: isFromAna ? ana : carlos, to: isFromAna ? carlos : ana, content: content,
            sentAt: "2025-06-08T02:\(minute):00.000Z", hasTimes: false)
    }

    static func page(
        _ messages: [String], otherUser: Bool = false, page: Int = 1, pages: Int = 1, total: Int
    ) -> String {
        #"""
        {"success": true, "data": {"messages": [\#(messages.joined(separator: ","))],
         \#(otherUser ? #""other_user": \#(carlos),"# : "")
         "pagination": \#(pagination(page: page, pages: pages, total: total))}}
        """#
    }

    static func pagination(page: Int, pages: Int, total: Int) -> String {
        #"""
        {"current_page": \#(page), "total_pages": \#(pages), "total_messages": \#(total),
         "has_next": \#(page < pages), "has_prev": \#(page > 1)}
        """#
    }

    static let request = #"{"to_user_id": "6844f811e5125c9652a0498f", "content": "Your message content here"}"#
    static let sent = #"""
        {"success": true, "message": "Mensaje enviado exitosamente",
         "data": {"message": \#(message(content: "Your message content"))}}
        """#
    static let conversation = page(
        [
            message(
                id: "6844f815e5125c9652a049b1", to: carlos,
                content: "Uso el FreeStyle Libre. Es bastante preciso y fácil de usar.",
                sentAt: "2025-06-08T02:40:21.045Z", hasTimes: false)
        ], otherUser: true, total: 5)
    static let list = page([message(content: "Message content here")], total: 10)
    /// The response to sending, with a message of the conversation.
    static func sendResponse(_ message: String) -> TransportResponse {
        .json(#"{"success": true, "data": {"message": \#(message)}}"#)
    }
    static let unreadCount = #"{"success": true, "data": {"unread_count": 5}}"#
    /// The contents of the payloads in the document's block with comments.
    static let payloads = [
        "Hola! Vi que también tienes diabetes. ¿Cómo has estado manejando tus niveles de glucosa últimamente?",
        "¿Has notado algún alimento que te dispare mucho la glucosa?",
        "Caminar después de las comidas me ha ayudado muchísimo. También hago pesas 3 veces por semana.",
        "Uso el FreeStyle Libre. Es bastante preciso y fácil de usar. También me ayuda la app para llevar registro de "
            + "comidas.",
    ]
}

extension MessagesClient {
    /// A client of a signed-in account, without retries.
    init(_ transport: StubTransport) throws {
        var policy = RetryPolicy()
        policy.maxAttempts = 1
        let session = Session(BearerToken("token").map { Credentials(token: $0, accountID: "ana") })
        self.init(
            baseEndpoint: try Endpoint("https://messages.test"),
            client: HTTPClient(transport: transport, session: session, retryPolicy: policy))
    }
}
