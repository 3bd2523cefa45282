/// Sends requests: by libcurl (`CurlTransport`), or by what an app has already.
public protocol HTTPTransport: Sendable {
    /// Whether it connects to names below `localhost` on this machine, without asking a name server (RFC 6761, section
    /// 6.3). The default is false.
    ///
    /// `HTTPClient` refuses plain http to such a name, `http://dev.localhost/`, with a transport that doesn't: a name
    /// server could lead it to another machine. `URLSession` doesn't. `Endpoint(_:allowsPlainHTTP:)` can allow it.
    var resolvesLocalhostToLoopback: Bool { get }

    /// Sends one request and waits for its response, whatever its status. Redirects are not followed.
    ///
    /// The request is sent once, but where a connection that was kept open proves to be dead before the body is sent
    /// whole.
    ///
    /// - Throws: a `TransportError` if no response came; `cancelled` if the task was cancelled.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

extension HTTPTransport {
    /// False.
    public var resolvesLocalhostToLoopback: Bool { false }
}
