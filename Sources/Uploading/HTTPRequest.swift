public import MultipartBody

/// A request to a server.
public struct HTTPRequest: Sendable {
    /// What is asked.
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// What is sent.
    public enum Body: Sendable {
        /// Nothing.
        case empty
        /// Bytes of a media type.
        case bytes([UInt8], mediaType: String)
        /// A form.
        case multipart(MultipartForm)
    }

    /// What is asked.
    public var method: Method
    /// Where to.
    public var endpoint: Endpoint
    /// Besides those that the body and the token bring.
    public var headers: [HTTPHeader]
    /// Sent as `Authorization: Bearer`; nil for none, or for the client's.
    public var bearerToken: BearerToken?
    /// Whether a client adds its token: not to what one gets a token by.
    public var usesClientToken = true
    /// What is sent.
    public var body: Body
    /// How long it may take in all.
    public var timeout: Duration
    /// Called on the transport's own thread as bytes leave; must return at once.
    public var onProgress: (@Sendable (SendProgress) -> Void)?

    /// A request of these parts.
    public init(
        method: Method, endpoint: Endpoint, headers: [HTTPHeader] = [], bearerToken: BearerToken? = nil,
        body: Body = .empty,
        timeout: Duration = .seconds(30), onProgress: (@Sendable (SendProgress) -> Void)? = nil
    ) {
        self.method = method
        self.endpoint = endpoint
        self.headers = headers
        self.bearerToken = bearerToken
        self.body = body
        self.timeout = timeout
        self.onProgress = onProgress
    }
}

/// A header's name and value.
public struct HTTPHeader: Hashable, Sendable {
    /// Its name; case doesn't matter.
    public var name: String
    /// Its value, without line ends.
    public var value: String

    /// A header.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// How much of a request's body left.
public struct SendProgress: Hashable, Sendable {
    /// Bytes of the body that were handed to the network, those of a repeated sending not counted twice.
    public var bytesSent: Int64
    /// Bytes of the body.
    public var totalBodyBytes: Int64
    /// How often sending was begun: 2 where a connection that was kept open proved to be dead.
    public var attemptCount: Int

    /// Whether the server may have it all.
    public var hasSentEntireBody: Bool { bytesSent >= totalBodyBytes }

    /// Progress of these parts.
    public init(bytesSent: Int64 = 0, totalBodyBytes: Int64 = 0, attemptCount: Int = 1) {
        self.bytesSent = bytesSent
        self.totalBodyBytes = totalBodyBytes
        self.attemptCount = attemptCount
    }
}
