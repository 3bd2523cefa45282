/// An HTTP response.
public struct HTTPResponse: Sendable {
    /// The status code, such as 200.
    public var status: Int
    /// The header fields in the order in which they were received.
    public var headers: [HTTPHeader]
    /// The complete body.
    public var body: [UInt8]
    /// How much of the request had been sent when the response arrived.
    public var sendProgress: SendProgress

    /// The request's secrets, which are removed from ``serverMessage``.
    var secrets = RequestSecrets()

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - body: The complete body.
    ///   - sendProgress: How much of the request was sent.
    public init(
        status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], sendProgress: SendProgress = SendProgress()
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.sendProgress = sendProgress
    }

    /// Replaces tokens in the body by a placeholder, because the body is stored and shown.
    mutating func redactTokens(_ tokens: Set<BearerToken>) {
        // The longest first, because a token may contain a shorter one.
        for token in tokens.sorted(by: { $0.secret.utf8.count > $1.secret.utf8.count }) {
            let spellings = Set([token.secret, token.secret.replacing("/", with: "\\/")])
            for spelling in spellings { body.replace(Array(spelling.utf8), with: Array(token.description.utf8)) }
        }
    }

    /// The server's error message, without the request's secrets. Many servers repeat the URL that they reject.
    package var serverMessage: ServerErrorMessage? { ServerErrorMessage(body) { secrets.redactedText(from: $0) } }

    /// Returns the value of the first header with the given name, or `nil` if there is none.
    ///
    /// - Parameter name: The name. Its case is not significant.
    /// - Complexity: O(*n*) in the number of headers.
    public func headerValue(named name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}
