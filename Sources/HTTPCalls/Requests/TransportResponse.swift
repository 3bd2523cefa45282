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
            let secret = Array(token.secret.utf8)
            var spellings = [secret]
            if secret.contains(UInt8(ascii: "/")) { spellings.append(secret.escapingSlashes()) }
            for spelling in spellings where body.containsBytes(spelling) {
                body.replace(spelling, with: Array(token.description.utf8))
            }
        }
    }

    /// The server's error message, without the request's secrets; `nil` if there is none. Many servers repeat the URL
    /// that they reject.
    public var serverMessage: ServerErrorMessage? { ServerErrorMessage(body) { secrets.redactedText(from: $0) } }
}

extension [UInt8] {
    /// Returns whether other bytes occur, which are not empty.
    ///
    /// Searching every response with the generic `contains` took an eighth of the time of many small requests.
    fileprivate func containsBytes(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, count >= bytes.count else { return false }
        for start in 0...count - bytes.count where self[start] == first {
            var length = 1
            while length < bytes.count, self[start + length] == bytes[length] { length += 1 }
            if length == bytes.count { return true }
        }
        return false
    }

    /// The bytes with each slash as JSON may escape it.
    fileprivate func escapingSlashes() -> [UInt8] {
        flatMap { $0 == UInt8(ascii: "/") ? Array("\\/".utf8) : [$0] }
    }
}
