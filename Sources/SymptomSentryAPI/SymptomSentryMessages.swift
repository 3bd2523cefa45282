package import HTTPCalls

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension SymptomSentryClient {
    /// Returns the specification's sentence for an error, or `nil` if it has none.
    ///
    /// Two errors get another sentence than the specification's, which would be wrong for a person: a server that is
    /// busy is not an exhausted quota, although the status of both is 429; and trying again later does not help if the
    /// token was rejected.
    package static func userMessage(for error: CallError) -> String? {
        switch (error.code, error.status) {
        case (.unauthorized, _), (.signedOut, _): "Authentication failed. Please log in again."
        case (.quotaExhausted, _): "You've reached your analysis limit for this month."
        case (_, let status?) where !(200..<300).contains(status):
            "Server error (\(status)). Please try again later."
        case (.serverUnreachable, nil), (.tlsFailed, nil), (.outcomeUnknown, nil): "Network error: \(error.message)"
        default: nil
        }
    }

    /// The specification's sentence for an answer without an analysis and without a message.
    static let analysisFailedMessage = "Analysis failed"
}

extension TransportResponse {
    /// Decodes the response to an upload for analysis.
    ///
    /// The server also reports failures with a status of 200: a message without an analysis.
    ///
    /// - Parameter isIdempotent: Whether sending the request twice has the effect of sending it once.
    /// - Throws: `refused` for a message without an analysis; the errors of `decodeBody(as:using:isIdempotent:)`.
    package func decodeAnalysis(isIdempotent: Bool) throws(CallError) -> SymptomSentryClient.AnalysisResponse {
        do throws(CallError) { return try decodeBody(isIdempotent: isIdempotent) } catch {
            var error = error
            let isMessage = (try? JSONDecoder().decode(MessageWithoutAnalysis.self, from: Data(body))) != nil
            if isMessage, error.code != .rejectedByServer {
                let server = serverMessage
                let text = server?.message.flatMap { $0.isEmpty ? nil : $0 }
                error = CallError(
                    code: .rejectedByServer,
                    message: "the server answered \(status) without an analysis: "
                        + (text ?? SymptomSentryClient.analysisFailedMessage),
                    status: status, serverMessage: server)
            }
            throw error.addingUserMessage {
                $0.code == .rejectedByServer ? SymptomSentryClient.analysisFailedMessage : nil
            }
        }
    }
}

/// The body of a response that has a message, and none of the members of an analysis.
private struct MessageWithoutAnalysis: Decodable {
    private enum CodingKeys: CodingKey { case id, type, conditions, message }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let hasAnalysis = try [CodingKeys.id, .type, .conditions].contains {
            try values.contains($0) && !values.decodeNil(forKey: $0)
        }
        guard !hasAnalysis, values.contains(.message) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "an analysis"))
        }
    }
}
