internal import Foundation

/// The time formats of the specifications, in UTC.
enum TimestampFormat {
    /// The current time as `2026-03-01T12:00:00Z`.
    static var nowISO8601: String { Date().formatted(.iso8601) }

    /// Returns a time as `Sun, 01 Mar 2026 12:00:00 GMT` (RFC 9110, section 5.6.7).
    static func httpDate(secondsFromNow seconds: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSinceNow: Double(seconds)))
    }

    /// The current time as `2026-03-01T12:00:00.000Z`.
    static var nowWithMilliseconds: String {
        Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// The current time as `2026-03-01T12:00:00.000000Z`.
    static var nowWithMicroseconds: String {
        let date = Date()
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let digits = String(Int((date.timeIntervalSince1970 - seconds) * 1_000_000))
        let fraction = String(repeating: "0", count: 6 - digits.count) + digits
        return Date(timeIntervalSince1970: seconds).formatted(.iso8601).dropLast() + ".\(fraction)Z"
    }
}
