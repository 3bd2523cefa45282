internal import Synchronization

/// Sends requests by libcurl, on one thread that waits for all connections.
///
/// - TLS is at least 1.2, and the server is verified always. Proxies are those of the environment (`https_proxy` and so
///   on), HTTP/2 is spoken over TLS where the server does. There are no cookies, no `.netrc` and no redirects.
/// - A body has a `Content-Length`, and is read as the network takes it, on the transport's thread. A body over 1 MiB
///   asks first whether it is welcome (`Expect: 100-continue`, RFC 9110, section 10.1.1), and waits 250 ms for the
///   answer; a server that answers with 417 is asked again without.
/// - A final answer that comes while the body is being sent is the response, as is the head of one whose rest is lost,
///   if its status is 300 or more. The body is then read no further.
/// - A connection is used again within 4 s. If it proves to be dead, the request is repeated on a new one, as long as
///   the last byte of its body wasn't given to libcurl: `SendProgress.attempts` counts it. What changes something and
///   has no body takes a new connection each time, since nobody could say whether a dead one had carried it.
///
/// The thread is started with the first request, and ends when the last reference to this object is gone.
public final class CurlTransport: HTTPTransport {
    /// How it connects, and what it takes.
    public struct Options: Sendable {
        /// A file of certificates in PEM, to be believed in place of the system's; nil for those.
        public var certificateAuthoritiesPath: [UInt8]?
        /// The most bytes of a response's body. Those of its head may be 256 KiB.
        public var maxResponseBytes = 4 << 20
        /// How long it may take to find the server, to connect and to agree upon TLS.
        public var connectTimeout: Duration = .seconds(10)
        /// How long a connection is kept that nobody uses.
        ///
        /// A server that closes one just as it is used again leaves open whether it has the request. Many close after 5
        /// s.
        package var maxConnectionAge: Duration = .seconds(4)
        /// How it calls itself.
        public var userAgent = "media-prep"

        /// The defaults.
        public init() {}
    }

    private let eventLoop: CurlEventLoop

    /// True: libcurl has the addresses of `localhost`, and of names below it, built in.
    public var resolvesLocalhostToLoopback: Bool { true }

    /// - Throws: `out-of-resources` if libcurl can't be used, `tls` if the file of authorities can't be read.
    public init(options: Options = Options()) throws(TransportError) {
        eventLoop = try CurlEventLoop(options: options)
    }

    deinit { eventLoop.stop() }

    /// Sends one request: the requirement of `HTTPTransport`.
    ///
    /// Headers may not be those that the transport writes itself (`Authorization`, `Connection`, `Content-Length`,
    /// `Expect`, `Transfer-Encoding`), nor hold what ends a line.
    ///
    /// - Throws: `invalid-url`, also for a URL with a user's name or password; `invalid-request` for a header; the
    ///   codes of `HTTPTransport.send`; `out-of-resources`.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try request.validate()
        let cancellationFlag = CurlCancellationFlag()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                eventLoop.submitRequest(
                    CurlSubmission(request: request, cancellationFlag: cancellationFlag, continuation: continuation))
            }
        } onCancel: {
            cancellationFlag.isCancelled.store(true, ordering: .relaxed)
            eventLoop.wake()
        }
        return try result.get()
    }
}

/// A request on its way to the loop, with whom to tell.
struct CurlSubmission: Sendable {
    var request: HTTPRequest
    var cancellationFlag: CurlCancellationFlag
    var continuation: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>
}

/// Whether a request's task was cancelled.
final class CurlCancellationFlag: Sendable {
    /// The wake-up that follows passes a lock, and orders it.
    let isCancelled = Atomic(false)
}
