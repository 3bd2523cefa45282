internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Calls an API with JSON requests and responses.
struct JSONAPIClient: Sendable {
    var baseEndpoint: Endpoint
    var httpClient: HTTPClient
    var decoder = JSONDecoder()
    /// Returns the sentence of the service's specification for an error, or `nil` if it has none.
    var userMessage: @Sendable (UploadError) -> String? = { _ in nil }

    /// Sends a request and decodes its response.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - endpoint: The URL.
    ///   - body: The body.
    ///   - usesClientToken: Whether the client's token is sent.
    ///   - isIdempotent: Whether sending the request twice has the effect of sending it once; `nil` for `true` for all
    ///     methods but POST (RFC 9110, section 9.2.2).
    ///   - decode: Decodes the response.
    /// - Throws: The errors of `HTTPClient.send(_:isIdempotent:counters:)` and of
    ///   `HTTPResponse.decodeBody(as:using:isIdempotent:)`.
    func call<Response: Decodable>(
        method: HTTPRequest.Method, endpoint: Endpoint, body: HTTPRequest.Body = .empty, usesClientToken: Bool = true,
        isIdempotent: Bool? = nil,
        decode: (HTTPResponse, _ isIdempotent: Bool) throws(UploadError) -> Response
    ) async throws(UploadError) -> Response {
        let isIdempotent = isIdempotent ?? (method != .post)
        var isUpload = false
        if case .multipart = body { isUpload = true }
        var request = HTTPRequest(
            method: method, endpoint: endpoint, headers: [HTTPHeader(name: "Accept", value: "application/json")],
            body: body,
            timeout: isUpload ? httpClient.timeouts.upload : httpClient.timeouts.apiCall)
        request.usesClientToken = usesClientToken
        do throws(UploadError) {
            return try decode(try await httpClient.send(request, isIdempotent: isIdempotent), isIdempotent)
        } catch {
            throw error.addingUserMessage(from: userMessage)
        }
    }

    /// Sends a request and decodes its response as JSON.
    ///
    /// - Parameters:
    ///   - decoder: Decodes the response; `nil` for the client's decoder.
    ///   - type: The type of the response.
    /// - Throws: The errors of `call(method:endpoint:body:usesClientToken:isIdempotent:decode:)`.
    func call<Response: Decodable>(
        method: HTTPRequest.Method, endpoint: Endpoint, body: HTTPRequest.Body = .empty, usesClientToken: Bool = true,
        isIdempotent: Bool? = nil, decoder: JSONDecoder? = nil, as type: Response.Type = Response.self
    ) async throws(UploadError) -> Response {
        try await call(
            method: method, endpoint: endpoint, body: body, usesClientToken: usesClientToken, isIdempotent: isIdempotent
        ) { (response, isIdempotent) throws(UploadError) in
            try response.decodeBody(using: decoder ?? self.decoder, isIdempotent: isIdempotent)
        }
    }

    /// Encodes a value as a JSON body.
    ///
    /// - Throws: `invalid-item` if JSON cannot represent the value, for example a NaN.
    static func encodeBody(
        _ value: some Encodable, using encoder: JSONEncoder = JSONEncoder()
    ) throws(UploadError) -> HTTPRequest.Body {
        // Sorted, because a request with an idempotency key must have the same bytes each time.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return .bytes(Array(try encoder.encode(value)), mediaType: "application/json") } catch {
            throw UploadError(code: .invalidItem, message: "the request cannot be encoded as JSON")
        }
    }
}

extension UploadError {
    /// Returns the error with the sentence of the service's specification, unless it has one already.
    func addingUserMessage(from sentence: (UploadError) -> String?) -> UploadError {
        var error = self
        error.userMessage = userMessage ?? sentence(self)
        return error
    }
}
