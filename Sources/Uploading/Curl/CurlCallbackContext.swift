// `unsafe`: the callbacks of libcurl, with the addresses that they receive.

internal import CCurlShim
internal import HTTPCalls
internal import MultipartBody

/// The state behind libcurl's callbacks for one request. Used only on the event loop's thread.
final class CurlCallbackContext {
    private(set) var responseCollector: ResponseCollector
    private(set) var sendProgress: SendProgress
    private(set) var bodyError: MultipartError?
    /// Whether libcurl tried to send a request again that the server may already have received.
    private(set) var hasRefusedResend = false
    /// Whether reading the body is paused because a final response has arrived.
    var isPaused = false

    private var bodyReader: RequestBodyReader
    private let onProgress: (@Sendable (SendProgress) -> Void)?

    init(request: TransportRequest, maxResponseBytes: Int) {
        responseCollector = ResponseCollector(maxBodyBytes: maxResponseBytes)
        bodyReader = RequestBodyReader(request.body)
        sendProgress = SendProgress(totalBodyBytes: bodyReader.contentLength, attemptCount: 0)
        onProgress = request.onProgress
    }

    /// Called before the request is sent, and before it is sent again.
    ///
    /// A partly read body is rewound here. libcurl up to at least 7.88 does not rewind it if it
    /// had sent none of it, and would send the remainder as the whole body.
    fileprivate func beginAttempt() -> Bool {
        sendProgress.attemptCount += 1
        sendProgress.bytesSent = 0
        responseCollector.reset()
        return bodyReader.bytesRead == 0 || rewindBody()
    }

    /// Rewinds the body to send it again, unless its last byte has been read. The server may then have the whole
    /// request, and the retry policy must decide instead of libcurl.
    fileprivate func rewindBody() -> Bool {
        guard bodyReader.bytesRead < bodyReader.contentLength else {
            hasRefusedResend = true
            return false
        }
        bodyReader.rewind()
        return true
    }

    /// Reads the next bytes of the body.
    fileprivate func readBody(into buffer: inout OutputRawSpan) -> BodyReadResult {
        // Pause after an error response. libcurl would otherwise keep sending if the response announces that the
        // connection will be closed, and would lose the rest of the response.
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

    /// The callbacks for libcurl. They must not be called after `self` is freed.
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

/// Returns the object behind libcurl's context pointer.
private func callbackContext(from context: UnsafeMutableRawPointer) -> CurlCallbackContext {
    unsafe Unmanaged<CurlCallbackContext>.fromOpaque(context).takeUnretainedValue()
}
