public import Uploading

/// Why a call of KSR Cranes failed: the cases of its app.
public enum KSRCranesError: Error, Sendable, CustomStringConvertible {
    /// What the server answered isn't what was asked for.
    case decodingError(UploadError)
    /// The server could not be reached, or kept failing.
    case networkError(UploadError)
    /// The server answered with that status, and perhaps a sentence.
    case httpError(status: Int, message: String?)
    /// The token is missing or refused, or the password is wrong: 401.
    case authenticationError
    /// What was sent isn't as it must be: what is wrong with each thing.
    case validationError([String])
    /// The server said that it failed, though its status says otherwise.
    case serverError(String)
    /// Anything else: the source of a file changed, the task was cancelled, nothing tells whether it was taken.
    case uploadError(UploadError)

    init(_ error: UploadError) {
        let server = error.serverMessage
        self =
            switch (error.code, error.status) {
            case (.unauthorized, _): .authenticationError
            case (_, 422?) where !(server?.validationErrors ?? []).isEmpty:
                .validationError(server?.validationErrors ?? [])
            case (.invalidResponse, _): .decodingError(error)
            case (.rejectedByServer, let status?) where status < 300: .serverError(server?.message ?? error.message)
            case (.outcomeUnknown, _), (.quotaExhausted, _): .uploadError(error)
            case (_, let status?): .httpError(status: status, message: server?.message)
            case (.serverUnreachable, nil), (.tlsFailed, nil): .networkError(error)
            default: .uploadError(error)
            }
    }

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .decodingError(let error), .networkError(let error), .uploadError(let error): error.message
        case .httpError(let status, let message): "the server answered \(status)\(message.map { ": \($0)" } ?? "")"
        case .authenticationError: "the login is missing, wrong or expired"
        case .validationError(let errors): "the server refused what was sent: \(errors.joined(separator: ", "))"
        case .serverError(let message): "the server failed: \(message)"
        }
    }
}
