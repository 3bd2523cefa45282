/// Sends single HTTP requests. `CurlTransport` of the module `Uploading` uses libcurl, `URLSessionTransport` of the
/// module of the same name uses `URLSession`; an app can provide its own.
public protocol HTTPTransport: Sendable {
    /// Whether names below `localhost` are always connected to this machine, without a name server (RFC 6761, section
    /// 6.3). The default is `false`.
    ///
    /// With a transport that returns `false`, such as one over `URLSession`, ``HTTPClient`` rejects plain http to a
    /// name like `http://dev.localhost/`: a name server could resolve it to another machine.
    /// ``Endpoint/init(_:allowsPlainHTTP:)`` can allow it.
    var resolvesLocalhostToLoopback: Bool { get }

    /// Sends one request and returns its response, whatever its status. Redirects are not followed.
    ///
    /// The request is sent once. It is sent again only if a reused connection turns out to be dead before the whole
    /// body was sent.
    ///
    /// - Parameter request: The request.
    /// - Returns: The complete response.
    /// - Throws: ``TransportError`` if no response was received; ``TransportError/Code/cancelled`` if the task was
    ///   cancelled.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}

extension HTTPTransport {
    /// The default: `false`.
    public var resolvesLocalhostToLoopback: Bool { false }
}
