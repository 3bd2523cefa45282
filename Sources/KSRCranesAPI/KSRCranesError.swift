public import HTTPCalls

/// The reason why a call of KSR Cranes failed. The cases are those of its app.
public enum KSRCranesError: Error, Sendable, CustomStringConvertible {
    /// The response cannot be decoded as the requested type.
    case decodingError(CallError)
    /// The server could not be reached, or kept failing.
    case networkError(CallError)
    /// The server answered with the given status, and possibly a message.
    case httpError(status: Int, message: String?)
    /// The token is missing or was rejected, or the credentials are wrong: 401, possibly with a message. Also if no
    /// account is signed in.
    case authenticationError(message: String?)
    /// The request is invalid: 422. The value lists the validation errors.
    case validationError([String])
    /// The body reports an error in spite of a successful status. The value is the message.
    case serverError(String)
    /// Any other error: a source file changed, the task was cancelled, or the outcome is unknown.
    case callError(CallError)

    init(_ error: CallError) {
        let server = error.serverMessage
        self =
            switch (error.code, error.status) {
            case (.unauthorized, _), (.signedOut, _): .authenticationError(message: server?.message)
            case (_, 422?) where !(server?.validationErrors ?? []).isEmpty:
                .validationError(server?.validationErrors ?? [])
            case (.invalidResponse, _): .decodingError(error)
            case (.rejectedByServer, let status?) where status < 300: .serverError(server?.message ?? error.message)
            case (.outcomeUnknown, _), (.quotaExhausted, _): .callError(error)
            case (_, let status?): .httpError(status: status, message: server?.message)
            case (.serverUnreachable, nil), (.tlsFailed, nil): .networkError(error)
            default: .callError(error)
            }
    }

    /// The message of the cause, for logs. ``errorDescription`` is for the user.
    public var description: String {
        switch self {
        case .decodingError(let error), .networkError(let error), .callError(let error): error.message
        case .httpError(let status, let message): "the server answered \(status)\(message.map { ": \($0)" } ?? "")"
        case .authenticationError: "the login is missing, wrong or expired"
        case .validationError(let errors): "the server refused what was sent: \(errors.joined(separator: ", "))"
        case .serverError(let message): "the server failed: \(message)"
        }
    }
}
