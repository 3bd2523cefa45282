/// What a server answered.
public struct HTTPResponse: Sendable {
    /// The status: 200 and so on.
    public var status: Int
    /// In the order in which they came.
    public var headers: [HTTPHeader]
    /// The body, whole.
    public var body: [UInt8]
    /// How much of the request had left when the answer came.
    public var sendProgress: SendProgress

    /// What the request held that must not be shown.
    var secrets = RequestSecrets()

    /// A response of these parts.
    public init(
        status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], sendProgress: SendProgress = SendProgress()
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.sendProgress = sendProgress
    }

    /// Takes out a token that the server repeats: what it says is kept and shown.
    mutating func redactToken(_ token: BearerToken?) {
        guard let token else { return }
        let spellings = Set([token.secret, token.secret.replacing("/", with: "\\/")])
        for spelling in spellings { body.replace(Array(spelling.utf8), with: Array(token.description.utf8)) }
    }

    /// What the body says of an error, without the secrets of the request: many servers repeat the URL that they
    /// refuse.
    package var serverMessage: ServerErrorMessage? { ServerErrorMessage(body) { secrets.hidden(in: $0) } }

    /// The value of the first header of that name, in any case; nil for none.
    public func headerValue(named name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}
