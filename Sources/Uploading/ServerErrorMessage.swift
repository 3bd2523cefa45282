#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What a server says of an error: `{"error": true, "message": "…", "code": "…", "details": …}`, as all three backends
/// do.
public struct ServerErrorMessage: Hashable, Sendable {
    /// A sentence for a person; nil if the server gave none.
    public var message: String?
    /// A name for programs.
    public var code: String?
    /// More of it: text as it is, anything else as JSON.
    public var details: String?
    /// What is wrong with each of the things that were sent, for a person; empty where the server doesn't list it.
    public var validationErrors: [String]

    /// A message of these parts.
    public init(message: String? = nil, code: String? = nil, details: String? = nil, validationErrors: [String] = []) {
        self.message = message
        self.code = code
        self.details = details
        self.validationErrors = validationErrors
    }

    /// What a response's body says; nil if that is not an object of JSON with one of the members.
    ///
    /// What a server writes is shown to people and kept: each part has at most 500 characters, and none that steers a
    /// terminal; of `validationErrors` the first 20 are taken.
    ///
    /// - Parameter hide: returns a text without the secrets in it.
    init?(_ body: [UInt8], hide: (String) -> String) {
        guard let answer = try? JSONDecoder().decode(ErrorResponseBody.self, from: Data(body)) else { return nil }
        let shown = { Self.sanitizedForDisplay(hide($0)) }
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
            // Some servers say `{"error": "…"}`.
            let error = try? values.decode(String.self, forKey: .error)
            message = (try? values.decode(String.self, forKey: .message)) ?? error
            code = try? values.decode(JSONValue.self, forKey: .code)
            details = try? values.decode(JSONValue.self, forKey: .details)
            errors = (try? values.decode([String].self, forKey: .errors)) ?? []
        }
    }
}

extension Unicode.Scalar.Properties {
    /// Whether it neither steers a terminal nor turns the writing around.
    package var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
        default: true
        }
    }
}
