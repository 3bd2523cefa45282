import Foundation
import HTTPTestSupport
import JSONValues
import MessagesAPI
import Testing

@Suite("The document's JSON is decoded and encoded without a change")
struct MessageModelTests {
    private static let blocks = [
        ModelRow(MessagesClient.SendRequest.self, MessageFixtures.request),
        ModelRow(MessagesClient.SendResponse.self, MessageFixtures.sent),
        ModelRow(MessagesClient.MessagesResponse.self, MessageFixtures.conversation),
        ModelRow(MessagesClient.MessagesResponse.self, MessageFixtures.list),
        ModelRow(MessagesClient.UnreadCountResponse.self, MessageFixtures.unreadCount),
    ]

    private static let message = MessageFixtures.message(content: "c").replacing(
        #""read_at": null"#, with: #""read_at": "2025-06-08T02:41:00.000Z""#)
    private static let pagination = MessageFixtures.pagination(page: 1, pages: 2, total: 3)
    private static let parts = [
        ModelRow(MessagesClient.Message.self, message),
        ModelRow(MessagesClient.User.self, MessageFixtures.ana),
        ModelRow(MessagesClient.SentMessage.self, #"{"message": \#(message)}"#),
        ModelRow(MessagesClient.Pagination.self, pagination),
        ModelRow(
            MessagesClient.MessagesData.self,
            #"{"messages": [\#(message)], "other_user": \#(MessageFixtures.ana), "pagination": \#(pagination)}"#),
        ModelRow(MessagesClient.UnreadCount.self, #"{"unread_count": 5}"#),
    ]

    @Test("the five blocks, and their parts", arguments: blocks + parts)
    func roundTrip(_ row: ModelRow) throws {
        let (before, after) = try row.values(as: JSONValue.self)
        #expect(after == before)
    }

    @Test("each model has a fixture, and those of the parts have all members")
    func coverage() throws {
        let names = Set((Self.blocks + Self.parts).map(\.description))
        #expect(try names == ModuleSource.codableStructures(in: "MessagesAPI"))
        for row in Self.parts { #expect(try row.findAbsentMembers().isEmpty, "\(row)") }
    }

    @Test("the payloads of the block with comments", arguments: MessageFixtures.payloads)
    func payloads(_ content: String) throws {
        let row = ModelRow(
            MessagesClient.SendRequest.self, #"{"to_user_id": "user_id_here", "content": "\#(content)"}"#)
        let (before, after) = try row.values(as: JSONValue.self)
        #expect(after == before)
        let request = try JSONDecoder().decode(MessagesClient.SendRequest.self, from: row.json)
        #expect(request == MessagesClient.SendRequest(toUserID: "user_id_here", content: content))
    }

    @Test("read_at is null while a message is unread, and absent times stay absent")
    func nullAndAbsentMembers() throws {
        let row = ModelRow(MessagesClient.Message.self, MessageFixtures.conversationMessage("m", minute: 40))
        guard case .object(let members) = try row.values(as: JSONValue.self).after else {
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
            isRead: true, timeSinceSent: "t", createdAt: "k", updatedAt: "u")
        let row = ModelRow(
            MessagesClient.Message.self,
            #"""
            {"_id": "2", "from_user_id": {"_id": "1", "nombre": "N", "email": "e"},
             "to_user_id": {"_id": "1", "nombre": "N", "email": "e"}, "content": "c", "sent_at": "s", "read_at": "r",
             "is_deleted": true, "is_read": true, "time_since_sent": "t", "createdAt": "k", "updatedAt": "u"}
            """#)
        #expect(try JSONDecoder().decode(MessagesClient.Message.self, from: row.json) == message)
        let (before, after) = try row.values(as: JSONValue.self)
        #expect(after == before)
    }
}
