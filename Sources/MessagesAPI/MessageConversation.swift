#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A message of a ``MessageStore``, or one that is being sent.
public struct MessageEntry: Hashable, Identifiable, Sendable {
    /// What became of a message.
    public enum Delivery: Hashable, Sendable {
        /// The server has the message.
        case delivered
        /// The message is being sent.
        case sending
        /// The message was not sent, for the given reason, which can be shown.
        case failed(reason: String)
        /// The message was sent without a confirmation: the server may have it.
        case unconfirmed
    }

    /// The id of the message, or a local one before the server has given it an id.
    public let id: String
    /// The text.
    public let content: String
    /// What became of the message.
    public internal(set) var delivery: Delivery
    /// The message as the server has it; `nil` before it was delivered.
    public let message: MessagesClient.Message?
    /// The time of the newest message that was known when this one was sent, by the server's clock.
    var sentAfter: Date?

    /// Creates an entry, for previews.
    ///
    /// - Parameters:
    ///   - id: The id of the message, or a local one.
    ///   - content: The text.
    ///   - delivery: What became of the message.
    ///   - message: The message as the server has it; `nil` before it was delivered.
    public init(id: String, content: String, delivery: Delivery, message: MessagesClient.Message? = nil) {
        self.id = id
        self.content = content
        self.delivery = delivery
        self.message = message
    }
}

/// The messages of a conversation, in order and without duplicates.
struct MessageConversation {
    var messages: [String: MessagesClient.Message] = [:]
    /// The messages that the server may not have, in the order of sending.
    var outgoing: [MessageEntry] = []
    var otherUser: MessagesClient.User?
    /// The next page of older messages; `nil` after the last.
    var nextPage: Int? = 1
    var isLoading = false

    /// The delivered messages by time, followed by the outgoing ones. Messages with an unreadable time come first, and
    /// those of the same time are in the order of their ids, which grow with time in MongoDB.
    var entries: [MessageEntry] {
        let dated = messages.values.map { (date: $0.sentDate ?? .distantPast, message: $0) }
        let sorted = dated.sorted { ($0.date, $0.message.id) < ($1.date, $1.message.id) }
        return sorted.map {
            MessageEntry(id: $0.message.id, content: $0.message.content, delivery: .delivered, message: $0.message)
        } + outgoing
    }

    /// Adds a page. A page that moved on, because messages arrived meanwhile, may repeat messages.
    mutating func insert(_ data: MessagesClient.MessagesData, page: Int) {
        otherUser = data.otherUser ?? otherUser
        for message in data.messages {
            if messages.updateValue(message, forKey: message.id) == nil { recognize(message) }
        }
        // Refreshing the first page does not forget that older ones were requested.
        guard let expected = nextPage, page >= expected else { return }
        nextPage = data.pagination.hasNext && !data.messages.isEmpty ? page + 1 : nil
    }

    /// The time of the newest message that is known.
    var newestDate: Date? { messages.values.compactMap(\.sentDate).max() }

    /// Removes the first unconfirmed message that is the given one: of the same text, sent to the other user, and later
    /// than the messages that were known when it was sent.
    private mutating func recognize(_ message: MessagesClient.Message) {
        guard let otherUser, message.toUser.id == otherUser.id else { return }
        let date = message.sentDate ?? .distantPast
        let index = outgoing.firstIndex {
            $0.delivery == .unconfirmed && $0.content == message.content && date > $0.sentAfter ?? .distantPast
        }
        if let index { outgoing.remove(at: index) }
    }

    mutating func confirm(_ id: String, as message: MessagesClient.Message) {
        outgoing.removeAll { $0.id == id }
        messages[message.id] = message
    }

    mutating func setDelivery(_ delivery: MessageEntry.Delivery, of id: String) {
        guard let index = outgoing.firstIndex(where: { $0.id == id }) else { return }
        outgoing[index].delivery = delivery
    }
}
