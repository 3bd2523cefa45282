import Foundation
import JSONValues
import MessagesAPI
import Testing

@Suite("The document's JSON is decoded and encoded without a change")
struct MessageModelTests {
    private func reencode<Model: Codable>(_ type: Model.Type, _ json: String) throws -> JSONValue {
        let model = try JSONDecoder().decode(type, from: Data(json.utf8))
        return try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(model))
    }

    private func value(_ json: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    }

    @Test("the five blocks")
    func blocks() throws {
        let fixtures = MessageFixtures.self
        #expect(try reencode(MessagesClient.SendRequest.self, fixtures.request) == value(fixtures.request))
        #expect(try reencode(MessagesClient.SendResponse.self, fixtures.sent) == value(fixtures.sent))
        #expect(
            try reencode(MessagesClient.MessagesResponse.self, fixtures.conversation) == value(fixtures.conversation))
        #expect(try reencode(MessagesClient.MessagesResponse.self, fixtures.list) == value(fixtures.list))
        #expect(
            try reencode(MessagesClient.UnreadCountResponse.self, fixtures.unreadCount) == value(fixtures.unreadCount))
    }

    @Test("the payloads of the block with comments", arguments: MessageFixtures.payloads)
    func payloads(_ content: String) throws {
        let json = #"{"to_user_id": "user_id_here", "content": "\#(content)"}"#
        #expect(try reencode(MessagesClient.SendRequest.self, json) == value(json))
        let request = try JSONDecoder().decode(MessagesClient.SendRequest.self, from: Data(json.utf8))
        #expect(request == MessagesClient.SendRequest(toUserID: "user_id_here", content: content))
    }

    @Test("read_at is null while a message is unread, and absent times stay absent")
    func nullAndAbsentMembers() throws {
        let json = MessageFixtures.conversationMessage("m", minute: 40)
        guard case .object(let members) = try reencode(MessagesClient.Message.self, json) else {
            Issue.record("no object")
            return
        }
        #expect(members["read_at"] == .null)
        #expect(members["createdAt"] == nil && members["updatedAt"] == nil)
        #expect(members.count == 9)
    }

    @Test(
        "the time of sending is a date, if it is readable",
        arguments: [("2025-06-08T02:40:21.045Z", true), ("Ahora", false)])
    func sentDate(_ text: String, _ isReadable: Bool) throws {
        let json = MessageFixtures.message(content: "a", sentAt: text)
        let message = try JSONDecoder().decode(MessagesClient.Message.self, from: Data(json.utf8))
        #expect((message.sentDate != nil) == isReadable)
        if isReadable { #expect(abs((message.sentDate?.timeIntervalSince1970 ?? 0) - 1_749_350_421.045) < 0.001) }
    }

    @Test("every key of the document is the key of its property")
    func keys() throws {
        let user = MessagesClient.User(id: "1", nombre: "N", email: "e")
        let message = MessagesClient.Message(
            id: "2", fromUser: user, toUser: user, content: "c", sentAt: "s", readAt: "r", isDeleted: true,
            isRead: true,
            timeSinceSent: "t", createdAt: "k", updatedAt: "u")
        let json = #"""
            {"_id": "2", "from_user_id": {"_id": "1", "nombre": "N", "email": "e"},
             "to_user_id": {"_id": "1", "nombre": "N", "email": "e"}, "content": "c", "sent_at": "s", "read_at": "r",
             "is_deleted": true, "is_read": true, "time_since_sent": "t", "createdAt": "k", "updatedAt": "u"}
            """#
        #expect(try JSONDecoder().decode(MessagesClient.Message.self, from: Data(json.utf8)) == message)
        #expect(try reencode(MessagesClient.Message.self, json) == value(json))
    }
}
