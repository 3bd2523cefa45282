#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

internal import HTTPCalls

extension KSRCranesError: LocalizedError {
    /// The text that `localizedDescription` returns: the server's own message, in the sentence that the specification
    /// has around it, or else the specification's sentence.
    ///
    /// Its "An unexpected error occurred" is not used for errors of this library: their messages say more.
    public var errorDescription: String? {
        switch self {
        case .authenticationError(let message): message ?? "Authentication failed. Please log in again."
        case .validationError(let errors): "Validation failed: \(errors.joined(separator: ", "))"
        case .httpError(let status, let message): Self.serverErrorText(status: status, message: message)
        case .serverError(let message): message
        case .networkError(let error): "Network error: \(error.message)"
        case .decodingError: "An unexpected error occurred"
        case .callError(let error):
            if let status = error.status, !(200..<300).contains(status) {
                Self.serverErrorText(status: status, message: error.serverMessage?.message)
            } else {
                error.errorDescription
            }
        }
    }

    private static func serverErrorText(status: Int, message: String?) -> String {
        "Server error (\(status)): \(message ?? "Unknown error")"
    }
}
