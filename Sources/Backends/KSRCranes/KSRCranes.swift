public import MultipartBody
public import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// KSR Cranes: its app's calls, and the two pictures that it sends.
///
/// Whatever a role may ask for goes through `get`, `post`, `put`, `delete` and `uploadMultipart`, with models of the caller's. Dates are
/// those of `yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'`; the keys of the models here are in snake_case. All calls but the login want a token.
public struct KSRCranes: Sendable {
    private let calls: JSONCalls

    /// The API at a URL: `https://host` for `https://host/api/app/login`.
    public init(_ base: Endpoint, client: HTTPClient) {
        calls = JSONCalls(base: base, client: client, decoder: Self.makeDecoder())
    }

    /// Asks for something.
    ///
    /// - Parameters:
    ///   - path: below the base URL, such as `/api/app/tasks`.
    ///   - query: what follows the path's `?`.
    public func get<Answer: Decodable>(
        _ path: String, query: [FormField] = [], as type: Answer.Type = Answer.self
    ) async throws(KSRCranesError) -> Answer {
        try await call(.get, path, query: query)
    }

    /// Makes something. It is sent once.
    public func post<Answer: Decodable>(
        _ path: String, _ body: some Encodable, as type: Answer.Type = Answer.self
    ) async throws(KSRCranesError) -> Answer {
        try await call(.post, path, Self.body(body))
    }

    /// Replaces something.
    public func put<Answer: Decodable>(
        _ path: String, _ body: some Encodable, as type: Answer.Type = Answer.self
    ) async throws(KSRCranesError) -> Answer {
        try await call(.put, path, Self.body(body))
    }

    /// Removes something.
    public func delete<Answer: Decodable>(
        _ path: String, as type: Answer.Type = Answer.self
    ) async throws(KSRCranesError) -> Answer {
        try await call(.delete, path)
    }

    /// Sends files with what is said of them. It is sent once.
    public func uploadMultipart<Answer: Decodable>(
        _ path: String, fields: [FormField] = [], files: [MultipartPart], as type: Answer.Type = Answer.self
    ) async throws(KSRCranesError) -> Answer {
        let fields = fields.map { MultipartPart.field($0.name, $0.value) }
        let body: MultipartBody
        do { body = try MultipartBody(fields + files) } catch {
            throw .upload(UploadError(.sourceChanged, error.message, cause: error))
        }
        return try await call(.post, path, .multipart(body))
    }

    /// - Parameter takesToken: for the login, not.
    func call<Answer: Decodable>(
        _ method: HTTPRequest.Method, _ path: String, query: [FormField] = [], _ body: HTTPRequest.Body = .empty,
        takesToken: Bool = true
    ) async throws(KSRCranesError) -> Answer {
        do throws(UploadError) {
            return try await calls.call(
                method, Self.endpoint(path, calls.base).querying(query), body: body, takesToken: takesToken,
                mayRepeat: takesToken ? nil : true)
        } catch {
            throw KSRCranesError(error)
        }
    }

    static func body(_ value: some Encodable) throws(KSRCranesError) -> HTTPRequest.Body {
        do throws(UploadError) { return try JSONCalls.body(value, by: makeEncoder()) } catch {
            throw .upload(error)
        }
    }

    static func endpoint(_ path: String, _ base: Endpoint) -> Endpoint {
        path.split(separator: "/").reduce(base) { $0.appending(String($1)) }
    }
}
