internal import HTTPCalls

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MessagesClient {
    /// A message between two users.
    ///
    /// Times are kept as the server wrote them, so that a message is encoded as it was decoded; ``sentDate`` is the
    /// time of sending as a date.
    public struct Message: Codable, Hashable, Identifiable, Sendable {
        /// The message's id.
        public var id: String
        /// The sender.
        public var fromUser: User
        /// The recipient.
        public var toUser: User
        /// The text.
        public var content: String
        /// The time of sending, such as `2025-06-08T02:40:25.982Z`.
        public var sentAt: String
        /// The time of reading; `nil` if the message is unread. It is encoded as `null` then.
        public var readAt: String?
        /// Whether the message was deleted.
        public var isDeleted: Bool
        /// Whether the recipient has read the message.
        public var isRead: Bool
        /// The time since sending in the server's words, such as `Ahora`; `nil` if the server did not include it.
        public var timeSinceSent: String?
        /// The time of creation; `nil` in conversations, which lack it. It is left out then.
        public var createdAt: String?
        /// The time of the last change; `nil` in conversations, which lack it. It is left out then.
        public var updatedAt: String?

        /// Creates a message.
        ///
        /// - Parameters:
        ///   - id: The message's id.
        ///   - fromUser: The sender.
        ///   - toUser: The recipient.
        ///   - content: The text.
        ///   - sentAt: The time of sending, such as `2025-06-08T02:40:25.982Z`.
        ///   - readAt: The time of reading; `nil` if the message is unread.
        ///   - isDeleted: Whether the message was deleted.
        ///   - isRead: Whether the recipient has read the message.
        ///   - timeSinceSent: The time since sending in the server's words, such as `Ahora`; `nil` if the server did
        ///     not include it.
        ///   - createdAt: The time of creation; `nil` in conversations, which lack it.
        ///   - updatedAt: The time of the last change; `nil` in conversations, which lack it.
        public init(
            id: String, fromUser: User, toUser: User, content: String, sentAt: String, readAt: String? = nil,
            isDeleted: Bool = false, isRead: Bool = false, timeSinceSent: String? = nil, createdAt: String? = nil,
            updatedAt: String? = nil
        ) {
            self.id = id
            self.fromUser = fromUser
            self.toUser = toUser
            self.content = content
            self.sentAt = sentAt
            self.readAt = readAt
            self.isDeleted = isDeleted
            self.isRead = isRead
            self.timeSinceSent = timeSinceSent
            self.createdAt = createdAt
            self.updatedAt = updatedAt
        }

        private enum CodingKeys: String, CodingKey {
            case content, createdAt, updatedAt
            case id = "_id"
            case fromUser = "from_user_id"
            case toUser = "to_user_id"
            case sentAt = "sent_at"
            case readAt = "read_at"
            case isDeleted = "is_deleted"
            case isRead = "is_read"
            case timeSinceSent = "time_since_sent"
        }

        /// The time of sending; `nil` if it is unreadable.
        public var sentDate: Date? { RFC3339Timestamp(sentAt)?.date }

        /// Encodes the message. `read_at` is always present.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(id, forKey: .id)
            try values.encode(fromUser, forKey: .fromUser)
            try values.encode(toUser, forKey: .toUser)
            try values.encode(content, forKey: .content)
            try values.encode(sentAt, forKey: .sentAt)
            try values.encode(readAt, forKey: .readAt)
            try values.encode(isDeleted, forKey: .isDeleted)
            try values.encode(isRead, forKey: .isRead)
            try values.encodeIfPresent(timeSinceSent, forKey: .timeSinceSent)
            try values.encodeIfPresent(createdAt, forKey: .createdAt)
            try values.encodeIfPresent(updatedAt, forKey: .updatedAt)
        }
    }

    /// A user.
    public struct User: Codable, Hashable, Identifiable, Sendable {
        /// The user's id.
        public var id: String
        /// The name, under the key of the Spanish API.
        public var nombre: String
        /// The e-mail address.
        public var email: String

        /// Creates a user.
        ///
        /// - Parameters:
        ///   - id: The user's id.
        ///   - nombre: The name, under the key of the Spanish API.
        ///   - email: The e-mail address.
        public init(id: String, nombre: String, email: String) {
            self.id = id
            self.nombre = nombre
            self.email = email
        }

        private enum CodingKeys: String, CodingKey {
            case nombre, email
            case id = "_id"
        }
    }
}
