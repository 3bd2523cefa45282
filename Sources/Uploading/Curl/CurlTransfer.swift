internal import CCurlShim
internal import HTTPCalls
internal import HTTPTypes
internal import MultipartBody

/// One request in progress and its result. Used only on the event loop's thread.
final class CurlTransfer {
    let callbackContext: CurlCallbackContext
    let curlEasyHandle: CurlEasyHandle
    private let submission: CurlSubmission

    /// Creates a transfer for a request. It does not start before it is added to a multi handle.
    ///
    /// - Returns: `nil` if there is not enough memory.
    init?(submission: CurlSubmission, options: CurlTransport.Options) {
        self.submission = submission
        callbackContext = CurlCallbackContext(request: submission.request, maxResponseBytes: options.maxResponseBytes)
        guard let easy = CurlEasyHandle(request: submission.request, options: options, callbackContext: callbackContext)
        else { return nil }
        self.curlEasyHandle = easy
    }

    var isCancelled: Bool { submission.isCancelled }

    /// Resumes reading the body if it is paused.
    func resumeIfPaused() {
        guard callbackContext.isPaused else { return }
        callbackContext.isPaused = false
        curlEasyHandle.unpause()
    }

    /// Passes the result to the waiting caller. Must be called exactly once.
    func complete(with result: Result<TransportResponse, TransportError>) {
        submission.continuation.resume(returning: result)
    }

    /// Converts libcurl's outcome to a result.
    func transferResult(for outcome: prep_curl_outcome) -> Result<TransportResponse, TransportError> {
        switch outcome {
        case .done: responseResult(for: outcome, fallbackCode: .connectionLost)
        case .lost:
            responseResult(
                for: outcome, fallbackCode: curlEasyHandle.hasSentAnyByte ? .connectionLost : .connectionFailed)
        case .timeout:
            responseResult(for: outcome, fallbackCode: curlEasyHandle.hasSentAnyByte ? .timeout : .connectionFailed)
        case .aborted:
            .failure(transportError(code: callbackContext.bodyError == nil ? .connectionLost : .bodySourceFailed))
        case .badResponse: .failure(transportError(code: .invalidResponse))
        case .invalidURL: .failure(transportError(code: .invalidURL))
        case .connect: .failure(transportError(code: .connectionFailed))
        case .tls: .failure(transportError(code: .tlsFailed))
        // libcurl also reports a header line that is too long as out of memory.
        case .resources:
            .failure(transportError(code: curlEasyHandle.hasSentAnyByte ? .invalidResponse : .outOfResources))
        }
    }

    /// Returns the response if enough of it was received. An error response counts even if its body is incomplete; any
    /// other response must be complete.
    private func responseResult(
        for outcome: prep_curl_outcome, fallbackCode: TransportError.Code
    ) -> Result<TransportResponse, TransportError> {
        let collector = callbackContext.responseCollector
        guard let status = collector.finalStatus else { return .failure(transportError(code: fallbackCode)) }
        let isWhole = outcome == .done || curlEasyHandle.declaredContentLength == Int64(collector.body.count)
        guard isWhole || status >= 300 else { return .failure(transportError(code: fallbackCode)) }
        return .success(
            TransportResponse(
                status: status, headerFields: collector.headerFields, body: collector.body, sendProgress: sendProgress))
    }

    /// Returns an error with the message for the given code.
    func transportError(code: TransportError.Code) -> TransportError {
        let message =
            switch code {
            case .connectionFailed: "no connection: \(curlEasyHandle.errorMessage)"
            case .tlsFailed: "no trusted connection: \(curlEasyHandle.errorMessage)"
            case .connectionLost: "the connection was lost: \(curlEasyHandle.errorMessage)"
            case .timeout: "no response in time: \(curlEasyHandle.errorMessage)"
            case .invalidResponse:
                callbackContext.responseCollector.rejectionReason
                    ?? "the response is not as it should be: \(curlEasyHandle.errorMessage)"
            case .bodySourceFailed: callbackContext.bodyError?.message ?? "the body can't be read"
            case .cancelled: "cancelled"
            default: curlEasyHandle.errorMessage
            }
        return TransportError(
            code: code, message: message, sendProgress: sendProgress, cause: callbackContext.bodyError)
    }

    /// How much of the request was sent. If libcurl was not allowed to send it again, the server may have the whole
    /// body.
    private var sendProgress: SendProgress {
        let total = callbackContext.sendProgress.totalBodyBytes
        return SendProgress(
            bytesSent: callbackContext.hasRefusedResend ? total : min(curlEasyHandle.bytesSent, total),
            totalBodyBytes: total,
            attemptCount: max(callbackContext.sendProgress.attemptCount, 1))
    }
}
