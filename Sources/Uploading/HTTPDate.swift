// `unsafe`: the text's address, lent to C.

internal import CCurlShim

/// A date as HTTP writes it, in each of the three forms of RFC 9110, section 5.6.7; read by libcurl.
struct HTTPDate: Hashable, Sendable {
    /// Since 1970.
    var secondsSince1970: Int64

    init?(_ text: String) {
        let seconds = unsafe prep_curl_parse_http_date(text)
        if seconds < 0 { return nil }
        self.secondsSince1970 = seconds
    }
}
