internal import Foundation
internal import HTTPCalls
internal import HTTPTypes
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The requests in progress of a session, which is told of their responses.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate {
    typealias Outcome = Result<TransportResponse, TransportError>

    private struct Exchange {
        var continuation: CheckedContinuation<Outcome, Never>
        var onProgress: (@Sendable (SendProgress) -> Void)?
        var body: [UInt8] = []
        /// The reason why this transport cancelled the task; `nil` if it did not.
        var endCode: TransportError.Code?
    }

    private struct State {
        var exchanges: [Int: Exchange] = [:]
        /// The tasks that were cancelled before they began.
        var endedEarly: [Int: TransportError.Code] = [:]
    }

    private let maxResponseBytes: Int
    private let state = Mutex(State())

    init(maxResponseBytes: Int) { self.maxResponseBytes = maxResponseBytes }

    /// Starts a task. Its outcome resumes the continuation.
    func begin(
        _ task: URLSessionTask, continuation: CheckedContinuation<Outcome, Never>,
        onProgress: (@Sendable (SendProgress) -> Void)?
    ) {
        let endCode = state.withLock { state in
            let code = state.endedEarly.removeValue(forKey: task.taskIdentifier)
            if code == nil {
                state.exchanges[task.taskIdentifier] = Exchange(continuation: continuation, onProgress: onProgress)
            }
            return code
        }
        if let endCode {
            task.cancel()
            continuation.resume(returning: .failure(Self.error(endCode)))
        } else {
            task.resume()
        }
    }

    /// Cancels a task for a reason of this transport.
    func end(_ task: URLSessionTask, code: TransportError.Code) {
        state.withLock { state in
            if state.exchanges[task.taskIdentifier] == nil {
                // After the end of a task, nothing begins any more, and this entry has no effect.
                if task.state == .suspended { state.endedEarly[task.taskIdentifier] = code }
            } else if state.exchanges[task.taskIdentifier]?.endCode == nil {
                state.exchanges[task.taskIdentifier]?.endCode = code
            }
        }
        task.cancel()
    }

    // MARK: The delegate's methods

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The response itself is the result. The client decides about redirects.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        // A body is sent once.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let onProgress = state.withLock { $0.exchanges[task.taskIdentifier]?.onProgress }
        onProgress?(SendProgress(bytesSent: totalBytesSent, totalBodyBytes: max(totalBytesExpectedToSend, 0)))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = state.withLock { state in
            guard let count = state.exchanges[dataTask.taskIdentifier]?.body.count else { return false }
            if data.count > maxResponseBytes - count {
                state.exchanges[dataTask.taskIdentifier]?.endCode = .invalidResponse
                return true
            }
            state.exchanges[dataTask.taskIdentifier]?.body += data
            return false
        }
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = state.withLock({ $0.exchanges.removeValue(forKey: task.taskIdentifier) }) else { return }
        exchange.continuation.resume(returning: outcome(of: exchange, response: task.response, error: error))
    }

    private func outcome(of exchange: Exchange, response: URLResponse?, error: (any Error)?) -> Outcome {
        if let code = exchange.endCode {
            let reason = code == .invalidResponse ? "the response is larger than \(maxResponseBytes) bytes" : nil
            return .failure(Self.error(code, reason: reason))
        }
        // An error response counts even if its body is incomplete.
        if let response = response as? HTTPURLResponse, error == nil || response.statusCode >= 300 {
            return .success(TransportResponse(response, body: exchange.body))
        }
        guard let error else { return .failure(Self.error(.invalidResponse, reason: "the response is not HTTP")) }
        let code = TransportError.Code(urlErrorCode: (error as? URLError)?.code)
        return .failure(Self.error(code, cause: error))
    }

    /// Returns an error with a message of this transport's own, because those of `URLSession` may contain the URL.
    private static func error(
        _ code: TransportError.Code, reason: String? = nil, cause: (any Error)? = nil
    ) -> TransportError {
        let number = (cause as? URLError).map { " (URLError \($0.code.rawValue))" } ?? ""
        let message =
            switch code {
            case .connectionFailed: "no connection\(number)"
            case .tlsFailed: "no trusted connection\(number)"
            case .timeout: "no response in time\(number)"
            case .cancelled: "cancelled"
            case .invalidURL: "the URL is not supported\(number)"
            case .outOfResources: "the temporary file of the form can't be read\(number)"
            default: reason ?? "the connection was lost\(number)"
            }
        return TransportError(code: code, message: message)
    }
}

extension TransportError.Code {
    /// The code for an error of `URLSession`. Any error after which a connection may have existed is a lost one.
    fileprivate init(urlErrorCode: URLError.Code?) {
        self =
            switch urlErrorCode {
            case .cannotFindHost?, .cannotConnectToHost?, .dnsLookupFailed?, .notConnectedToInternet?,
                .dataNotAllowed?, .internationalRoamingOff?, .callIsActive?:
                .connectionFailed
            case .secureConnectionFailed?, .serverCertificateUntrusted?, .serverCertificateHasBadDate?,
                .serverCertificateNotYetValid?, .serverCertificateHasUnknownRoot?, .clientCertificateRejected?,
                .clientCertificateRequired?:
                .tlsFailed
            case .timedOut?: .timeout
            case .cancelled?: .cancelled
            // App Transport Security does not allow plain HTTP.
            case .badURL?, .unsupportedURL?, .appTransportSecurityRequiresSecureConnection?: .invalidURL
            // The temporary file of the form.
            case .fileDoesNotExist?, .fileIsDirectory?, .noPermissionsToReadFile?: .outOfResources
            case .badServerResponse?, .cannotParseResponse?, .cannotDecodeContentData?, .cannotDecodeRawData?,
                .dataLengthExceedsMaximum?:
                .invalidResponse
            default: .connectionLost
            }
    }
}

extension TransportResponse {
    /// The maximum number of header fields. `HTTPFields` traps above 65,534.
    private static var maxFieldCount: Int { 5_000 }

    fileprivate init(_ response: HTTPURLResponse, body: [UInt8]) {
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields.prefix(Self.maxFieldCount) {
            guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else {
                continue
            }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(status: min(max(response.statusCode, 0), 999), headerFields: fields, body: body)
    }
}
