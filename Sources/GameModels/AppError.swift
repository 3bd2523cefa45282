#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error of the game's app. Assumed: the document names it without its cases.
public enum AppError: Error, Hashable, Sendable {
    /// The server could not be reached. The value is a message for logs.
    case network(String)
    /// No account is signed in, or its session has ended.
    case unauthorized
    /// The requested object does not exist.
    case notFound
    /// The request is invalid. The value is a message for the user.
    case validation(String)
    /// The server reported an error.
    case server(code: String?, message: String)
    /// A response is not as the contract says. The value is a message for logs.
    case invalidData(String)
    /// Any other error. The value is a message for logs.
    case unknown(String)
}

extension AppError: LocalizedError {
    /// A message for the user.
    public var errorDescription: String? {
        switch self {
        case .network: "The server cannot be reached."
        case .unauthorized: "Please sign in."
        case .notFound: "There is nothing here."
        case .validation(let message), .server(_, let message): message
        case .invalidData: "The server's answer cannot be read."
        case .unknown: "Something went wrong."
        }
    }
}
