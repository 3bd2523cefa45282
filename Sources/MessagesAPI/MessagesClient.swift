public import HTTPCalls
internal import HTTPTypes

/// The API of the messages between users.
///
/// All calls but the login need a token. Errors have the server's own message first; see `CallError.errorDescription`.
public struct MessagesClient: Sendable {
    private let apiClient: JSONAPIClient
    private let assumptions: Assumptions
    private static let messagesPath = "/api/messages"

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseEndpoint: The URL of the API: `https://host` for `https://host/api/messages`.
    ///   - client: Sends the requests.
    ///   - assumptions: The parts of the API that the document does not define.
    public init(baseEndpoint: Endpoint, client: HTTPClient, assumptions: Assumptions = Assumptions()) {
        self.init(JSONAPIClient(baseEndpoint: baseEndpoint, httpClient: client), assumptions: assumptions)
    }

    private init(_ apiClient: JSONAPIClient, assumptions: Assumptions) {
        self.apiClient = apiClient
        self.assumptions = assumptions
    }

    /// Returns a client that makes all calls for the account that is signed in now.
    ///
    /// - Throws: `signed-out` if no account is signed in.
    public func boundToCurrentAccount() throws(CallError) -> MessagesClient {
        MessagesClient(try apiClient.boundToCurrentAccount(), assumptions: assumptions)
    }

    /// Logs in. Assumed: the document has no such call.
    ///
    /// - Parameters:
    ///   - email: The e-mail address.
    ///   - password: The password.
    /// - Returns: The token and the user.
    /// - Throws: `unauthorized` if the address or the password is wrong.
    public func login(email: String, password: String) async throws(CallError) -> LoginResponse {
        try await apiClient.call(
            method: .post, endpoint: apiClient.baseEndpoint.appendingPath(assumptions.loginPath),
            body: try JSONAPIClient.encodeBody(["email": email, "password": password]), usesClientToken: false,
            isIdempotent: true)
    }

    // MARK: Sending

    /// Sends a message. The request is not retried if the server may have processed it.
    ///
    /// - Parameters:
    ///   - content: The text, not blank.
    ///   - userID: The recipient's id.
    /// - Returns: The message as the server stored it.
    /// - Throws: `validation-failed` before anything is sent; `outcome-unknown` if the message may have been sent.
    public func send(_ content: String, to userID: String) async throws(CallError) -> Message {
        try userID.requireValidID(message: "a message needs the id of its recipient")
        guard !content.allSatisfy(\.isWhitespace) else {
            throw CallError(code: .validationFailed, message: "a message needs a content")
        }
        return try await apiClient.call(
            method: .post, endpoint: apiClient.baseEndpoint.appendingPath(Self.messagesPath),
            body: try JSONAPIClient.encodeBody(SendRequest(toUserID: userID, content: content)),
            as: SendResponse.self
        ).data.message
    }

    // MARK: Reading

    /// A part of a user's messages.
    public enum Filter: String, CaseIterable, Sendable {
        /// The messages that the user has not read.
        case unread = "unread_only"
        /// The messages that the user sent.
        case sent = "sent_only"
        /// The messages that the user received.
        case received = "received_only"
    }

    /// Returns a page of the user's messages.
    ///
    /// - Parameters:
    ///   - filter: The part of the messages; `nil` for all.
    ///   - page: The number of the page, from 1; `nil` for the server's default, the first.
    ///   - limit: The number of messages of a page; `nil` for the server's default.
    public func messages(
        _ filter: Filter? = nil, page: Int? = nil, limit: Int? = nil
    ) async throws(CallError) -> MessagesData {
        let filters = filter.map { [FormField(name: $0.rawValue, value: "true")] } ?? []
        return try await messages(at: Self.messagesPath, query: filters + Self.pageFields(page: page, limit: limit))
    }

    /// Returns a page of the conversation with another user.
    ///
    /// - Parameters:
    ///   - userID: The other user's id.
    ///   - page: The number of the page, from 1; `nil` for the server's default, the first.
    ///   - limit: The number of messages of a page; `nil` for the server's default.
    /// - Throws: `validation-failed` if the id is invalid.
    public func conversation(
        with userID: String, page: Int? = nil, limit: Int? = nil
    ) async throws(CallError) -> MessagesData {
        try userID.requireValidID(message: "a conversation needs the id of the other user")
        return try await messages(
            at: "\(Self.messagesPath)/conversation/{user_id}", values: ["{user_id}": userID],
            query: Self.pageFields(page: page, limit: limit))
    }

    /// The pages of the user's messages.
    ///
    /// - Parameters:
    ///   - filter: The part of the messages; `nil` for all.
    ///   - limit: The number of messages of a page; `nil` for the server's default.
    public func messagePages(_ filter: Filter? = nil, limit: Int? = nil) -> Pages<Message, CallError> {
        Pages { number async throws(CallError) in
            try await self.messages(filter, page: number, limit: limit).page(requestedNumber: number)
        }
    }

    /// The pages of the conversation with another user.
    ///
    /// - Parameters:
    ///   - userID: The other user's id.
    ///   - limit: The number of messages of a page; `nil` for the server's default.
    public func conversationPages(with userID: String, limit: Int? = nil) -> Pages<Message, CallError> {
        Pages { number async throws(CallError) in
            try await self.conversation(with: userID, page: number, limit: limit).page(requestedNumber: number)
        }
    }

    /// Returns the number of messages that the user has not read.
    public func unreadCount() async throws(CallError) -> Int {
        try await apiClient.call(
            method: .get, endpoint: apiClient.baseEndpoint.appendingPath("\(Self.messagesPath)/unread-count"),
            as: UnreadCountResponse.self
        ).data.unreadCount
    }

    /// Marks a message as read. Assumed: the document has no such call.
    ///
    /// - Parameter messageID: The message's id.
    /// - Returns: The message after the change.
    /// - Throws: `validation-failed` if the id is invalid.
    public func markAsRead(messageID: String) async throws(CallError) -> Message {
        try messageID.requireValidID(message: "the id of the message is missing or invalid")
        return try await apiClient.call(
            method: .put,
            endpoint: apiClient.baseEndpoint.appendingPath(
                assumptions.readPath, values: ["{message_id}": messageID]),
            as: SendResponse.self
        ).data.message
    }

    private func messages(
        at path: String, values: [String: String] = [:], query: [FormField]
    ) async throws(CallError) -> MessagesData {
        try await apiClient.call(
            method: .get, endpoint: apiClient.baseEndpoint.appendingPath(path, values: values), query: query,
            as: MessagesResponse.self
        ).data
    }

    private static func pageFields(page: Int?, limit: Int?) -> [FormField] {
        [("page", page), ("limit", limit)].compactMap { name, number in
            number.map { FormField(name: name, value: String($0)) }
        }
    }
}

extension MessagesClient.MessagesData {
    fileprivate func page(requestedNumber: Int) throws(CallError) -> Page<MessagesClient.Message> {
        try Page(
            items: messages, hasNext: pagination.hasNext, number: pagination.currentPage,
            requestedNumber: requestedNumber)
    }
}
