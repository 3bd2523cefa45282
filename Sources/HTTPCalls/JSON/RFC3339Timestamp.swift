#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A point in time in the format of RFC 3339, with any number of digits of fractional seconds, including none.
///
/// Foundation's ISO 8601 style is not used: it accepts 30 February, five-digit years and trailing text, and writes
/// dates before 1582 in the Julian calendar.
package struct RFC3339Timestamp {
    package var date: Date

    package init(_ date: Date) { self.date = date }

    /// Parses a date and time with a UTC offset.
    ///
    /// - Returns: `nil` if the text is not valid.
    package init?(_ text: String) {
        var rest = TimestampScanner(text)
        guard let year = rest.scanNumber(digitCount: 4), rest.scanCharacter("-"),
            let month = rest.scanNumber(digitCount: 2), rest.scanCharacter("-"),
            let day = rest.scanNumber(digitCount: 2),
            rest.scanCharacter("T") || rest.scanCharacter("t") || rest.scanCharacter(" "),
            let hour = rest.scanNumber(digitCount: 2), rest.scanCharacter(":"),
            let minute = rest.scanNumber(digitCount: 2), rest.scanCharacter(":"),
            let second = rest.scanNumber(digitCount: 2), hour < 24, minute < 60, second <= 60,
            let days = Self.daysSince1970(year: year, month: month, day: day), let fraction = rest.scanFraction(),
            let offset = rest.scanUTCOffset(),
            rest.isAtEnd
        else { return nil }
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        date = Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// Creates a timestamp from seconds since 1970.
    ///
    /// - Returns: `nil` outside the years 0 to 9999, which are those of RFC 3339.
    package init?(secondsSince1970 seconds: Double) {
        guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { return nil }
        date = Date(timeIntervalSince1970: seconds)
    }

    /// The text in UTC with six digits of fractional seconds, such as `2025-06-30T08:15:00.250000Z`; `nil` outside the
    /// years 0 to 9999.
    package var rfc3339Text: String? {
        let seconds = date.timeIntervalSince1970
        guard RFC3339Timestamp(secondsSince1970: seconds) != nil else { return nil }
        // In this century, seconds since 1970 in a `Double` are exact to 0.12 µs. 2^53 µs are 285 years, so whole
        // microseconds are exact as well.
        let microseconds = Int((seconds * 1e6).rounded())
        let whole = microseconds.flooredDivision(by: 1_000_000)
        let days = whole.flooredDivision(by: 86_400)
        let second = whole - days * 86_400
        let (year, month) = Self.yearAndMonth(ofDaySince1970: days)
        let day = days - Self.firstDaySince1970(year: year, month: month) + 1
        return
            "\(year.zeroPadded(digitCount: 4))-\(month.zeroPadded(digitCount: 2))-\(day.zeroPadded(digitCount: 2))"
            + "T\((second / 3600).zeroPadded(digitCount: 2))"
            + ":\((second / 60 % 60).zeroPadded(digitCount: 2)):\((second % 60).zeroPadded(digitCount: 2))"
            + ".\((microseconds - whole * 1_000_000).zeroPadded(digitCount: 6))Z"
    }

    /// Returns the number of days from 1970-01-01 to a date; `nil` if the date does not exist.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int? {
        guard (1...12).contains(month), day >= 1 else { return nil }
        let first = firstDaySince1970(year: year, month: month)
        let next =
            month == 12 ? firstDaySince1970(year: year + 1, month: 1) : firstDaySince1970(year: year, month: month + 1)
        return first + day <= next ? first + day - 1 : nil
    }

    /// Returns the number of days from 1970-01-01 to the first day of a month, in the Gregorian calendar for all years,
    /// as in RFC 3339.
    private static func firstDaySince1970(year: Int, month: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let before = year - 1
        let leapDays = before.flooredDivision(by: 4) - before.flooredDivision(by: 100) + before.flooredDivision(by: 400)
        // There are 719,162 days from 0001-01-01 to 1970-01-01.
        return before * 365 + leapDays + lengths[..<(month - 1)].reduce(0, +) - 719_162
    }

    /// Returns the year and the month of a day, given as days since 1970-01-01.
    private static func yearAndMonth(ofDaySince1970 days: Int) -> (year: Int, month: Int) {
        // 400 years have 146,097 days. The estimate by their mean is off by at most one year.
        var year = 1970 + (days * 400).flooredDivision(by: 146_097)
        while firstDaySince1970(year: year, month: 1) > days { year -= 1 }
        while firstDaySince1970(year: year + 1, month: 1) <= days { year += 1 }
        return (year, (1...12).last { firstDaySince1970(year: year, month: $0) <= days } ?? 1)
    }
}

/// Scans the remaining text of a timestamp.
private struct TimestampScanner {
    private var remainingText: Substring.UTF8View

    init(_ text: String) { remainingText = text[...].utf8 }

    var isAtEnd: Bool { remainingText.isEmpty }

    mutating func scanCharacter(_ character: Unicode.Scalar) -> Bool {
        guard remainingText.first == UInt8(ascii: character) else { return false }
        remainingText.removeFirst()
        return true
    }

    mutating func scanNumber(digitCount: Int) -> Int? {
        let digits = remainingText.prefix(digitCount)
        guard digits.count == digitCount, digits.allSatisfy(Self.isASCIIDigit) else { return nil }
        remainingText.removeFirst(digitCount)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Scans fractional seconds. Returns 0 if there are none, and `nil` if no digit follows the point.
    mutating func scanFraction() -> Double? {
        guard scanCharacter(".") else { return 0 }
        let digits = remainingText.prefix(while: Self.isASCIIDigit)
        remainingText.removeFirst(digits.count)
        return digits.isEmpty ? nil : Double("0." + String(decoding: digits, as: UTF8.self))
    }

    /// Scans a UTC offset and returns it in seconds, positive east of Greenwich.
    mutating func scanUTCOffset() -> Int? {
        if scanCharacter("Z") || scanCharacter("z") { return 0 }
        let isAhead = scanCharacter("+")
        guard isAhead || scanCharacter("-"), let hours = scanNumber(digitCount: 2), scanCharacter(":"),
            let minutes = scanNumber(digitCount: 2), hours < 24, minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isAhead ? 1 : -1)
    }

    private static func isASCIIDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension Int {
    fileprivate func flooredDivision(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Returns the number with leading zeros up to at least `digitCount` digits.
    fileprivate func zeroPadded(digitCount: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, digitCount - text.utf8.count)) + text
    }
}
