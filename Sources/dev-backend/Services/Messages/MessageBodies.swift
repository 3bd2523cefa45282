internal import Foundation
internal import GRDB

/// The bodies of requests and responses, with the document's keys.
enum MessageBodies {
    struct Success<Content: Encodable>: Encodable {
        var success = true
        var message: String?
        var data: Content
    }

    struct SendRequest: Decodable, Sendable {
        var to_user_id: String?
        var content: String?
    }

    struct Login: Encodable {
        var token: String
        var user: Person
    }

    struct Sent: Encodable { var message: StoredMessage }

    struct UnreadCount: Encodable { var unread_count: Int }

    struct MessagesData: Encodable {
        var messages: [StoredMessage]
        var other_user: Person?
        var pagination: Pagination
    }

    struct Pagination: Encodable {
        var current_page: Int
        var total_pages: Int
        var total_messages: Int
        var has_next: Bool
        var has_prev: Bool
    }
}

/// A user of the messages.
struct Person: Encodable {
    var _id: String
    var nombre: String
    var email: String

    /// Reads a user.
    ///
    /// - Throws: `not-found`.
    static func find(_ id: String, in database: Database) throws -> Person {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM person WHERE id = ?", arguments: [id]) else {
            throw ErrorResponse.notFound
        }
        return Person(_id: row["id"], nombre: row["name"], email: row["email"])
    }

    /// Reads the user of an account: the first one if the token is valid for all.
    static func owner(of account: Account, in database: Database) throws -> Person {
        let first = { try String.fetchOne(database, sql: "SELECT id FROM person ORDER BY rowid") ?? "" }
        return try find(try account.owner ?? first(), in: database)
    }
}

/// A message as it is encoded.
struct StoredMessage: Encodable {
    var _id: String
    var from_user_id: Person
    var to_user_id: Person
    var content: String
    var sent_at: String
    var read_at: String?
    /// The times of creation and change, which the document's conversations lack; `nil` to omit them.
    var createdAt: String?

    private enum CodingKeys: CodingKey {
        case _id, from_user_id, to_user_id, content, sent_at, read_at, is_deleted, is_read, time_since_sent, createdAt
        case updatedAt
    }

    /// Reads a message.
    ///
    /// - Parameter hasTimes: Whether the times of creation and change are encoded.
    /// - Throws: `not-found`.
    static func find(_ id: String, hasTimes: Bool, in database: Database) throws -> StoredMessage {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM message WHERE id = ?", arguments: [id]) else {
            throw ErrorResponse.notFound
        }
        return StoredMessage(
            _id: id, from_user_id: try Person.find(row["sender"], in: database),
            to_user_id: try Person.find(row["recipient"], in: database), content: row["content"], sent_at: row["sent"],
            read_at: row["read"], createdAt: hasTimes ? row["sent"] : nil)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(_id, forKey: ._id)
        try values.encode(from_user_id, forKey: .from_user_id)
        try values.encode(to_user_id, forKey: .to_user_id)
        try values.encode(content, forKey: .content)
        try values.encode(sent_at, forKey: .sent_at)
        // `null` while the message is unread.
        try values.encode(read_at, forKey: .read_at)
        try values.encode(false, forKey: .is_deleted)
        try values.encode(read_at != nil, forKey: .is_read)
        try values.encode("Ahora", forKey: .time_since_sent)
        try values.encodeIfPresent(createdAt, forKey: .createdAt)
        try values.encodeIfPresent(createdAt.map { read_at ?? $0 }, forKey: .updatedAt)
    }
}
