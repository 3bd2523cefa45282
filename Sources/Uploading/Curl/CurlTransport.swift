internal import CCurlShim
public import HTTPCalls
internal import Synchronization

/// Sends requests by libcurl. One thread serves all connections.
///
/// - TLS is at least 1.2, and the server's certificate is always verified. Proxies are taken from the environment
///   (`https_proxy` and so on). HTTP/2 is used over TLS if the server supports it. Cookies, `.netrc` and redirects are
///   disabled.
/// - A body is sent with a `Content-Length`, and is read on the transport's thread as the network accepts it. Before a
///   body over 1 MiB, `Expect: 100-continue` is sent (RFC 9110, section 10.1.1) and the response is awaited for 250 ms.
///   After a 417 response the request is sent again without it.
/// - A final response with a status of 300 or more ends the reading of the body, and is returned even if the rest of
///   the response is lost.
/// - A connection is reused within 4 s. If it turns out to be dead, the request is sent again on a new one, unless
///   libcurl has read the last byte of its body. `SendProgress.attemptCount` includes such attempts. A request other
///   than GET without a body always uses a new connection, because it would be unknown whether a dead connection had
///   delivered it.
///
/// The thread starts with the first request and ends when the last reference to this object is released.
public final class CurlTransport: HTTPTransport {
    /// The options of a transport.
    public struct Options: Sendable {
        /// The path of a PEM file of certificate authorities that replaces the system's; `nil` for the system's.
        public var certificateAuthoritiesPath: [UInt8]?
        /// The maximum size of a response's body in bytes. The default is 4 MiB. The head is limited to 256 KiB.
        public var maxResponseBytes = 4 << 20
        /// The maximum number of requests in progress, each with a connection of its own in HTTP/1.1. Further requests
        /// wait in order, and their timeouts begin when they are sent. The default is 64.
        public var maxConcurrentRequests = 64
        /// The timeout for name resolution, connection and TLS handshake together. The default is 10 s.
        public var connectTimeout: Duration = .seconds(10)
        /// The time for which an idle connection is kept for reuse.
        ///
        /// If a server closes a connection just as it is reused, it is unknown whether the server received the request.
        /// Many servers close idle connections after 5 s.
        package var maxConnectionAge: Duration = .seconds(4)
        /// The value of the `User-Agent` header.
        public var userAgent = "media-prep"

        /// Creates the default options.
        public init() {}
    }

    private let eventLoop: CurlEventLoop

    /// Whether libcurl itself resolves the names below `localhost` to the loopback addresses: since version 7.85.
    public var resolvesLocalhostToLoopback: Bool { prep_curl_resolves_localhost_names() }

    /// Creates a transport.
    ///
    /// - Parameter options: The options.
    /// - Throws: `TransportError.Code.outOfResources` if libcurl cannot be used; `TransportError.Code.tlsFailed` if
    ///   the file of certificate authorities cannot be read.
    public init(options: Options = Options()) throws(TransportError) {
        eventLoop = try CurlEventLoop(options: options)
    }

    deinit { eventLoop.stop() }

    /// Sends one request and returns its response, whatever its status.
    ///
    /// - Parameter request: The request. Its header fields must not be those that the transport sets:
    ///   `Authorization`, `Connection`, `Content-Length`, `Expect` and `Transfer-Encoding`.
    /// - Returns: The complete response, or an error response with at least its head.
    /// - Throws: `TransportError.Code.invalidURL`, also for a URL with user information;
    ///   `TransportError.Code.invalidRequest` for a header; `TransportError.Code.outOfResources`; the codes of
    ///   `HTTPTransport.send(_:)`.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try request.validate()
        let cancellationFlag = CurlCancellationFlag()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                eventLoop.submitRequest(
                    CurlSubmission(request: request, cancellationFlag: cancellationFlag, continuation: continuation))
            }
        } onCancel: {
            cancellationFlag.isCancelled.store(true, ordering: .relaxed)
            eventLoop.noteCancellation()
        }
        return try result.get()
    }
}

/// A request submitted to the event loop, with the continuation that receives its result.
struct CurlSubmission: Sendable {
    var request: TransportRequest
    var cancellationFlag: CurlCancellationFlag
    var continuation: CheckedContinuation<Result<TransportResponse, TransportError>, Never>

    var isCancelled: Bool { cancellationFlag.isCancelled.load(ordering: .relaxed) }

    /// Passes an error to the waiting caller, before any byte of the request was sent.
    func completeUnsent(code: TransportError.Code) {
        // A request without a body would otherwise count as sent.
        let progress = SendProgress(
            bytesSent: 0, totalBodyBytes: max(1, request.body.contentLength))
        let message = code == .cancelled ? "cancelled" : "not enough memory for a transfer"
        continuation.resume(returning: .failure(TransportError(code: code, message: message, sendProgress: progress)))
    }
}

/// Whether the task of a request was cancelled.
final class CurlCancellationFlag: Sendable {
    /// Relaxed ordering suffices: the event loop reads it after it has seen, under its lock, that a task was cancelled
    /// after the store.
    let isCancelled = Atomic(false)
}
