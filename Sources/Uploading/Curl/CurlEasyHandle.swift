// `unsafe`: owns a C handle, and passes it the addresses of strings for the length of a call.

internal import CCurlShim
internal import HTTPCalls
internal import HTTPTypes

/// libcurl's easy handle for one transfer, configured from a request.
@safe struct CurlEasyHandle: ~Copyable {
    /// The size in bytes of the buffer through which a body is read.
    ///
    /// 2 GiB to a server on loopback took 1.38 s (medians of 7); 64 KiB took 1.41 s, 1 MiB 1.19 s, 2 MiB 1.28 s, and
    /// `curl -F` 1.45 s. Each transfer has a buffer of this size. A body that fits into it cannot be sent again once it
    /// was read.
    private static let uploadBufferSize: Int64 = 256 << 10

    /// Owned; destroyed in `deinit`.
    let handle: OpaquePointer
    /// Retained because the C handle has its address.
    private let callbackContext: CurlCallbackContext

    /// Creates a handle for a request.
    ///
    /// - Returns: `nil` if there is not enough memory.
    init?(request: TransportRequest, options: CurlTransport.Options, callbackContext: CurlCallbackContext) {
        var client = unsafe callbackContext.curlCallbacks
        guard let handle = unsafe prep_curl_easy_create(&client) else { return nil }
        unsafe self.handle = handle
        self.callbackContext = callbackContext
        unsafe prep_curl_easy_set_method_and_url(handle, request.method.rawValue, request.endpoint.description)
        // No proxy for requests to this machine: plain http is allowed there only because the request does not leave
        // the machine.
        if request.endpoint.isLoopback { unsafe prep_curl_easy_disable_proxies(handle) }
        unsafe prep_curl_easy_set_timeouts(
            handle, options.connectTimeout.clampedMilliseconds, request.timeout.clampedMilliseconds)
        unsafe prep_curl_easy_set_max_idle_age(handle, options.maxConnectionAge.components.seconds)
        unsafe prep_curl_easy_set_user_agent(handle, options.userAgent)
        if let token = request.bearerToken { unsafe prep_curl_easy_set_bearer_token(handle, token.secret) }
        if let path = options.certificateAuthoritiesPath {
            unsafe prep_curl_easy_set_ca_file(handle, path.map(CChar.init(bitPattern:)) + [0])
        }
        for field in request.head.headerFields { addHeader(field) }
        configureBody(of: request)
    }

    deinit { unsafe prep_curl_easy_destroy(handle) }

    private func addHeader(_ field: HTTPField) {
        // libcurl takes "Name:" as an instruction to omit the header.
        let line = field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"
        unsafe prep_curl_easy_add_header(handle, line)
    }

    private func configureBody(of request: TransportRequest) {
        if request.method == .head { return }
        let length = request.body.contentLength
        if length == 0 && request.method != .get { unsafe prep_curl_easy_require_new_connection(handle) }
        // A GET or DELETE without a body has no Content-Length (RFC 9110, section 8.6); POST and PUT send 0.
        if case .empty = request.body, request.method == .get || request.method == .delete { return }
        unsafe prep_curl_easy_set_body(handle, length, Self.uploadBufferSize)
        // Above 1 MiB libcurl itself adds `Expect`, and only then does it handle a 417 response.
        if length <= 1 << 20 { unsafe prep_curl_easy_add_header(handle, "Expect:") }
    }

    /// The number of bytes of the body passed to the network.
    var bytesSent: Int64 { unsafe prep_curl_easy_sent_body_bytes(handle) }

    /// Whether any byte of a request was sent.
    var hasSentAnyByte: Bool { unsafe prep_curl_easy_has_sent_request_bytes(handle) }

    /// The response's Content-Length; `nil` if it has none.
    var declaredContentLength: Int64? {
        let length = unsafe prep_curl_easy_response_content_length(handle)
        return length < 0 ? nil : length
    }

    /// The error's message, without any part of the request.
    var errorMessage: String {
        let text = unsafe String(cString: prep_curl_easy_error_message(handle))
        // Parts of the message may come from the server.
        return String(text.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? Character($0) : "?" })
    }

    /// Resumes reading the body after a pause.
    func unpause() { unsafe prep_curl_easy_resume(handle) }
}

extension Duration {
    /// The duration in milliseconds, at least 1 because 0 means no timeout to libcurl, and at most 2,000,000 s (23
    /// days), which fits into its 32-bit timeouts.
    fileprivate var clampedMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 1 }
        return max(1, min(seconds, 2_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}
