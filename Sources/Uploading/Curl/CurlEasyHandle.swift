// `unsafe`: owns a C handle, and hands it the addresses of texts for the length of a call.

internal import CCurlShim

/// libcurl's handle for one transfer, made from a request.
@safe struct CurlEasyHandle: ~Copyable {
    /// How much of a body is read at a time.
    ///
    /// 2 GiB to a server on loopback took 1.41 s by 64 KiB, 1.38 s by 256 KiB, 1.19 s by 1 MiB and 1.28 s by 2 MiB
    /// (medians of 7; `curl -F` 1.45 s). Each transfer has a buffer of this size, and a body that fits in can't be
    /// rewound once it was read.
    private static let uploadBufferSize: Int64 = 256 << 10

    /// Owned.
    let handle: OpaquePointer
    /// Held until the handle is destroyed, since the handle has its address.
    private let callbackContext: CurlCallbackContext

    /// Nil without memory.
    init?(request: HTTPRequest, options: CurlTransport.Options, callbackContext: CurlCallbackContext) {
        var client = unsafe callbackContext.curlCallbacks
        guard let handle = unsafe prep_curl_easy_create(&client) else { return nil }
        unsafe self.handle = handle
        self.callbackContext = callbackContext
        unsafe prep_curl_easy_set_method_and_url(handle, request.method.rawValue, request.endpoint.description)
        // What goes to this machine goes to no proxy: plain http is allowed here because nobody is on the way.
        if request.endpoint.isLoopback { unsafe prep_curl_easy_disable_proxies(handle) }
        unsafe prep_curl_easy_set_timeouts(
            handle, options.connectTimeout.clampedMilliseconds, request.timeout.clampedMilliseconds)
        unsafe prep_curl_easy_set_max_idle_age(handle, options.maxConnectionAge.components.seconds)
        unsafe prep_curl_easy_set_user_agent(handle, options.userAgent)
        if let token = request.bearerToken { unsafe prep_curl_easy_set_bearer_token(handle, token.secret) }
        if let path = options.certificateAuthoritiesPath {
            unsafe prep_curl_easy_set_ca_file(handle, path.map(CChar.init(bitPattern:)) + [0])
        }
        for header in request.headers { addHeader(header) }
        if let type = request.body.contentType { addHeader(HTTPHeader(name: "Content-Type", value: type)) }
        configureBody(of: request)
    }

    deinit { unsafe prep_curl_easy_destroy(handle) }

    private func addHeader(_ header: HTTPHeader) {
        // "Name:" would mean to leave it out.
        let line = header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
        unsafe prep_curl_easy_add_header(handle, line)
    }

    private func configureBody(of request: HTTPRequest) {
        let length = request.body.contentLength
        if length == 0 && request.method != .get { unsafe prep_curl_easy_require_new_connection(handle) }
        // What has no body by its meaning says nothing of a length (RFC 9110, section 8.6); POST and PUT say 0.
        if case .empty = request.body, request.method == .get || request.method == .delete { return }
        unsafe prep_curl_easy_set_body(handle, length, Self.uploadBufferSize)
        // Above 1 MiB libcurl asks by itself, and only then knows what to do about a 417.
        if length <= 1 << 20 { unsafe prep_curl_easy_add_header(handle, "Expect:") }
    }

    /// How many bytes of the body the network has taken.
    var bytesSent: Int64 { unsafe prep_curl_easy_sent_body_bytes(handle) }

    /// Whether any byte of a request left.
    var hasSentAnyByte: Bool { unsafe prep_curl_easy_has_sent_request_bytes(handle) }

    /// What the response says of its body's length; nil for nothing.
    var declaredContentLength: Int64? {
        let length = unsafe prep_curl_easy_response_content_length(handle)
        return length < 0 ? nil : length
    }

    /// What went wrong, without anything of the request.
    var errorMessage: String {
        let text = unsafe String(cString: prep_curl_easy_error_message(handle))
        // Some of it may be the server's.
        return String(text.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? Character($0) : "?" })
    }

    /// Has the body's `read` called again after it held.
    func unpause() { unsafe prep_curl_easy_resume(handle) }
}

extension Duration {
    /// At least 1, since 0 means without end to libcurl, and no more than 24 days, which it can count.
    fileprivate var clampedMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 1 }
        return max(1, min(seconds, 2_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}
