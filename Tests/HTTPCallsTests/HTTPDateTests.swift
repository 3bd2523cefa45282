import Foundation
import Testing

@testable import HTTPCalls

@Suite("Dates of HTTP")
struct HTTPDateTests {
    @Test(
        "are read in three formats",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Thursday, 29-Feb-24 12:00:00 GMT", 1_709_208_000),
            ("Mon, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ])
    func formats(_ text: String, _ seconds: Int64) {
        #expect(HTTPDate(text)?.secondsSince1970 == seconds)
    }

    @Test("a year of two digits is at most 50 years later", arguments: [("76", 2076), ("77", 1977), ("26", 2026)])
    func twoDigitYears(_ digits: String, _ year: Int) throws {
        let date = try #require(HTTPDate("Sunday, 01-Jan-\(digits) 00:00:00 GMT", currentYear: 2026))
        #expect(date == HTTPDate("Sun, 01 Jan \(year) 00:00:00 GMT"))
    }

    @Test(
        "are nothing else",
        arguments: [
            "", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST",
            "Sun, 06 Nov 1994 08:49:37 GMT GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
            "Sun, 06 Nov 19940 08:49:37 GMT", "1994-11-06T08:49:37Z", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
            String(repeating: " ", count: 100) + "Sun, 06 Nov 1994 08:49:37 GMT",
        ])
    func invalidDates(_ text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test("agree with Foundation from 1900 to 2500")
    func sixCenturies() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = calendar.timeZone
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        // A step of 7 days and 1 s meets every day of the month and every time of day.
        for seconds in stride(from: -2_208_988_800, to: 16_725_225_600, by: 604_801) {
            let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
            try #require(HTTPDate(text)?.secondsSince1970 == Int64(seconds), "\(text)")
        }
    }
}
