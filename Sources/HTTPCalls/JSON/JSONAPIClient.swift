public import HTTPTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Calls an API with JSON requests and responses.
///
/// The typed clients of services are built on it. An app can use it for other calls.
public struct JSONAPIClient: Sendable {
    /// The URL of the API.
    public var baseEndpoint: Endpoint
    /// Sends the requests.
    public var httpClient: HTTPClient
    /// Decodes the responses.
    public var decoder: JSONDecoder
    /// Returns the sentence of the service's specification for an error, or `nil` if it has none.
    public var userMessage: @Sendable (CallError) -> String?

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseEndpoint: The URL of the API.
    ///   - httpClient: Sends the requests.
    ///   - decoder: Decodes the responses.
    ///   - userMessage: Returns the sentence of the service's specification for an error.
    public init(
        baseEndpoint: Endpoint, httpClient: HTTPClient, decoder: JSONDecoder = JSONDecoder(),
        userMessage: @escaping @Sendable (CallError) -> String? = { _ in nil }
    ) {
        self.baseEndpoint = baseEndpoint
        self.httpClient = httpClient
        self.decoder = decoder
        self.userMessage = userMessage
    }

    /// Returns a client that makes all calls for the account that is signed in now, as by
    /// ``HTTPClient/boundToCurrentAccount()``.
    ///
    /// - Throws: ``CallError/Code/signedOut`` if no account is signed in.
    public func boundToCurrentAccount() throws(CallError) -> JSONAPIClient {
        var client = self
        client.httpClient = try httpClient.boundToCurrentAccount()
        return client
    }

    /// Sends a request and passes its response to `decode`.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - endpoint: The URL.
    ///   - query: The fields of the query, unescaped.
    ///   - headerFields: Header fields in addition to `Accept`.
    ///   - body: The body.
    ///   - usesClientToken: Whether the client's token is sent.
    ///   - isIdempotent: Whether sending the request twice has the effect of sending it once; `nil` for `true` for all
    ///     methods but POST (RFC 9110, section 9.2.2).
    ///   - timeout: The timeout of one attempt; `nil` for the client's, which depends on whether the body is a form.
    ///   - decode: Decodes the response.
    /// - Returns: The result of `decode`.
    /// - Throws: The errors of ``HTTPClient/send(_:isIdempotent:counters:)`` and of `decode`.
    public func call<Response>(
        method: HTTPRequest.Method, endpoint: Endpoint, query: [FormField] = [], headerFields: HTTPFields = [:],
        body: RequestBody = .empty, usesClientToken: Bool = true, isIdempotent: Bool? = nil, timeout: Duration? = nil,
        decode: (TransportResponse, _ isIdempotent: Bool) throws(CallError) -> Response
    ) async throws(CallError) -> Response {
        do throws(CallError) {
            // The call waits here, before its request is built, because thousands of calls may wait.
            let turn = try await httpClient.waitForTurn(usesClientToken: usesClientToken)
            defer { turn.end() }
            return try await call(
                in: turn, method: method, endpoint: endpoint, query: query, headerFields: headerFields, body: body,
                usesClientToken: usesClientToken, isIdempotent: isIdempotent ?? (method != .post), timeout: timeout,
                decode: decode)
        } catch {
            throw error.addingUserMessage(from: userMessage)
        }
    }

    /// Performs a call in its turn. Not inlined, as ``HTTPClient/send(_:in:isIdempotent:counters:recorder:)``.
    @inline(never)
    private func call<Response>(
        in turn: RequestTurn, method: HTTPRequest.Method, endpoint: Endpoint, query: [FormField],
        headerFields: HTTPFields, body: RequestBody, usesClientToken: Bool, isIdempotent: Bool, timeout: Duration?,
        decode: (TransportResponse, _ isIdempotent: Bool) throws(CallError) -> Response
    ) async throws(CallError) -> Response {
        var request = TransportRequest(
            method: method, endpoint: endpoint.appendingQuery(query),
            headerFields: [.accept: "application/json"], body: body,
            timeout: timeout ?? httpClient.timeouts.timeout(for: body))
        for field in headerFields { request.headerFields.append(field) }
        request.usesClientToken = usesClientToken
        let response = try await httpClient.send(
            request, in: turn, isIdempotent: isIdempotent, counters: TransferCounters(), recorder: nil)
        return try decode(response, isIdempotent)
    }

    /// Sends a request and decodes its response as JSON.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - endpoint: The URL.
    ///   - query: The fields of the query, unescaped.
    ///   - headerFields: Header fields in addition to `Accept`.
    ///   - body: The body.
    ///   - usesClientToken: Whether the client's token is sent.
    ///   - isIdempotent: Whether sending the request twice has the effect of sending it once; `nil` for `true` for all
    ///     methods but POST (RFC 9110, section 9.2.2).
    ///   - timeout: The timeout of one attempt; `nil` for the client's, which depends on whether the body is a form.
    ///   - decoder: Decodes the response; `nil` for the client's decoder.
    ///   - type: The type of the response.
    /// - Returns: The decoded response.
    /// - Throws: The errors of ``HTTPClient/send(_:isIdempotent:counters:)``; ``CallError/Code/rejectedByServer`` if
    ///   the body reports an error in spite of the status; ``CallError/Code/invalidResponse`` if it cannot be decoded,
    ///   or ``CallError/Code/outcomeUnknown`` if the request is not idempotent.
    public func call<Response: Decodable>(
        method: HTTPRequest.Method, endpoint: Endpoint, query: [FormField] = [], headerFields: HTTPFields = [:],
        body: RequestBody = .empty, usesClientToken: Bool = true, isIdempotent: Bool? = nil, timeout: Duration? = nil,
        decoder: JSONDecoder? = nil, as type: Response.Type = Response.self
    ) async throws(CallError) -> Response {
        try await call(
            method: method, endpoint: endpoint, query: query, headerFields: headerFields, body: body,
            usesClientToken: usesClientToken, isIdempotent: isIdempotent, timeout: timeout
        ) { (response, isIdempotent) throws(CallError) in
            try response.decodeBody(using: decoder ?? self.decoder, isIdempotent: isIdempotent)
        }
    }

    /// Encodes a value as a JSON body with sorted keys.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: Encodes the value. Its output formatting is replaced.
    /// - Throws: ``CallError/Code/invalidItem`` if JSON cannot represent the value, for example a NaN.
    public static func encodeBody(
        _ value: some Encodable, using encoder: JSONEncoder = JSONEncoder()
    ) throws(CallError) -> RequestBody {
        // Sorted, because a request with an idempotency key must have the same bytes each time.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return .bytes(Array(try encoder.encode(value)), mediaType: "application/json") } catch {
            throw CallError(code: .invalidItem, message: "the request cannot be encoded as JSON")
        }
    }
}

extension CallError {
    /// Returns the error with the sentence of the service's specification, unless it has one already.
    package func addingUserMessage(from sentence: (CallError) -> String?) -> CallError {
        var error = self
        error.userMessage = userMessage ?? sentence(self)
        return error
    }
}
