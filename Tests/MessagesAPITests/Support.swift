import HTTPCalls
import HTTPTestSupport
import MessagesAPI
import Synchronization

extension MessageStore {
    /// Creates a store of Ana's messages with pages of two.
    convenience init(answer: @escaping StubTransport.Answer) throws {
        try self.init(client: MessagesClient(StubTransport(answer: answer)), pageLimit: 2)
    }

    /// The deliveries of the messages in the conversation with Carlos.
    var deliveries: [MessageEntry.Delivery] { entries(with: MessageFixtures.carlosID).map(\.delivery) }
}

/// The conversation with Carlos as the server lists it.
final class ListedConversation: Sendable {
    private let messages: Mutex<[String]>

    /// Creates a conversation with messages in JSON.
    init(_ messages: String...) { self.messages = Mutex(messages) }

    /// Lists a further message of Ana.
    func add(_ id: String, minute: Int) {
        messages.withLock { $0.append(MessageFixtures.conversationMessage(id, minute: minute)) }
    }

    /// Replaces a text in all messages.
    func replace(_ text: String, with replacement: String) {
        messages.withLock { $0 = $0.map { $0.replacing(text, with: replacement) } }
    }

    /// The only page.
    var page: TransportResponse {
        .json(MessageFixtures.page(messages.withLock { $0 }, otherUser: true, total: 1))
    }
}

/// A response that its request waits for until the test gives it.
final class PendingResponse: Sendable {
    private let requests = AsyncStream.makeStream(of: Void.self)
    private let responses = AsyncStream.makeStream(of: TransportResponse.self)

    /// Waits for the response.
    func wait() async -> TransportResponse {
        requests.continuation.yield()
        for await response in responses.stream { return response }
        return .json(500, "{}")
    }

    /// Waits until the request has arrived.
    func waitForRequest() async {
        for await _ in requests.stream { return }
    }

    /// Answers the request.
    func give(_ response: TransportResponse) { responses.continuation.yield(response) }
}
