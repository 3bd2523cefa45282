#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension TransportResponse {
    /// Decodes the JSON body of a response with a status of 200 to 299.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: Decodes the value.
    ///   - isIdempotent: Whether sending the request twice has the effect of sending it once.
    /// - Throws: `refused` if the body reports an error in spite of the status; `bad-answer` if it is not as the
    ///   contract says, or `outcome-unknown` if the request is not idempotent, because the server may have processed
    ///   it.
    package func decodeBody<Response: Decodable>(
        as type: Response.Type = Response.self, using decoder: JSONDecoder = JSONDecoder(), isIdempotent: Bool
    ) throws(CallError) -> Response {
        let body = Data(body)
        if let envelope = try? JSONDecoder().decode(ErrorEnvelope.self, from: body), envelope.indicatesFailure {
            let server = serverMessage
            let serverText = server?.message.map { ": \($0)" } ?? ""
            throw CallError(
                code: .rejectedByServer, message: "the server answered \(status), and an error\(serverText)",
                status: status, serverMessage: server)
        }
        do { return try decoder.decode(Response.self, from: body) } catch {
            throw invalidResponseError(
                reason: (error as? DecodingError)?.problemDescription ?? "can't be read", isIdempotent: isIdempotent)
        }
    }

    /// Returns the error for a response that is not as the contract says.
    ///
    /// - Parameters:
    ///   - reason: The problem, as the predicate of "its response".
    ///   - isIdempotent: Whether sending the request twice has the effect of sending it once.
    package func invalidResponseError(reason: String, isIdempotent: Bool) -> CallError {
        let prefix = isIdempotent ? "" : "it was sent whole, and may have been taken; "
        return CallError(
            code: isIdempotent ? .invalidResponse : .outcomeUnknown,
            message: "\(prefix)the server answered \(status), but its response \(reason)",
            status: status)
    }
}

/// An error reported in the body in spite of a successful status: `"error": true`, or `"success": false` of KSR Cranes.
private struct ErrorEnvelope: Decodable {
    var error: Bool?
    var success: Bool?

    var indicatesFailure: Bool { error == true || success == false }
}

extension DecodingError {
    /// The problem and its coding path. The value is omitted because it may be a token.
    fileprivate var problemDescription: String {
        switch self {
        case .keyNotFound(let key, let context): "lacks \(dottedPath(context.codingPath + [key]))"
        case .valueNotFound(_, let context), .typeMismatch(_, let context):
            "has a wrong \(dottedPath(context.codingPath))"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "is not JSON" : "has a wrong \(dottedPath(context.codingPath))"
        @unknown default: "can't be read"
        }
    }

    private func dottedPath(_ keys: [any CodingKey]) -> String {
        keys.isEmpty ? "form" : keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}

extension String {
    /// Whether the string can be stored, shown and used as a path segment: 1 to 4096 bytes of UTF-8, neither `.` nor
    /// `..`, and all characters printable. The limit allows signed URLs, which have 1000 to 2000 characters.
    package var isValidServerID: Bool {
        !["", ".", ".."].contains(self) && utf8.count <= 4096 && unicodeScalars.allSatisfy(\.properties.isPrintable)
    }
}

extension String {
    /// Checks that an id of the caller is not blank, and not `.` or `..`, which would change the path of the URL.
    ///
    /// - Parameters:
    ///   - message: The message of the error.
    ///   - userMessage: The specification's sentence for the user; `nil` if it has none.
    /// - Throws: ``CallError/Code/validationFailed``.
    package func requireValidID(message: String, userMessage: String? = nil) throws(CallError) {
        if allSatisfy(\.isWhitespace) || [".", ".."].contains(self) {
            var error = CallError(code: .validationFailed, message: message)
            error.userMessage = userMessage
            throw error
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes an id that the server assigned.
    ///
    /// - Throws: `DecodingError` if it is missing or invalid.
    package func decodeServerID(forKey key: Key) throws -> String {
        let id = try decode(String.self, forKey: key)
        guard id.isValidServerID else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no id")
        }
        return id
    }
}
