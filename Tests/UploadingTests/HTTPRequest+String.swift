@testable import Uploading

extension HTTPRequest {
    /// Creates a request to a URL.
    init(
        _ method: Method, _ url: String, headers: [HTTPHeader] = [], token: BearerToken? = nil, body: Body = .empty,
        timeout: Duration = .seconds(30), onProgress: (@Sendable (SendProgress) -> Void)? = nil
    ) throws {
        self.init(
            method: method, endpoint: try Endpoint(url, allowsPlainHTTP: true), headers: headers, bearerToken: token,
            body: body, timeout: timeout,
            onProgress: onProgress)
    }
}
