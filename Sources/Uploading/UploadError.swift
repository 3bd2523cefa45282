/// Why something was not sent, or why it is not known whether it was.
public struct UploadError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as a stable kebab-case name. Open: later versions may add some.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as it appears in reports.
        public let rawValue: String
        /// The code of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The URL can't be used.
        public static let invalidURL = Code(rawValue: "invalid-url")
        /// The URL is of plain http, and leads to another machine, or may.
        public static let insecureURL = Code(rawValue: "insecure-url")
        /// What is to be sent lacks something that the backend needs, or is of a kind that it doesn't take.
        public static let invalidItem = Code(rawValue: "invalid-item")
        /// The source can't be read, or is no longer what was prepared.
        public static let sourceChanged = Code(rawValue: "source-changed")
        /// The server refused it, with a status that won't change by asking again.
        public static let rejectedByServer = Code(rawValue: "refused")
        /// The server takes nothing so large: 413.
        public static let contentTooLarge = Code(rawValue: "too-large")
        /// The token is missing or refused: 401.
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// The server could not be reached, or kept failing, as often as it was tried.
        public static let serverUnreachable = Code(rawValue: "unreachable")
        /// The server allows no more for now, and says so for longer than is waited: 429.
        public static let rateLimited = Code(rawValue: "rate-limited")
        /// What the account may send is used up: 429.
        public static let quotaExhausted = Code(rawValue: "quota-exhausted")
        /// The server's certificate isn't trusted, or TLS failed otherwise.
        public static let tlsFailed = Code(rawValue: "tls")
        /// The answer is not what the backend's contract says.
        public static let invalidResponse = Code(rawValue: "bad-answer")
        /// It was sent whole, and nothing tells whether it was taken. Sending it again might be to send it twice.
        public static let outcomeUnknown = Code(rawValue: "outcome-unknown")
        /// The task was cancelled before it was sent.
        public static let cancelled = Code(rawValue: "cancelled")
        /// What became of it can't be recorded.
        public static let ledgerFailed = Code(rawValue: "journal")
    }

    /// What went wrong.
    public var code: Code
    /// A sentence for a person, without token or file name.
    public var message: String
    /// The status, if the server answered.
    public var status: Int?
    /// What the server said of it.
    public var serverMessage: ServerErrorMessage?
    /// What lies beneath.
    public var cause: (any Error)?

    /// An error of these parts.
    public init(
        code: Code, message: String, status: Int? = nil, serverMessage: ServerErrorMessage? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.serverMessage = serverMessage
        self.cause = cause
    }

    /// The sentence.
    public var description: String { message }

    /// Whether it ends not this item alone, but all that were to follow.
    public var endsBatch: Bool { [.quotaExhausted, .rateLimited, .unauthorized, .ledgerFailed].contains(code) }
}
