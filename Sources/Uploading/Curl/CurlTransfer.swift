internal import CCurlShim
internal import MultipartBody
internal import Synchronization

/// One request under way, and what becomes of it. Lives on the loop's thread.
final class CurlTransfer {
    let callbackContext: CurlCallbackContext
    let curlEasyHandle: CurlEasyHandle
    private let submission: CurlSubmission

    /// Nil without memory.
    init?(submission: CurlSubmission, options: CurlTransport.Options) {
        self.submission = submission
        callbackContext = CurlCallbackContext(request: submission.request, maxResponseBytes: options.maxResponseBytes)
        guard let easy = CurlEasyHandle(request: submission.request, options: options, callbackContext: callbackContext)
        else { return nil }
        self.curlEasyHandle = easy
    }

    var isCancelled: Bool { submission.cancellationFlag.isCancelled.load(ordering: .relaxed) }

    /// Has the body read on, if that was held.
    func resumeIfPaused() {
        guard callbackContext.isPaused else { return }
        callbackContext.isPaused = false
        curlEasyHandle.unpause()
    }

    /// Tells who waits. To be called once.
    func complete(with result: Result<HTTPResponse, TransportError>) {
        submission.continuation.resume(returning: result)
    }

    /// What libcurl's outcome means.
    func transferResult(for outcome: prep_curl_outcome) -> Result<HTTPResponse, TransportError> {
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
        // To libcurl a line of a head that is too long is a lack of memory too.
        case .resources:
            .failure(transportError(code: curlEasyHandle.hasSentAnyByte ? .invalidResponse : .outOfResources))
        }
    }

    /// The response, if enough of it came. A refusal is one whatever is lost of its words; all else must be complete.
    private func responseResult(
        for outcome: prep_curl_outcome, fallbackCode: TransportError.Code
    ) -> Result<HTTPResponse, TransportError> {
        let collector = callbackContext.responseCollector
        guard let status = collector.finalStatus else { return .failure(transportError(code: fallbackCode)) }
        let isWhole = outcome == .done || curlEasyHandle.declaredContentLength == Int64(collector.body.count)
        guard isWhole || status >= 300 else { return .failure(transportError(code: fallbackCode)) }
        return .success(
            HTTPResponse(status: status, headers: collector.headers, body: collector.body, sendProgress: sendProgress))
    }

    /// An error of that code, with the sentence for it.
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

    /// How much left. Where libcurl may not repeat a request the server may have it all.
    private var sendProgress: SendProgress {
        let total = callbackContext.sendProgress.totalBodyBytes
        return SendProgress(
            bytesSent: callbackContext.hasRefusedResend ? total : min(curlEasyHandle.bytesSent, total),
            totalBodyBytes: total,
            attemptCount: max(callbackContext.sendProgress.attemptCount, 1))
    }
}
