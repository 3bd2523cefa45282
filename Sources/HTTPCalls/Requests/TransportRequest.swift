public import HTTPTypes
public import MultipartBody

/// A request as an ``HTTPTransport`` sends it: its parts of a head, its body and its time limit.
public struct TransportRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The URL.
    public var endpoint: Endpoint
    /// The header fields, without those for the body and the token.
    public var headerFields: HTTPFields
    /// The token for `Authorization: Bearer`; `nil` for the client's token, or for none.
    public var bearerToken: BearerToken?
    /// Whether ``HTTPClient`` adds the token of its session. Set to `false` for requests that obtain a token.
    public var usesClientToken = true
    /// The body.
    public var body: RequestBody
    /// The timeout of one attempt, from connecting to the end of the response.
    public var timeout: Duration
    /// Called on the transport's thread while the body is sent. It must return at once.
    public var onProgress: (@Sendable (SendProgress) -> Void)?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - endpoint: The URL.
    ///   - headerFields: The header fields, without those for the body and the token.
    ///   - bearerToken: The token; `nil` for the client's token, or for none.
    ///   - body: The body.
    ///   - timeout: The timeout of one attempt.
    ///   - onProgress: Called on the transport's thread while the body is sent.
    public init(
        method: HTTPRequest.Method, endpoint: Endpoint, headerFields: HTTPFields = [:],
        bearerToken: BearerToken? = nil, body: RequestBody = .empty, timeout: Duration = .seconds(30),
        onProgress: (@Sendable (SendProgress) -> Void)? = nil
    ) {
        self.method = method
        self.endpoint = endpoint
        self.headerFields = headerFields
        self.bearerToken = bearerToken
        self.body = body
        self.timeout = timeout
        self.onProgress = onProgress
    }

    /// Whether the request can be sent: its header has no field that transports set themselves, and a HEAD request has
    /// no body. A second field of a name could make a server and a proxy see different requests.
    package var isSendable: Bool {
        if method == .head, body.contentLength > 0 { return false }
        let reserved: Set<HTTPField.Name> = [.authorization, .connection, .contentLength, .expect, .transferEncoding]
        return headerFields.allSatisfy { !reserved.contains($0.name) } && HTTPField.isValidValue(body.mediaType ?? "")
    }

    /// The head of the request, with `Content-Type` and without the token.
    ///
    /// The token is apart because printing a head shows all its fields. ``BearerToken/withSecret(_:)`` gives it to the
    /// transport.
    public var head: HTTPRequest {
        var fields = headerFields
        if let type = body.mediaType { fields[.contentType] = type }
        return HTTPRequest(
            method: method, scheme: endpoint.scheme, authority: endpoint.authority, path: endpoint.pathAndQuery,
            headerFields: fields)
    }
}

/// The body of a request.
public enum RequestBody: Sendable {
    /// No body.
    case empty
    /// Bytes of the given media type.
    case bytes([UInt8], mediaType: String)
    /// A `multipart/form-data` body.
    case multipart(MultipartForm)

    /// The length of the body in bytes.
    public var contentLength: Int64 {
        switch self {
        case .empty: 0
        case .bytes(let bytes, _): Int64(bytes.count)
        case .multipart(let form): form.contentLength
        }
    }

    /// The media type of the body, with its parameters; `nil` if there is no body.
    public var mediaType: String? {
        switch self {
        case .empty: nil
        case .bytes(_, let type): type
        case .multipart(let form): form.contentType
        }
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
