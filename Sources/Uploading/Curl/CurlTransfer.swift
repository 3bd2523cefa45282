internal import CCurlShim
internal import MultipartBody
internal import Synchronization

/// One request under way, and what becomes of it. Lives on the loop's thread.
final class CurlTransfer {
    let exchange: CurlExchange
    let easy: CurlEasy
    private let submission: CurlSubmission

    /// Nil without memory.
    init?(_ submission: CurlSubmission, _ options: CurlTransport.Options) {
        self.submission = submission
        exchange = CurlExchange(submission.request, responseLimit: options.responseLimit)
        guard let easy = CurlEasy(submission.request, options, exchange) else { return nil }
        self.easy = easy
    }

    var isCancelled: Bool { submission.cancellation.isCancelled.load(ordering: .relaxed) }

    /// Has the body read on, if that was held.
    func release() {
        guard exchange.isHeld else { return }
        exchange.isHeld = false
        easy.release()
    }

    /// Tells who waits. To be called once.
    func finish(_ result: Result<HTTPResponse, TransportError>) {
        submission.continuation.resume(returning: result)
    }

    /// What libcurl's outcome means.
    func result(_ outcome: prep_curl_outcome) -> Result<HTTPResponse, TransportError> {
        switch outcome {
        case .done: response(outcome, orElse: .connectionLost)
        case .lost: response(outcome, orElse: easy.hasBegun ? .connectionLost : .connect)
        case .timeout: response(outcome, orElse: easy.hasBegun ? .timeout : .connect)
        case .aborted: .failure(error(exchange.sourceError == nil ? .connectionLost : .source))
        case .badResponse: .failure(error(.badResponse))
        case .invalidURL: .failure(error(.invalidURL))
        case .connect: .failure(error(.connect))
        case .tls: .failure(error(.tls))
        // To libcurl a line of a head that is too long is a lack of memory too.
        case .resources: .failure(error(easy.hasBegun ? .badResponse : .outOfResources))
        }
    }

    /// The response, if enough of it came. A refusal is one whatever is lost of its words; all else must be complete.
    private func response(
        _ outcome: prep_curl_outcome, orElse code: TransportError.Code
    ) -> Result<HTTPResponse, TransportError> {
        let collector = exchange.response
        guard let status = collector.finalStatus else { return .failure(error(code)) }
        let isWhole = outcome == .done || easy.announcedLength == Int64(collector.body.count)
        guard isWhole || status >= 300 else { return .failure(error(code)) }
        return .success(
            HTTPResponse(status: status, headers: collector.headers, body: collector.body, progress: progress))
    }

    /// An error of that code, with the sentence for it.
    func error(_ code: TransportError.Code) -> TransportError {
        let message =
            switch code {
            case .connect: "no connection: \(easy.reason)"
            case .tls: "no trusted connection: \(easy.reason)"
            case .connectionLost: "the connection was lost: \(easy.reason)"
            case .timeout: "no response in time: \(easy.reason)"
            case .badResponse: exchange.response.fault ?? "the response is not as it should be: \(easy.reason)"
            case .source: exchange.sourceError?.message ?? "the body can't be read"
            case .cancelled: "cancelled"
            default: easy.reason
            }
        return TransportError(code, message, progress: progress, cause: exchange.sourceError)
    }

    /// How much left. Where libcurl may not repeat a request the server may have it all.
    private var progress: SendProgress {
        let total = exchange.progress.total
        return SendProgress(
            sent: exchange.isRepeatRefused ? total : min(easy.sent, total), total: total,
            attempts: max(exchange.progress.attempts, 1))
    }
}
