import HTTPTypes

@testable import HTTPCalls
@testable import Uploading

extension TransportRequest {
    /// Creates a request to a URL.
    init(
        _ method: HTTPRequest.Method, _ url: String, headerFields: HTTPFields = [:], token: BearerToken? = nil,
        body: RequestBody = .empty,
        timeout: Duration = .seconds(30), onProgress: (@Sendable (SendProgress) -> Void)? = nil
    ) throws {
        self.init(
            method: method, endpoint: try Endpoint(url, allowsPlainHTTP: true), headerFields: headerFields,
            bearerToken: token,
            body: body, timeout: timeout,
            onProgress: onProgress)
    }
}
