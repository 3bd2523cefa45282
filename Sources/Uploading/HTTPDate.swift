// `unsafe`: passes a C string to libcurl for the length of a call.

internal import CCurlShim

/// A date in one of the three formats of RFC 9110, section 5.6.7, parsed by libcurl.
struct HTTPDate: Hashable, Sendable {
    /// The date in seconds since 1970.
    var secondsSince1970: Int64

    init?(_ text: String) {
        let seconds = unsafe prep_curl_parse_http_date(text)
        if seconds < 0 { return nil }
        self.secondsSince1970 = seconds
    }
}
