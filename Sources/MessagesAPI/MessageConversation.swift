#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A message of a ``MessageStore``, or one that is being sent.
public struct MessageEntry: Hashable, Identifiable, Sendable {
    /// The progress of sending a message.
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
    /// The progress of sending the message.
    public internal(set) var delivery: Delivery
    /// The message as the server has it; `nil` before it was delivered.
    public let message: MessagesClient.Message?
    /// The time of the newest message that was known when this one was sent, by the server's clock; `nil` if it was not
    /// known. The message is then not recognized, because an older one may have the same text.
    var sentAfter: Date?

    /// Creates an entry, for previews.
    ///
    /// - Parameters:
    ///   - id: The id of the message, or a local one.
    ///   - content: The text.
    ///   - delivery: The progress of sending the message.
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
    /// The ids of the messages that belong to an entry.
    private var ownIDs: Set<String> = []
    var otherUser: MessagesClient.User?
    /// The next page of older messages; `nil` after the last.
    var nextPage: Int? = 1
    var isLoading = false

    /// The delivered messages by time, followed by the outgoing ones. Messages with an unreadable time come first, and
    /// those of the same time are in the order of their ids, which grow with time in MongoDB.
    var entries: [MessageEntry] {
        sortedMessages.map {
            MessageEntry(id: $0.message.id, content: $0.message.content, delivery: .delivered, message: $0.message)
        } + outgoing
    }

    private var sortedMessages: [(date: Date, message: MessagesClient.Message)] {
        let dated = messages.values.map { (date: $0.sentDate ?? .distantPast, message: $0) }
        return dated.sorted { ($0.date, $0.message.id) < ($1.date, $1.message.id) }
    }

    /// Adds a page. A page that moved on, because messages arrived meanwhile, may repeat messages.
    mutating func insert(_ data: MessagesClient.MessagesData, page: Int) {
        otherUser = data.otherUser ?? otherUser
        for message in data.messages { messages[message.id] = message }
        recognize()
        // Refreshing the first page does not forget that older ones were requested.
        guard let expected = nextPage, page >= expected else { return }
        nextPage = data.pagination.hasNext && !data.messages.isEmpty ? page + 1 : nil
    }

    /// The time of the newest message that is known; `.distantPast` if the conversation is known to be empty, and `nil`
    /// if nothing is known.
    var newestDate: Date? {
        // The first page is the next one until a page was loaded.
        if messages.isEmpty { return nextPage == 1 ? nil : .distantPast }
        return messages.values.compactMap(\.sentDate).max()
    }

    /// Removes the unconfirmed entries that the server has. The message of such an entry is the earliest one with the
    /// same text to the other user that belongs to no entry, and is newer than those that were known before sending.
    private mutating func recognize() {
        for entry in outgoing where entry.delivery == .unconfirmed {
            // The message may be that of an equal entry, until the server has answered that one.
            let isAmbiguous = outgoing.contains { $0.delivery == .sending && $0.content == entry.content }
            guard let sentAfter = entry.sentAfter, !isAmbiguous else { continue }
            let found = sortedMessages.first { date, message in
                date > sentAfter && message.content == entry.content && message.toUser.id == otherUser?.id
                    && !ownIDs.contains(message.id)
            }
            guard let found else { continue }
            ownIDs.insert(found.message.id)
            outgoing.removeAll { $0.id == entry.id }
        }
    }

    mutating func confirm(_ id: String, as message: MessagesClient.Message) {
        outgoing.removeAll { $0.id == id }
        ownIDs.insert(message.id)
        messages[message.id] = message
        recognize()
    }

    mutating func setDelivery(_ delivery: MessageEntry.Delivery, of id: String) {
        guard let index = outgoing.firstIndex(where: { $0.id == id }) else { return }
        outgoing[index].delivery = delivery
        recognize()
    }
}
