extension MessagesClient {
    /// The body of the call that sends a message.
    public struct SendRequest: Codable, Hashable, Sendable {
        /// The recipient's id.
        public var toUserID: String
        /// The text.
        public var content: String

        /// Creates a send request.
        ///
        /// - Parameters:
        ///   - toUserID: The recipient's id.
        ///   - content: The text.
        public init(toUserID: String, content: String) {
            self.toUserID = toUserID
            self.content = content
        }

        private enum CodingKeys: String, CodingKey {
            case content
            case toUserID = "to_user_id"
        }
    }

    /// The response to sending a message.
    ///
    /// The document's Swift takes the first of `data.messages`, which its JSON does not have: the message is
    /// `data.message`.
    public struct SendResponse: Codable, Hashable, Sendable {
        /// Whether the message was sent.
        public var success: Bool
        /// A sentence for the user; `nil` if there is none.
        public var message: String?
        /// The content.
        public var data: SentMessage

        /// Creates a send response.
        ///
        /// - Parameters:
        ///   - success: Whether the message was sent.
        ///   - message: A sentence for the user; `nil` if there is none.
        ///   - data: The content.
        public init(success: Bool, message: String? = nil, data: SentMessage) {
            self.success = success
            self.message = message
            self.data = data
        }

        private enum CodingKeys: CodingKey { case success, message, data }
    }

    /// The content of a ``SendResponse``.
    public struct SentMessage: Codable, Hashable, Sendable {
        /// The message as the server stored it.
        public var message: Message

        /// Creates a sent message.
        ///
        /// - Parameter message: The message as the server stored it.
        public init(message: Message) {
            self.message = message
        }

        private enum CodingKeys: CodingKey { case message }
    }

    /// The response with a page of messages.
    public struct MessagesResponse: Codable, Hashable, Sendable {
        /// Whether the call succeeded.
        public var success: Bool
        /// The content.
        public var data: MessagesData

        /// Creates a messages response.
        ///
        /// - Parameters:
        ///   - success: Whether the call succeeded.
        ///   - data: The content.
        public init(success: Bool, data: MessagesData) {
            self.success = success
            self.data = data
        }

        private enum CodingKeys: CodingKey { case success, data }
    }

    /// A page of messages.
    public struct MessagesData: Codable, Hashable, Sendable {
        /// The messages, in the server's order.
        public var messages: [Message]
        /// The other user of a conversation; `nil` in a list of messages.
        public var otherUser: User?
        /// The place of the page in the list.
        public var pagination: Pagination

        /// Creates a page of messages.
        ///
        /// - Parameters:
        ///   - messages: The messages, in the server's order.
        ///   - otherUser: The other user of a conversation; `nil` in a list of messages.
        ///   - pagination: The place of the page in the list.
        public init(messages: [Message], otherUser: User? = nil, pagination: Pagination) {
            self.messages = messages
            self.otherUser = otherUser
            self.pagination = pagination
        }

        private enum CodingKeys: String, CodingKey {
            case messages, pagination
            case otherUser = "other_user"
        }
    }

    /// The place of a page in a list.
    public struct Pagination: Codable, Hashable, Sendable {
        /// The number of the page, from 1.
        public var currentPage: Int
        /// The number of pages.
        public var totalPages: Int
        /// The number of messages on all pages.
        public var totalMessages: Int
        /// Whether there is a next page.
        public var hasNext: Bool
        /// Whether there is a previous page.
        public var hasPrevious: Bool

        /// Creates a pagination.
        ///
        /// - Parameters:
        ///   - currentPage: The number of the page, from 1.
        ///   - totalPages: The number of pages.
        ///   - totalMessages: The number of messages on all pages.
        ///   - hasNext: Whether there is a next page.
        ///   - hasPrevious: Whether there is a previous page.
        public init(currentPage: Int, totalPages: Int, totalMessages: Int, hasNext: Bool, hasPrevious: Bool) {
            self.currentPage = currentPage
            self.totalPages = totalPages
            self.totalMessages = totalMessages
            self.hasNext = hasNext
            self.hasPrevious = hasPrevious
        }

        private enum CodingKeys: String, CodingKey {
            case currentPage = "current_page"
            case totalPages = "total_pages"
            case totalMessages = "total_messages"
            case hasNext = "has_next"
            case hasPrevious = "has_prev"
        }
    }

    /// The response with the number of unread messages.
    public struct UnreadCountResponse: Codable, Hashable, Sendable {
        /// Whether the call succeeded.
        public var success: Bool
        /// The content.
        public var data: UnreadCount

        /// Creates an unread count response.
        ///
        /// - Parameters:
        ///   - success: Whether the call succeeded.
        ///   - data: The content.
        public init(success: Bool, data: UnreadCount) {
            self.success = success
            self.data = data
        }

        private enum CodingKeys: CodingKey { case success, data }
    }

    /// The content of an ``UnreadCountResponse``.
    public struct UnreadCount: Codable, Hashable, Sendable {
        /// The number of unread messages.
        public var unreadCount: Int

        /// Creates an unread count.
        ///
        /// - Parameter unreadCount: The number of unread messages.
        public init(unreadCount: Int) {
            self.unreadCount = unreadCount
        }

        private enum CodingKeys: String, CodingKey {
            case unreadCount = "unread_count"
        }
    }
}
