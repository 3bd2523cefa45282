public import HTTPCalls
internal import HTTPTypes
public import MultipartBody

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The API of KSR Cranes: the calls of its app, and the upload of its two kinds of image.
///
/// The calls that depend on the employee's role are those of ``worker``, ``manager`` and ``chef``. Any other call goes
/// through ``get(path:query:as:)``, ``post(path:body:as:)``, ``put(path:body:as:)``, ``delete(path:as:)`` and
/// ``uploadMultipart(path:fields:files:as:)`` with the caller's types.
///
/// Dates have the format `yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'`. The keys of the types defined here are in snake case. All
/// calls but the login need a token.
public struct KSRCranesClient: Sendable {
    private let apiClient: JSONAPIClient
    let assumptions: Assumptions

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseEndpoint: The URL of the API: `https://host` for `https://host/api/app/login`.
    ///   - client: Sends the requests.
    ///   - assumptions: The parts of the API that the specification does not define.
    public init(baseEndpoint: Endpoint, client: HTTPClient, assumptions: Assumptions = Assumptions()) {
        apiClient = JSONAPIClient(baseEndpoint: baseEndpoint, httpClient: client, decoder: Self.makeJSONDecoder())
        self.assumptions = assumptions
    }

    var uploadTimeout: Duration { apiClient.httpClient.timeouts.upload }

    /// Sends a GET request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, such as `/api/app/tasks`, unescaped.
    ///   - query: The fields of the query.
    ///   - type: The type of the response.
    /// - Returns: The decoded response.
    public func get<Response: Decodable>(
        path: String, query: [FormField] = [], as type: Response.Type = Response.self
    ) async throws(KSRCranesError) -> Response {
        try await call(method: .get, path: path, query: query)
    }

    /// Sends a POST request. It is not retried if the server may have processed it.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, unescaped.
    ///   - body: The value that is sent as JSON.
    ///   - type: The type of the response.
    /// - Returns: The decoded response.
    public func post<Response: Decodable>(
        path: String, body: some Encodable, as type: Response.Type = Response.self
    ) async throws(KSRCranesError) -> Response {
        try await call(method: .post, path: path, body: Self.encodeBody(body))
    }

    /// Sends a PUT request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, unescaped.
    ///   - body: The value that is sent as JSON.
    ///   - type: The type of the response.
    /// - Returns: The decoded response.
    public func put<Response: Decodable>(
        path: String, body: some Encodable, as type: Response.Type = Response.self
    ) async throws(KSRCranesError) -> Response {
        try await call(method: .put, path: path, body: Self.encodeBody(body))
    }

    /// Sends a DELETE request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, unescaped.
    ///   - type: The type of the response.
    /// - Returns: The decoded response.
    public func delete<Response: Decodable>(
        path: String, as type: Response.Type = Response.self
    ) async throws(KSRCranesError) -> Response {
        try await call(method: .delete, path: path)
    }

    /// Sends fields and files as a form. The request is not retried if the server may have processed it.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, unescaped.
    ///   - fields: The form fields.
    ///   - files: The files.
    ///   - type: The type of the response.
    /// - Returns: The decoded response.
    /// - Throws: ``KSRCranesError/callError(_:)`` if the form is invalid or a file has changed; the other cases for
    ///   the response.
    public func uploadMultipart<Response: Decodable>(
        path: String, fields: [FormField] = [], files: [MultipartPart], as type: Response.Type = Response.self
    ) async throws(KSRCranesError) -> Response {
        let fields = fields.map { MultipartPart.field(name: $0.name, value: $0.value) }
        let body: MultipartForm
        do { body = try MultipartForm(parts: fields + files) } catch {
            throw .callError(CallError(code: .invalidItem, message: error.message, cause: error))
        }
        return try await call(method: .post, path: path, body: .multipart(body))
    }

    /// Sends a request of a call with an assumed path and assumed keys.
    ///
    /// - Parameter usesClientToken: `false` only for the login, which is also retried like an idempotent request.
    func callAssumed<Response: Decodable>(
        method: HTTPRequest.Method, path: String, values: [String: String] = [:], query: [FormField] = [],
        body: RequestBody = .empty, usesClientToken: Bool = true, timeout: Duration? = nil
    ) async throws(KSRCranesError) -> Response {
        try await call(
            method: method, path: path, values: values, query: query, body: body, usesClientToken: usesClientToken,
            timeout: timeout, decoder: assumptions.keys.applied(to: Self.makeJSONDecoder()))
    }

    private func call<Response: Decodable>(
        method: HTTPRequest.Method, path: String, values: [String: String] = [:], query: [FormField] = [],
        body: RequestBody = .empty, usesClientToken: Bool = true, timeout: Duration? = nil, decoder: JSONDecoder? = nil
    ) async throws(KSRCranesError) -> Response {
        do throws(CallError) {
            return try await apiClient.call(
                method: method, endpoint: apiClient.baseEndpoint.appendingPath(path, values: values), query: query,
                body: body, usesClientToken: usesClientToken, isIdempotent: usesClientToken ? nil : true,
                timeout: timeout, decoder: decoder)
        } catch {
            throw KSRCranesError(error)
        }
    }

    /// Encodes a value with assumed keys.
    func encodeAssumedBody(_ value: some Encodable) throws(KSRCranesError) -> RequestBody {
        try Self.encodeBody(value, using: assumptions.keys.applied(to: Self.makeJSONEncoder()))
    }

    static func encodeBody(
        _ value: some Encodable, using encoder: JSONEncoder = makeJSONEncoder()
    ) throws(KSRCranesError) -> RequestBody {
        do throws(CallError) { return try JSONAPIClient.encodeBody(value, using: encoder) } catch {
            throw .callError(error)
        }
    }
}
