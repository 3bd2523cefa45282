// `unsafe`: the functions that libcurl calls, with the addresses that they get.

internal import CCurlShim
internal import MultipartBody

/// What libcurl asks and tells while it sends one request. Lives on the loop's thread.
final class CurlExchange {
    private(set) var response: ResponseCollector
    private(set) var progress: SendProgress
    private(set) var sourceError: MultipartError?
    /// Whether libcurl wanted to repeat a request that the server may have.
    private(set) var isRepeatRefused = false
    /// Whether no more of the body is given out, since an answer is there.
    var isHeld = false

    private var body: BodyFeed
    private let onProgress: (@Sendable (SendProgress) -> Void)?

    init(_ request: HTTPRequest, responseLimit: Int) {
        response = ResponseCollector(bodyLimit: responseLimit)
        body = BodyFeed(request.body)
        progress = SendProgress(total: body.length, attempts: 0)
        onProgress = request.onProgress
    }

    /// The request is about to be sent, or sent again.
    ///
    /// A body of which libcurl has read is rewound here: up to 7.88 at least, it repeats a request without that if nothing of
    /// the body had left, and the rest of it would be sent for the whole.
    fileprivate func begin() -> Bool {
        progress.attempts += 1
        progress.sent = 0
        response.startAgain()
        return body.offset == 0 || rewind()
    }

    /// The body is to be sent again: not once its last byte was given out. The server may have it all then, and whether to
    /// repeat is not for libcurl to say.
    fileprivate func rewind() -> Bool {
        guard body.offset < body.length else {
            isRepeatRefused = true
            return false
        }
        body.rewind()
        return true
    }

    /// The next bytes of the body.
    fileprivate func read(into buffer: inout OutputRawSpan) -> BodyStep {
        // libcurl goes on sending if the refusal says that the connection will be closed, and would lose the rest of it.
        if let status = response.finalStatus, status >= 300 {
            isHeld = true
            return .hold
        }
        do throws(MultipartError) {
            try body.read(into: &buffer)
            return .go
        } catch {
            sourceError = error
            return .stop
        }
    }

    fileprivate func takeHead(_ line: Span<UInt8>) -> Bool { response.takeHead(line) }

    fileprivate func takeBody(_ bytes: Span<UInt8>) -> Bool { response.takeBody(bytes) }

    fileprivate func report(sent: Int64) {
        guard sent != progress.sent else { return }
        progress.sent = sent
        onProgress?(progress)
    }

    fileprivate enum BodyStep {
        case go
        case hold
        case stop
    }

    /// The functions, to be called with `self` as long as it lives.
    var client: prep_curl_callbacks {
        unsafe prep_curl_callbacks(
            context: Unmanaged.passUnretained(self).toOpaque(),
            will_send_request: { unsafe exchange($0).begin() },
            read_body: { context, buffer, capacity in
                let buffer = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
                var span = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
                let step = unsafe exchange(context).read(into: &span)
                let count = unsafe span.finalize(for: buffer)
                return switch step {
                case .go: Int64(count)
                case .hold: Int64(PREP_CURL_READ_PAUSE)
                case .stop: Int64(PREP_CURL_READ_ABORT)
                }
            },
            rewind_body: { unsafe exchange($0).rewind() },
            receive_header_line: { unsafe exchange($0).takeHead(Span(_unsafeStart: $1, count: $2)) },
            receive_body: { unsafe exchange($0).takeBody(Span(_unsafeStart: $1, count: $2)) },
            report_upload_progress: { unsafe exchange($0).report(sent: $1) })
    }
}

/// The exchange that libcurl was given.
private func exchange(_ context: UnsafeMutableRawPointer) -> CurlExchange {
    unsafe Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
}
