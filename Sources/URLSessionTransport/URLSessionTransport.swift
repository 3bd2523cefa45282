public import Foundation
public import HTTPCalls
internal import HTTPTypes
internal import MultipartBody
internal import Synchronization

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends requests by `URLSession`, with an ephemeral configuration.
///
/// - Redirects, cookies, the cache and the storage of credentials are off. A body is sent once: `URLSession` is never
///   given a second copy of it.
/// - `URLSession` does not tell reliably how much of a body the network accepted. Unless no connection was made, the
///   body therefore counts as sent whole, so that a request that is not idempotent is never repeated by mistake.
/// - A form is written to a temporary file that only the user can read, and that is
///   removed afterwards. The calls need as much free space.
/// - Names below `localhost` are resolved by name servers, so that ``HTTPTransport/resolvesLocalhostToLoopback`` is
///   `false`. Proxies are those of the system.
public final class URLSessionTransport: HTTPTransport {
    /// The options of a transport.
    public struct Options: Sendable {
        /// The maximum size of a response's body in bytes. The default is 4 MiB.
        public var maxResponseBytes = 4 << 20
        /// The maximum number of requests to one host that are in progress, at least 1. Further requests wait in order,
        /// and their timeouts begin when they are sent. The default is 6, the number of connections of `URLSession` on
        /// most systems.
        public var maxConcurrentRequestsPerHost = 6
        /// The directory for temporary files; `nil` for the system's.
        public var temporaryDirectory: URL?

        /// Creates the default options.
        public init() {}
    }

    private let options: Options
    private let session: URLSession
    private let exchanges: URLSessionExchanges
    /// The limiters of the hosts. `URLSession` also lets requests wait for a connection, but does not tell when they
    /// are sent.
    private let limiters = Mutex<[String: RequestLimiter]>([:])

    /// Creates a transport with a session of its own.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - configure: Changes the configuration, for example to allow expensive networks. The features that this
    ///     transport switches off stay off.
    public init(options: Options = Options(), configure: (URLSessionConfiguration) -> Void = { _ in }) {
        let configuration = URLSessionConfiguration.ephemeral
        configure(configuration)
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = max(options.maxConcurrentRequestsPerHost, 1)
        self.options = options
        exchanges = URLSessionExchanges(maxResponseBytes: options.maxResponseBytes)
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends one request and returns its response, whatever its status.
    ///
    /// - Parameter request: The request.
    /// - Returns: The complete response.
    /// - Throws: The codes of ``HTTPTransport/send(_:)``.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let limiter = limiter(forHost: request.endpoint.authority)
        do throws(CallError) { try await limiter.enter() } catch {
            throw TransportError(
                code: .cancelled, message: "cancelled",
                sendProgress: SendProgress(totalBodyBytes: max(request.body.contentLength, 1)))
        }
        defer { limiter.leave() }
        let body = try await PreparedBody.prepare(request.body, temporaryDirectory: options.temporaryDirectory)
        defer { body.removeFile() }
        let task = try makeTask(for: request, body: body)
        if Task.isCancelled {
            throw TransportError(code: .cancelled, message: "cancelled", sendProgress: body.progress(isSent: false))
        }
        let timeout = Task { [exchanges] in
            try await Task.sleep(for: request.timeout)
            exchanges.end(task, code: .timeout)
        }
        defer { timeout.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchanges.begin(task, continuation: continuation, onProgress: request.onProgress)
            }
        } onCancel: {
            exchanges.end(task, code: .cancelled)
        }
        switch outcome {
        case .success(var response):
            response.sendProgress = body.progress(isSent: true)
            return response
        case .failure(var error):
            error.sendProgress = body.progress(isSent: !Self.codesBeforeSending.contains(error.code))
            throw error
        }
    }

    private func limiter(forHost host: String) -> RequestLimiter {
        limiters.withLock { limiters in
            if let limiter = limiters[host] { return limiter }
            let limiter = RequestLimiter(limit: max(options.maxConcurrentRequestsPerHost, 1))
            limiters[host] = limiter
            return limiter
        }
    }

    /// The codes of errors before anything is sent.
    private static let codesBeforeSending: Set<TransportError.Code> = [
        .connectionFailed, .tlsFailed, .invalidURL, .invalidRequest, .outOfResources,
    ]

    private func makeTask(
        for request: TransportRequest, body: PreparedBody
    ) throws(TransportError) -> URLSessionTask {
        guard let url = URL(string: request.endpoint.description) else {
            throw TransportError(
                code: .invalidURL, message: "the URL is not supported", sendProgress: body.progress(isSent: false))
        }
        guard request.isSendable else {
            throw TransportError(
                code: .invalidRequest, message: "a header or the body can't be sent",
                sendProgress: body.progress(isSent: false))
        }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = request.method.rawValue
        urlRequest.httpShouldHandleCookies = false
        // The whole time is limited by `send`. This limit is for pauses, and must not be shorter.
        urlRequest.timeoutInterval = max(request.timeout / .seconds(1), 1) + 60
        for field in request.head.headerFields {
            urlRequest.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        request.bearerToken?.withSecret {
            urlRequest.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization")
        }
        switch body.content {
        case .none: return session.dataTask(with: urlRequest)
        case .bytes(let bytes): return session.uploadTask(with: urlRequest, from: bytes)
        case .file(let file): return session.uploadTask(with: urlRequest, fromFile: file)
        }
    }
}
