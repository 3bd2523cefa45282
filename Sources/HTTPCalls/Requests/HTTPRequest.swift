public import MultipartBody

/// An HTTP request.
public struct HTTPRequest: Sendable {
    /// An HTTP method.
    public enum Method: String, Sendable {
        /// A GET request.
        case get = "GET"
        /// A POST request.
        case post = "POST"
        /// A PUT request.
        case put = "PUT"
        /// A DELETE request.
        case delete = "DELETE"
    }

    /// The body of a request.
    public enum Body: Sendable {
        /// No body.
        case empty
        /// Bytes of the given media type.
        case bytes([UInt8], mediaType: String)
        /// A `multipart/form-data` body.
        case multipart(MultipartForm)
    }

    /// The method.
    public var method: Method
    /// The URL.
    public var endpoint: Endpoint
    /// The headers, without those for the body and the token.
    public var headers: [HTTPHeader]
    /// The token for `Authorization: Bearer`; `nil` for the client's token, or for none.
    public var bearerToken: BearerToken?
    /// Whether ``HTTPClient`` adds the token of its session. Set to `false` for requests that obtain a token.
    public var usesClientToken = true
    /// The body.
    public var body: Body
    /// The timeout of one attempt, from connecting to the end of the response.
    public var timeout: Duration
    /// Called on the transport's thread while the body is sent. It must return at once.
    public var onProgress: (@Sendable (SendProgress) -> Void)?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - endpoint: The URL.
    ///   - headers: The headers, without those for the body and the token.
    ///   - bearerToken: The token; `nil` for the client's token, or for none.
    ///   - body: The body.
    ///   - timeout: The timeout of one attempt.
    ///   - onProgress: Called on the transport's thread while the body is sent.
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

/// A header field.
public struct HTTPHeader: Hashable, Sendable {
    /// The name. Its case is not significant.
    public var name: String
    /// The value, without line ends.
    public var value: String

    /// Creates a header field.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value, without line ends.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// How much of a request's body was sent.
public struct SendProgress: Hashable, Sendable {
    /// The number of bytes of the body passed to the network in the last attempt.
    public var bytesSent: Int64
    /// The length of the body in bytes.
    public var totalBodyBytes: Int64
    /// The number of attempts. It is 2 if a reused connection was dead and the request was sent again on a new one.
    public var attemptCount: Int

    /// Whether the whole body was sent, so that the server may have received it.
    public var hasSentEntireBody: Bool { bytesSent >= totalBodyBytes }

    /// Creates progress information.
    ///
    /// - Parameters:
    ///   - bytesSent: The number of bytes of the body passed to the network.
    ///   - totalBodyBytes: The length of the body in bytes.
    ///   - attemptCount: The number of attempts.
    public init(bytesSent: Int64 = 0, totalBodyBytes: Int64 = 0, attemptCount: Int = 1) {
        self.bytesSent = bytesSent
        self.totalBodyBytes = totalBodyBytes
        self.attemptCount = attemptCount
    }
}
