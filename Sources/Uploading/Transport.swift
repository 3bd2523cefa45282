/// Sends requests: by libcurl (`CurlTransport`), or by what an app has already.
public protocol Transport: Sendable {
    /// Sends one request and waits for its response, whatever its status. Redirects are not followed.
    ///
    /// The request is sent once, but where a connection that was kept open proves to be dead before the body is sent whole.
    ///
    /// - Throws: a `TransportError` if no response came; `cancelled` if the task was cancelled.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}
