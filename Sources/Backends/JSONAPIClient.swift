internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Calls of an API that takes JSON and answers JSON.
struct JSONAPIClient: Sendable {
    var baseEndpoint: Endpoint
    var httpClient: HTTPClient
    var decoder = JSONDecoder()

    /// - Parameter isIdempotent: whether to do it twice is to do it once. RFC 9110, section 9.2.2, says so of all but
    ///   POST.
    func call<Answer: Decodable>(
        method: HTTPRequest.Method, endpoint: Endpoint, body: HTTPRequest.Body = .empty, usesClientToken: Bool = true,
        isIdempotent: Bool? = nil, as type: Answer.Type = Answer.self
    ) async throws(UploadError) -> Answer {
        let isIdempotent = isIdempotent ?? (method != .post)
        var isUpload = false
        if case .multipart = body { isUpload = true }
        var request = HTTPRequest(
            method: method, endpoint: endpoint, headers: [HTTPHeader(name: "Accept", value: "application/json")],
            body: body,
            timeout: isUpload ? httpClient.timeouts.upload : httpClient.timeouts.apiCall)
        request.usesClientToken = usesClientToken
        return try await httpClient.send(request, isIdempotent: isIdempotent).decodeBody(
            using: decoder, isIdempotent: isIdempotent)
    }

    /// A body that holds `value`.
    ///
    /// - Throws: `invalid-item` if JSON can't say it: a number that is none.
    static func encodeBody(
        _ value: some Encodable, using encoder: JSONEncoder = JSONEncoder()
    ) throws(UploadError) -> HTTPRequest.Body {
        // Sorted: what bears an idempotency key must be the same bytes each time.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return .bytes(Array(try encoder.encode(value)), mediaType: "application/json") } catch {
            throw UploadError(code: .invalidItem, message: "what is to be sent can't be written as JSON")
        }
    }
}
