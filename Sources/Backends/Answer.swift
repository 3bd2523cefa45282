internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension HTTPResponse {
    /// What a server answered with a status of 200 to 299.
    ///
    /// - Parameter isIdempotent: whether what was sent may be sent again without being done twice.
    /// - Throws: `refused` if it says in spite of the status that it is an error. If it isn't what the contract says:
    ///   `bad-answer`, or `outcome-unknown` where the server may have done what can't be asked for again.
    func decodeBody<Answer: Decodable>(
        as type: Answer.Type = Answer.self, using decoder: JSONDecoder = JSONDecoder(), isIdempotent: Bool
    ) throws(UploadError) -> Answer {
        let body = Data(body)
        if let envelope = try? JSONDecoder().decode(ErrorEnvelope.self, from: body), envelope.indicatesFailure {
            let server = serverMessage
            let serverText = server?.message.map { ": \($0)" } ?? ""
            throw UploadError(
                code: .rejectedByServer, message: "the server answered \(status), and an error\(serverText)",
                status: status, serverMessage: server)
        }
        do { return try decoder.decode(Answer.self, from: body) } catch {
            throw invalidResponseError(
                reason: (error as? DecodingError)?.problemDescription ?? "can't be read", isIdempotent: isIdempotent)
        }
    }

    /// The error for an answer that says other than it must.
    func invalidResponseError(reason: String, isIdempotent: Bool) -> UploadError {
        let prefix = isIdempotent ? "" : "it was sent whole, and may have been taken; "
        return UploadError(
            code: isIdempotent ? .invalidResponse : .outcomeUnknown,
            message: "\(prefix)the server answered \(status), but its answer \(reason)",
            status: status)
    }
}

/// That a request failed, in the body of an answer whose status says that it didn't: `"error": true`, or KSR Cranes'
/// `"success": false`.
private struct ErrorEnvelope: Decodable {
    var error: Bool?
    var success: Bool?

    var indicatesFailure: Bool { error == true || success == false }
}

extension DecodingError {
    /// Where in the answer something is wrong. What stands there isn't told: it may be a token.
    fileprivate var problemDescription: String {
        switch self {
        case .keyNotFound(let key, let context): "lacks \(dottedPath(context.codingPath + [key]))"
        case .valueNotFound(_, let context), .typeMismatch(_, let context):
            "has a wrong \(dottedPath(context.codingPath))"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "is no JSON" : "has a wrong \(dottedPath(context.codingPath))"
        @unknown default: "can't be read"
        }
    }

    private func dottedPath(_ keys: [any CodingKey]) -> String {
        keys.isEmpty ? "form" : keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}

extension String {
    /// Whether a server may have meant it to be kept, shown and given back, in a path too: it has a length, leads
    /// nowhere else, and holds nothing that steers a terminal. A signed URL has a thousand characters or two.
    var isValidServerID: Bool {
        !["", ".", ".."].contains(self) && utf8.count <= 4096 && unicodeScalars.allSatisfy(\.properties.isPrintable)
    }
}

extension KeyedDecodingContainer {
    /// What the server calls something.
    ///
    /// - Throws: if it is missing, or no id.
    func decodeServerID(forKey key: Key) throws -> String {
        let id = try decode(String.self, forKey: key)
        guard id.isValidServerID else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no id")
        }
        return id
    }
}
