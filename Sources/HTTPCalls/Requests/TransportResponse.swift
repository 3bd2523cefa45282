public import HTTPTypes

/// A complete response as an ``HTTPTransport`` received it.
public struct TransportResponse: Sendable {
    /// The status and the header fields, in the order in which they were received.
    public var head: HTTPResponse
    /// The complete body.
    public var body: [UInt8]
    /// How much of the request had been sent when the response arrived.
    public var sendProgress: SendProgress

    /// The request's secrets, which are removed from ``serverMessage``.
    var secrets = RequestSecrets()

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - head: The status and the header fields.
    ///   - body: The complete body.
    ///   - sendProgress: How much of the request was sent.
    public init(head: HTTPResponse, body: [UInt8] = [], sendProgress: SendProgress = SendProgress()) {
        self.head = head
        self.body = body
        self.sendProgress = sendProgress
    }

    /// Creates a response with a status.
    ///
    /// - Parameters:
    ///   - status: The status code, from 0 to 999.
    ///   - headerFields: The header fields.
    ///   - body: The complete body.
    ///   - sendProgress: How much of the request was sent.
    public init(
        status: Int, headerFields: HTTPFields = [:], body: [UInt8] = [], sendProgress: SendProgress = SendProgress()
    ) {
        self.init(
            head: HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: headerFields), body: body,
            sendProgress: sendProgress)
    }

    /// The status code, such as 200.
    public var status: Int { head.status.code }

    /// Returns the value of the first field with a name, or `nil` if there is none. `HTTPFields` itself joins the
    /// values of equal names, which has no meaning for dates and URLs.
    package func firstValue(of name: HTTPField.Name) -> String? { head.headerFields[fields: name].first?.value }

    /// Replaces tokens in the body by a placeholder, because the body is stored and shown.
    mutating func redactTokens(_ tokens: Set<BearerToken>) {
        // The longest first, because a token may contain a shorter one.
        for token in tokens.sorted(by: { $0.secret.utf8.count > $1.secret.utf8.count }) {
            let spellings = Set([token.secret, token.secret.replacing("/", with: "\\/")])
            for spelling in spellings { body.replace(Array(spelling.utf8), with: Array(token.description.utf8)) }
        }
    }

    /// The server's error message, without the request's secrets; `nil` if there is none. Many servers repeat the URL
    /// that they reject.
    public var serverMessage: ServerErrorMessage? { ServerErrorMessage(body) { secrets.redactedText(from: $0) } }
}
