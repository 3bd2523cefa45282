internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Calls of an API that takes JSON and answers JSON.
struct JSONCalls: Sendable {
    var base: Endpoint
    var client: HTTPClient
    var decoder = JSONDecoder()

    /// - Parameter mayRepeat: whether to do it twice is to do it once. RFC 9110, section 9.2.2, says so of all but POST.
    func call<Answer: Decodable>(
        _ method: HTTPRequest.Method, _ endpoint: Endpoint, body: HTTPRequest.Body = .empty, takesToken: Bool = true,
        mayRepeat: Bool? = nil, as type: Answer.Type = Answer.self
    ) async throws(UploadError) -> Answer {
        let mayRepeat = mayRepeat ?? (method != .post)
        var isUpload = false
        if case .multipart = body { isUpload = true }
        var request = HTTPRequest(
            method, endpoint, headers: [HTTPHeader("Accept", "application/json")], body: body,
            timeout: isUpload ? client.timeouts.upload : client.timeouts.call)
        request.takesToken = takesToken
        return try await client.send(request, mayRepeat: mayRepeat).answer(by: decoder, mayRepeat: mayRepeat)
    }

    /// A body that holds `value`.
    ///
    /// - Throws: `invalid-item` if JSON can't say it: a number that is none.
    static func body(
        _ value: some Encodable, by encoder: JSONEncoder = JSONEncoder()
    ) throws(UploadError) -> HTTPRequest.Body {
        // Sorted: what bears an idempotency key must be the same bytes each time.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return .bytes(Array(try encoder.encode(value)), type: "application/json") } catch {
            throw UploadError(.invalidItem, "what is to be sent can't be written as JSON")
        }
    }
}
