public import MultipartBody
public import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// KSR Cranes: its app's calls, and the two pictures that it sends.
///
/// Whatever a role may ask for goes through `get`, `post`, `put`, `delete` and `uploadMultipart`, with models of the
/// caller's. Dates are those of `yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'`; the keys of the models here are in snake_case. All
/// calls but the login want a token.
public struct KSRCranesClient: Sendable {
    private let apiClient: JSONAPIClient

    /// The API at a URL: `https://host` for `https://host/api/app/login`.
    public init(baseEndpoint: Endpoint, client: HTTPClient) {
        apiClient = JSONAPIClient(baseEndpoint: baseEndpoint, httpClient: client, decoder: Self.makeJSONDecoder())
    }

    /// Asks for something.
    ///
    /// - Parameters:
    ///   - path: below the base URL, such as `/api/app/tasks`.
    ///   - query: what follows the path's `?`.
    public func get<Answer: Decodable>(
        path: String, query: [FormField] = [], as type: Answer.Type = Answer.self
    ) async throws(KSRCranesError) -> Answer {
        try await call(method: .get, path: path, query: query)
    }

    /// Makes something. It is sent once.
    public func post<Answer: Decodable>(
        path: String, body: some Encodable, as type: Answer.Type = Answer.self
    ) async throws(KSRCranesError) -> Answer {
        try await call(method: .post, path: path, body: Self.encodeBody(body))
    }

    /// Replaces something.
    public func put<Answer: Decodable>(
        path: String, body: some Encodable, as type: Answer.Type = Answer.self
    ) async throws(KSRCranesError) -> Answer {
        try await call(method: .put, path: path, body: Self.encodeBody(body))
    }

    /// Removes something.
    public func delete<Answer: Decodable>(
        path: String, as type: Answer.Type = Answer.self
    ) async throws(KSRCranesError) -> Answer {
        try await call(method: .delete, path: path)
    }

    /// Sends files with what is said of them. It is sent once.
    public func uploadMultipart<Answer: Decodable>(
        path: String, fields: [FormField] = [], files: [MultipartPart], as type: Answer.Type = Answer.self
    ) async throws(KSRCranesError) -> Answer {
        let fields = fields.map { MultipartPart.field(name: $0.name, value: $0.value) }
        let body: MultipartForm
        do { body = try MultipartForm(parts: fields + files) } catch {
            throw .uploadError(UploadError(code: .sourceChanged, message: error.message, cause: error))
        }
        return try await call(method: .post, path: path, body: .multipart(body))
    }

    /// - Parameter usesClientToken: for the login, not.
    func call<Answer: Decodable>(
        method: HTTPRequest.Method, path: String, query: [FormField] = [], body: HTTPRequest.Body = .empty,
        usesClientToken: Bool = true
    ) async throws(KSRCranesError) -> Answer {
        do throws(UploadError) {
            return try await apiClient.call(
                method: method, endpoint: Self.endpoint(path: path, base: apiClient.baseEndpoint).appendingQuery(query),
                body: body, usesClientToken: usesClientToken,
                isIdempotent: usesClientToken ? nil : true)
        } catch {
            throw KSRCranesError(error)
        }
    }

    static func encodeBody(_ value: some Encodable) throws(KSRCranesError) -> HTTPRequest.Body {
        do throws(UploadError) { return try JSONAPIClient.encodeBody(value, using: makeJSONEncoder()) } catch {
            throw .uploadError(error)
        }
    }

    static func endpoint(path: String, base: Endpoint) -> Endpoint {
        path.split(separator: "/").reduce(base) { $0.appendingPathSegments(String($1)) }
    }
}
