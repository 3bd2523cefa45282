// `unsafe`: passes libcurl the address of a string for the length of a call.

internal import CCurlShim
internal import HTTPCalls

extension TransportRequest {
    /// Checks that the request can be sent exactly as given. The type of header fields allows only valid ones.
    ///
    /// - Throws: `TransportError.Code.invalidURL`, `TransportError.Code.invalidRequest`.
    func validate() throws(TransportError) {
        let progress = SendProgress(totalBodyBytes: body.contentLength)
        let url = endpoint.description
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), unsafe prep_curl_is_supported_url(url) else {
            throw TransportError(
                code: .invalidURL, message: "the URL is not an absolute http or https one without user and password",
                sendProgress: progress)
        }
        guard isSendable else {
            throw TransportError(
                code: .invalidRequest, message: "a header or the body can't be sent", sendProgress: progress)
        }
    }
}
