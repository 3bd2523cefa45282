// `unsafe`: the functions that libcurl calls, with the addresses that they get.

internal import CCurlShim
internal import MultipartBody

/// What libcurl asks and tells while it sends one request. Lives on the loop's thread.
final class CurlCallbackContext {
    private(set) var responseCollector: ResponseCollector
    private(set) var sendProgress: SendProgress
    private(set) var bodyError: MultipartError?
    /// Whether libcurl wanted to repeat a request that the server may have.
    private(set) var hasRefusedResend = false
    /// Whether no more of the body is given out, since an answer is there.
    var isPaused = false

    private var bodyReader: RequestBodyReader
    private let onProgress: (@Sendable (SendProgress) -> Void)?

    init(request: HTTPRequest, maxResponseBytes: Int) {
        responseCollector = ResponseCollector(maxBodyBytes: maxResponseBytes)
        bodyReader = RequestBodyReader(request.body)
        sendProgress = SendProgress(totalBodyBytes: bodyReader.contentLength, attemptCount: 0)
        onProgress = request.onProgress
    }

    /// The request is about to be sent, or sent again.
    ///
    /// A body of which libcurl has read is rewound here: up to 7.88 at least, it repeats a request without that if
    /// nothing of the body had left, and the rest of it would be sent for the whole.
    fileprivate func beginAttempt() -> Bool {
        sendProgress.attemptCount += 1
        sendProgress.bytesSent = 0
        responseCollector.reset()
        return bodyReader.bytesRead == 0 || rewindBody()
    }

    /// The body is to be sent again: not once its last byte was given out. The server may have it all then, and whether
    /// to repeat is not for libcurl to say.
    fileprivate func rewindBody() -> Bool {
        guard bodyReader.bytesRead < bodyReader.contentLength else {
            hasRefusedResend = true
            return false
        }
        bodyReader.rewind()
        return true
    }

    /// The next bytes of the body.
    fileprivate func readBody(into buffer: inout OutputRawSpan) -> BodyReadResult {
        // libcurl goes on sending if the refusal says that the connection will be closed, and would lose the rest of
        // it.
        if let status = responseCollector.finalStatus, status >= 300 {
            isPaused = true
            return .paused
        }
        do throws(MultipartError) {
            try bodyReader.read(into: &buffer)
            return .bytesRead
        } catch {
            bodyError = error
            return .aborted
        }
    }

    fileprivate func receiveHeaderLine(_ line: Span<UInt8>) -> Bool { responseCollector.appendHeaderLine(line) }

    fileprivate func receiveBodyBytes(_ bytes: Span<UInt8>) -> Bool { responseCollector.appendBody(bytes) }

    fileprivate func reportProgress(bytesSent: Int64) {
        guard bytesSent != sendProgress.bytesSent else { return }
        sendProgress.bytesSent = bytesSent
        onProgress?(sendProgress)
    }

    fileprivate enum BodyReadResult {
        case bytesRead
        case paused
        case aborted
    }

    /// The functions, to be called with `self` as long as it lives.
    var curlCallbacks: prep_curl_callbacks {
        unsafe prep_curl_callbacks(
            context: Unmanaged.passUnretained(self).toOpaque(),
            will_send_request: { unsafe callbackContext(from: $0).beginAttempt() },
            read_body: { context, buffer, capacity in
                let buffer = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
                var span = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
                let step = unsafe callbackContext(from: context).readBody(into: &span)
                let count = unsafe span.finalize(for: buffer)
                return switch step {
                case .bytesRead: Int64(count)
                case .paused: Int64(PREP_CURL_READ_PAUSE)
                case .aborted: Int64(PREP_CURL_READ_ABORT)
                }
            },
            rewind_body: { unsafe callbackContext(from: $0).rewindBody() },
            receive_header_line: {
                unsafe callbackContext(from: $0).receiveHeaderLine(Span(_unsafeStart: $1, count: $2))
            },
            receive_body: { unsafe callbackContext(from: $0).receiveBodyBytes(Span(_unsafeStart: $1, count: $2)) },
            report_upload_progress: { unsafe callbackContext(from: $0).reportProgress(bytesSent: $1) })
    }
}

/// The exchange that libcurl was given.
private func callbackContext(from context: UnsafeMutableRawPointer) -> CurlCallbackContext {
    unsafe Unmanaged<CurlCallbackContext>.fromOpaque(context).takeUnretainedValue()
}
