/// The reason why no response was received.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, as a stable kebab-case name. Later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name.
        public let rawValue: String
        /// Creates the code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The URL is invalid or unsupported.
        public static let invalidURL = Code(rawValue: "invalid-url")
        /// No connection was established: the name is unknown, the server does not listen, or the timeout expired.
        public static let connectionFailed = Code(rawValue: "connect")
        /// The server's certificate is not trusted, or the TLS handshake failed.
        public static let tlsFailed = Code(rawValue: "tls")
        /// The connection was lost before the response was complete.
        public static let connectionLost = Code(rawValue: "connection-lost")
        /// The timeout expired before a response was received.
        public static let timeout = Code(rawValue: "timeout")
        /// The response is not HTTP, or is larger than allowed.
        public static let invalidResponse = Code(rawValue: "bad-response")
        /// The source of the body cannot be read, or has changed. ``TransportError/cause`` is the `MultipartError`.
        public static let bodySourceFailed = Code(rawValue: "source")
        /// A header field is invalid, or is reserved for the transport.
        public static let invalidRequest = Code(rawValue: "invalid-request")
        /// There is not enough memory, no thread can be created, or a library that the transport needs cannot be used.
        public static let outOfResources = Code(rawValue: "out-of-resources")
        /// The task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of error.
    public var code: Code
    /// A message for the user, without the token or file names.
    public var message: String
    /// How much of the request was sent.
    public var sendProgress: SendProgress
    /// The underlying error, if there is one.
    public var cause: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - message: A message for the user, without the token or file names.
    ///   - sendProgress: How much of the request was sent.
    ///   - cause: The underlying error.
    public init(code: Code, message: String, sendProgress: SendProgress = SendProgress(), cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.sendProgress = sendProgress
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
