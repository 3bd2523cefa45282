internal import JSONValues

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A server's error message: `{"error": true, "message": "…", "code": "…", "details": …}`. The services of this package
/// send this object, or only some of its members.
public struct ServerErrorMessage: Hashable, Sendable {
    /// The message for the user; `nil` if there is none.
    public var message: String?
    /// The error code for programs; `nil` if there is none.
    public var code: String?
    /// Further details: a string as it is, any other value as JSON; `nil` if there are none.
    public var details: String?
    /// The validation errors, for the user; empty if the server lists none.
    public var validationErrors: [String]

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - message: The message for the user.
    ///   - code: The error code for programs.
    ///   - details: Further details.
    ///   - validationErrors: The validation errors, for the user.
    public init(message: String? = nil, code: String? = nil, details: String? = nil, validationErrors: [String] = []) {
        self.message = message
        self.code = code
        self.details = details
        self.validationErrors = validationErrors
    }

    /// Reads the message from a response's body.
    ///
    /// The text is stored and shown. Each part is therefore cut to 500 Unicode scalars, and unprintable ones are
    /// replaced by spaces. Only the first 20 validation errors are kept.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - redact: Returns a text without the request's secrets.
    /// - Returns: `nil` if the body is not a JSON object with at least one of the members.
    init?(_ body: [UInt8], redact: (String) -> String) {
        guard let answer = try? JSONDecoder().decode(ErrorResponseBody.self, from: Data(body)) else { return nil }
        let shown = { Self.sanitizedForDisplay(redact($0)) }
        message = answer.message.map(shown)
        code = answer.code?.displayText.map(shown)
        details = answer.details?.displayText.map(shown)
        validationErrors = answer.errors.prefix(20).map(shown)
        if message == nil && code == nil && details == nil && validationErrors.isEmpty { return nil }
    }

    private static func sanitizedForDisplay(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(500).map { $0.properties.isPrintable ? $0 : " " }))
    }

    private struct ErrorResponseBody: Decodable {
        var message: String?
        var code: JSONValue?
        var details: JSONValue?
        var errors: [String]

        enum CodingKeys: CodingKey { case message, code, details, error, errors }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            // Some servers answer `{"error": "…"}`.
            let error = try? values.decode(String.self, forKey: .error)
            message = (try? values.decode(String.self, forKey: .message)) ?? error
            code = try? values.decode(JSONValue.self, forKey: .code)
            details = try? values.decode(JSONValue.self, forKey: .details)
            errors = (try? values.decode([String].self, forKey: .errors)) ?? []
        }
    }
}

extension Unicode.Scalar.Properties {
    /// Whether the character is safe to print: it neither controls a terminal nor changes the direction of the text.
    package var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
        default: true
        }
    }
}
