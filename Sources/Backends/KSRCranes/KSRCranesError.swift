public import Uploading

/// Why a call of KSR Cranes failed: the cases of its app.
public enum KSRCranesError: Error, Sendable, CustomStringConvertible {
    /// What the server answered isn't what was asked for.
    case decoding(UploadError)
    /// The server could not be reached, or kept failing.
    case network(UploadError)
    /// The server answered with that status, and perhaps a sentence.
    case http(status: Int, message: String?)
    /// The token is missing or refused, or the password is wrong: 401.
    case authentication
    /// What was sent isn't as it must be: what is wrong with each thing.
    case validation([String])
    /// The server said that it failed, though its status says otherwise.
    case server(String)
    /// Anything else: the source of a file changed, the task was cancelled, nothing tells whether it was taken.
    case upload(UploadError)

    init(_ error: UploadError) {
        let server = error.server
        self =
            switch (error.code, error.status) {
            case (.unauthorized, _): .authentication
            case (_, 422?) where !(server?.errors ?? []).isEmpty: .validation(server?.errors ?? [])
            case (.badAnswer, _): .decoding(error)
            case (.refused, let status?) where status < 300: .server(server?.message ?? error.message)
            case (.outcomeUnknown, _), (.quotaExhausted, _): .upload(error)
            case (_, let status?): .http(status: status, message: server?.message)
            case (.unreachable, nil), (.tls, nil): .network(error)
            default: .upload(error)
            }
    }

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .decoding(let error), .network(let error), .upload(let error): error.message
        case .http(let status, let message): "the server answered \(status)\(message.map { ": \($0)" } ?? "")"
        case .authentication: "the login is missing, wrong or expired"
        case .validation(let errors): "the server refused what was sent: \(errors.joined(separator: ", "))"
        case .server(let message): "the server failed: \(message)"
        }
    }
}
