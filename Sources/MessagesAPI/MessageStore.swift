public import HTTPCalls
public import Observation

/// The messages of one user, as an app shows them: conversations in order, the badge of unread messages, and messages
/// that are being sent.
///
/// All requests belong to the account that was signed in when the store was created. Create another store after another
/// sign-in.
@MainActor @Observable public final class MessageStore {
    /// The number of unread messages, for a badge; `nil` before ``refreshUnreadCount()``.
    public private(set) var unreadCount: Int?
    /// The conversations by the other user's id.
    private var conversations: [String: MessageConversation] = [:]
    private let client: MessagesClient
    private let pageLimit: Int
    private var lastLocalNumber = 0
    /// The number of answers with the number of unread messages.
    @ObservationIgnored private var badgeRevision = 0

    /// Creates a store without messages.
    ///
    /// - Parameters:
    ///   - client: Sends the requests.
    ///   - pageLimit: The number of messages of a page.
    /// - Throws: `signed-out` if no account is signed in.
    public init(client: MessagesClient, pageLimit: Int = 50) throws(CallError) {
        self.client = try client.boundToCurrentAccount()
        self.pageLimit = pageLimit
    }

    // MARK: Reading

    /// Returns the messages of a conversation, the oldest first, followed by those that are being sent or were not
    /// confirmed.
    ///
    /// - Parameter userID: The other user's id.
    /// - Complexity: O(*n* log *n*) in the number of messages.
    public func entries(with userID: String) -> [MessageEntry] { conversations[userID]?.entries ?? [] }

    /// Returns the other user of a conversation; `nil` before the first page.
    ///
    /// - Parameter userID: The other user's id.
    public func otherUser(_ userID: String) -> MessagesClient.User? { conversations[userID]?.otherUser }

    /// Whether a conversation has older messages that ``loadOlder(with:)`` can request. `true` before the first page.
    ///
    /// - Parameter userID: The other user's id.
    public func hasOlder(with userID: String) -> Bool {
        (conversations[userID] ?? MessageConversation()).nextPage != nil
    }

    /// Whether a page of a conversation is being requested.
    ///
    /// - Parameter userID: The other user's id.
    public func isLoading(with userID: String) -> Bool { conversations[userID]?.isLoading ?? false }

    /// Requests the next page of older messages. Nothing happens while a page is being requested, or after the last.
    ///
    /// - Parameter userID: The other user's id.
    /// - Throws: The error of the request. A later call requests the same page.
    public func loadOlder(with userID: String) async throws(CallError) {
        guard let page = (conversations[userID] ?? MessageConversation()).nextPage else { return }
        try await load(page, with: userID)
    }

    /// Requests the newest page again. Messages that are known already are replaced.
    ///
    /// A message that was sent without a confirmation is recognized if a page of the conversation was loaded before it
    /// was sent. Without one, an older message with the same text could be taken for it.
    ///
    /// - Parameter userID: The other user's id.
    /// - Throws: The error of the request.
    public func refresh(with userID: String) async throws(CallError) { try await load(1, with: userID) }

    private func load(_ page: Int, with userID: String) async throws(CallError) {
        guard !isLoading(with: userID) else { return }
        conversations[userID, default: MessageConversation()].isLoading = true
        defer { conversations[userID]?.isLoading = false }
        let data = try await client.conversation(with: userID, page: page, limit: pageLimit)
        conversations[userID]?.insert(data, page: page)
    }

    /// Requests the number of unread messages.
    ///
    /// - Throws: The error of the request.
    public func refreshUnreadCount() async throws(CallError) {
        unreadCount = try await client.unreadCount()
        badgeRevision += 1
    }

    /// Marks a message of the other user as read, and the badge with it, before the server has answered. Both are
    /// restored if the request fails, unless they were requested again meanwhile.
    ///
    /// Nothing happens if the message was sent by the account's own user, is already read, or is not known.
    ///
    /// - Parameters:
    ///   - messageID: The message's id.
    ///   - userID: The other user's id.
    /// - Throws: The error of the request.
    public func markAsRead(messageID: String, with userID: String) async throws(CallError) {
        guard let message = conversations[userID]?.messages[messageID], message.fromUser.id == userID,
            !message.isRead
        else { return }
        var read = message
        read.isRead = true
        conversations[userID]?.messages[messageID] = read
        let (badge, revision) = (unreadCount, badgeRevision)
        unreadCount = badge.map { max(0, $0 - 1) }
        do throws(CallError) {
            let answer = try await client.markAsRead(messageID: messageID)
            conversations[userID]?.messages[messageID] = answer
        } catch {
            if conversations[userID]?.messages[messageID] == read {
                conversations[userID]?.messages[messageID] = message
            }
            // The difference is restored, because other messages may have been marked meanwhile.
            if badge ?? 0 > 0, revision == badgeRevision { unreadCount = unreadCount.map { $0 + 1 } }
            throw error
        }
    }

    // MARK: Sending

    /// Sends a message. It is listed at once, and its ``MessageEntry/delivery`` shows the progress.
    ///
    /// - Parameters:
    ///   - content: The text.
    ///   - userID: The recipient's id.
    /// - Returns: The id of the entry: that of the message if it was sent.
    @discardableResult public func send(_ content: String, to userID: String) async -> String {
        lastLocalNumber += 1
        let id = "local-\(lastLocalNumber)"
        var entry = MessageEntry(id: id, content: content, delivery: .sending)
        entry.sentAfter = conversations[userID]?.newestDate
        conversations[userID, default: MessageConversation()].outgoing.append(entry)
        return await deliver(id, content: content, to: userID)
    }

    /// Sends a message again that failed or was not confirmed. Nothing happens if there is no such message.
    ///
    /// A message that was not confirmed may then arrive twice: ``refresh(with:)`` first.
    ///
    /// - Parameters:
    ///   - entryID: The id of the entry.
    ///   - userID: The recipient's id.
    public func sendAgain(entryID: String, to userID: String) async {
        guard let entry = conversations[userID]?.outgoing.first(where: { $0.id == entryID }),
            entry.delivery != .sending
        else { return }
        conversations[userID]?.setDelivery(.sending, of: entryID)
        _ = await deliver(entryID, content: entry.content, to: userID)
    }

    /// Removes a message that failed or was not confirmed.
    ///
    /// - Parameters:
    ///   - entryID: The id of the entry.
    ///   - userID: The recipient's id.
    public func discard(entryID: String, to userID: String) {
        conversations[userID]?.outgoing.removeAll { $0.id == entryID && $0.delivery != .sending }
    }

    private func deliver(_ id: String, content: String, to userID: String) async -> String {
        do throws(CallError) {
            let message = try await client.send(content, to: userID)
            conversations[userID]?.confirm(id, as: message)
            return message.id
        } catch {
            let delivery: MessageEntry.Delivery =
                error.code == .outcomeUnknown
                ? .unconfirmed : .failed(reason: error.errorDescription ?? error.message)
            conversations[userID]?.setDelivery(delivery, of: id)
            return id
        }
    }
}
