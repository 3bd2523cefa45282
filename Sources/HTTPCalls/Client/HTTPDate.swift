#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A date in one of the three formats of RFC 9110, section 5.6.7:
///
/// | format | example |
/// |---|---|
/// | IMF-fixdate | `Sun, 06 Nov 1994 08:49:37 GMT` |
/// | RFC 850 | `Sunday, 06-Nov-94 08:49:37 GMT` |
/// | asctime | `Sun Nov  6 08:49:37 1994` |
struct HTTPDate: Hashable, Sendable {
    /// The date in seconds since 1970.
    var secondsSince1970: Int64

    /// Parses a date.
    ///
    /// - Parameters:
    ///   - text: The value of a header.
    ///   - currentYear: The current year. A year of two digits is at most 50 years later.
    init?(_ text: String, currentYear: Int = Self.currentYear) {
        // The longest date has 33 characters.
        guard text.utf8.count <= 64 else { return nil }
        let parts = text.split { " ,-".contains($0) }
        let hasZone = parts.count == 6 && parts[5] == "GMT"
        guard hasZone || parts.count == 5, Self.isWeekday(parts[0]) else { return nil }
        let (day, month, year, time) =
            hasZone ? (parts[1], parts[2], parts[3], parts[4]) : (parts[2], parts[1], parts[4], parts[3])
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let day = Self.number(day, digitCounts: 1...2), let month = Self.monthNames.firstIndex(of: String(month)),
            let year = Self.year(year, currentYear: currentYear), clock.count == 3,
            let hour = Self.number(clock[0], digitCounts: 2...2), hour < 24,
            let minute = Self.number(clock[1], digitCounts: 2...2), minute < 60,
            let second = Self.number(clock[2], digitCounts: 2...2), second <= 60,
            (1...Self.dayCount(ofMonth: month, year: year)).contains(day)
        else { return nil }
        let days =
            Self.daysSince1970(toYear: year) + (0..<month).reduce(0) { $0 + Self.dayCount(ofMonth: $1, year: year) }
        secondsSince1970 = Int64((days + day - 1) * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// The current year in the Gregorian calendar, by the mean length of a year: it is off by at most a day.
    static var currentYear: Int { 1970 + Int(Date().timeIntervalSince1970 / 31_556_952) }

    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func isWeekday(_ name: Substring) -> Bool {
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"].contains {
            $0 == name || $0.prefix(3) == name
        }
    }

    /// Returns a number of ASCII digits. `Int(_:)` would also accept a sign.
    private static func number(_ text: Substring, digitCounts: ClosedRange<Int>) -> Int? {
        guard digitCounts.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    private static func year(_ text: Substring, currentYear: Int) -> Int? {
        if let year = number(text, digitCounts: 4...4) { return year }
        guard let digits = number(text, digitCounts: 2...2) else { return nil }
        let year = currentYear - currentYear % 100 + digits
        return year > currentYear + 50 ? year - 100 : year
    }

    private static func isLeapYear(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// Returns the length of a month, counted from 0.
    private static func dayCount(ofMonth month: Int, year: Int) -> Int {
        [31, isLeapYear(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
    }

    /// Returns the number of days from 1970-01-01 to the first day of a year from 0 to 9999.
    private static func daysSince1970(toYear year: Int) -> Int {
        // Leap days before the year, with one in the year 0. There are 719,528 days from 0000-01-01 to 1970-01-01.
        let leapDays = year == 0 ? 0 : (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
        return year * 365 + leapDays - 719_528
    }
}
