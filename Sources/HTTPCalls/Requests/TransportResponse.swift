public import HTTPTypes

/// A complete response as an ``HTTPTransport`` received it.
public struct TransportResponse: Sendable {
    /// The status and the header fields, in the order in which they were received.
    public var head: HTTPResponse
    /// The complete body, as the server sent it. Store and show ``bodyWithoutTokens`` instead.
    public var body: [UInt8]
    /// How much of the request had been sent when the response arrived.
    public var sendProgress: SendProgress

    /// The request's secrets, which are removed from ``serverMessage``.
    var secrets = RequestSecrets()
    /// The tokens of all attempts of the request, which are removed from ``bodyWithoutTokens``.
    var sentTokens: Set<BearerToken> = []

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

    /// The body with a placeholder in place of each token that an ``HTTPClient`` sent, to be stored or shown. Some
    /// servers repeat the header fields of the request.
    public var bodyWithoutTokens: [UInt8] { replacingTokens(in: body) }

    /// Returns a text of the body with a placeholder in place of each token that was sent.
    package func textWithoutTokens(_ text: String) -> String {
        String(decoding: replacingTokens(in: Array(text.utf8)), as: UTF8.self)
    }

    private func replacingTokens(in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        // The longest first, because a token may contain a shorter one.
        for token in sentTokens.sorted(by: { $0.secret.utf8.count > $1.secret.utf8.count }) {
            let secret = Array(token.secret.utf8)
            var spellings = [secret]
            if secret.contains(UInt8(ascii: "/")) { spellings.append(secret.escapingSlashes()) }
            for spelling in spellings { bytes.replace(spelling, with: Array(token.description.utf8)) }
        }
        return bytes
    }

    /// The server's error message, without the request's secrets; `nil` if there is none. Many servers repeat the URL
    /// that they reject.
    public var serverMessage: ServerErrorMessage? { ServerErrorMessage(body) { secrets.redactedText(from: $0) } }
}

extension [UInt8] {
    /// The bytes with each slash as JSON may escape it.
    fileprivate func escapingSlashes() -> [UInt8] {
        flatMap { $0 == UInt8(ascii: "/") ? Array("\\/".utf8) : [$0] }
    }
}
