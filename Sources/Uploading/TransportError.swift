/// Why no response came.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as a stable kebab-case name. Open: later versions may add some.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name.
        public let rawValue: String
        /// The code of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The URL can't be used.
        public static let invalidURL = Code(rawValue: "invalid-url")
        /// No connection came about: the name is unknown, nobody listens, or it took too long.
        public static let connectionFailed = Code(rawValue: "connect")
        /// The server is not who it says, or TLS can't be agreed upon.
        public static let tlsFailed = Code(rawValue: "tls")
        /// The connection was lost before a response came.
        public static let connectionLost = Code(rawValue: "connection-lost")
        /// It took longer than it may.
        public static let timeout = Code(rawValue: "timeout")
        /// The response is larger than it may be, or no HTTP.
        public static let invalidResponse = Code(rawValue: "bad-response")
        /// The source of the body can't be read, or was changed: `cause` is the `MultipartError`.
        public static let bodySourceFailed = Code(rawValue: "source")
        /// The task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// What went wrong.
    public var code: Code
    /// A sentence for a person, without token and file names.
    public var message: String
    /// How much of the request had left.
    public var sendProgress: SendProgress
    /// What lies beneath.
    public var cause: (any Error)?

    /// An error of these parts.
    public init(code: Code, message: String, sendProgress: SendProgress = SendProgress(), cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.sendProgress = sendProgress
        self.cause = cause
    }

    /// The sentence.
    public var description: String { message }
}
