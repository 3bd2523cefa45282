// `unsafe`: passes libcurl the address of a string for the length of a call.

internal import CCurlShim

extension TransportError.Code {
    /// A header is invalid, or is reserved for the transport.
    public static let invalidRequest = TransportError.Code(rawValue: "invalid-request")
    /// There is not enough memory, no thread can be created, or libcurl cannot be used.
    public static let outOfResources = TransportError.Code(rawValue: "out-of-resources")
}

extension HTTPRequest {
    /// The headers that the transport sets itself. A second one could make a server and a proxy see different requests.
    private static let reservedHeaderNames: Set<String> = [
        "authorization", "connection", "content-length", "expect", "transfer-encoding",
    ]

    /// Checks that the request can be sent exactly as given.
    ///
    /// - Throws: ``TransportError/Code/invalidURL``, ``TransportError/Code/invalidRequest``.
    func validate() throws(TransportError) {
        let progress = SendProgress(totalBodyBytes: body.contentLength)
        let url = endpoint.description
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), unsafe prep_curl_is_supported_url(url) else {
            throw TransportError(
                code: .invalidURL, message: "the URL is not an absolute http or https one without user and password",
                sendProgress: progress)
        }
        var headers = headers
        if let type = body.contentType { headers.append(HTTPHeader(name: "Content-Type", value: type)) }
        for header in headers
        where !header.hasValidSyntax || Self.reservedHeaderNames.contains(header.name.lowercased()) {
            throw TransportError(code: .invalidRequest, message: "a header can't be sent", sendProgress: progress)
        }
    }
}

extension HTTPHeader {
    /// Whether the name is a token and the value cannot end the line (RFC 9110, sections 5.1 and 5.5).
    fileprivate var hasValidSyntax: Bool {
        let marks = "!#$%&'*+-.^_`|~".utf8
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || marks.contains(byte)
        }
        return !name.isEmpty && isName && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
