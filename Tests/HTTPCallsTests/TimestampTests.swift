import Foundation
import Testing

@testable import HTTPCalls

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        "are parsed with or without fractional seconds",
        arguments: [
            ("2025-06-30T08:15:00Z", 1_751_271_300), ("2025-06-30T08:15:00.25Z", 1_751_271_300.25),
            ("2025-06-30T08:15:00.250000Z", 1_751_271_300.25), ("2025-06-30T08:15:00.123456789Z", 1_751_271_300.123456),
            ("2025-06-30T10:15:00+02:00", 1_751_271_300), ("2025-06-30T02:45:00.5-05:30", 1_751_271_300.5),
            ("2025-06-30 08:15:00z", 1_751_271_300), ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.5Z", -0.5),
            ("2024-02-29T00:00:00Z", 1_709_164_800), ("2000-03-01T00:00:00Z", 951_868_800),
            ("1900-03-01T00:00:00Z", -2_203_891_200), ("0000-01-01T00:00:00Z", -62_167_219_200),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ])
    func timestampsAreReadWithAnyFraction(_ text: String, _ seconds: Double) throws {
        let date = try #require(RFC3339Timestamp(text)).date
        #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
    }

    @Test(
        "are not parsed from any other text",
        arguments: [
            "", "2025-06-30", "2025-06-30T08:15:00", "2025-06-30T08:15Z", "2025-02-29T00:00:00Z",
            "2025-06-31T00:00:00Z",
            "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z", "2025-06-30T24:00:00Z", "2025-06-30T08:60:00Z",
            "2025-06-30T08:15:61Z", "2025-06-30T08:15:00.Z", "2025-06-30T08:15:00Zx", "12025-06-30T08:15:00Z",
            "-001-06-30T08:15:00Z", "2025-06-30T08:15:00+2:00", "1751271300", "1900-02-29T00:00:00Z",
        ])
    func unrepresentableTimestampsAreNil(_ text: String) { #expect(RFC3339Timestamp(text) == nil) }

    @Test(
        "are formatted with six fractional digits",
        arguments: [
            (1_751_271_300, "2025-06-30T08:15:00.000000Z"), (1_751_271_300.25, "2025-06-30T08:15:00.250000Z"),
            (1_751_271_300.000001, "2025-06-30T08:15:00.000001Z"),
            (1_751_271_300.9999999, "2025-06-30T08:15:01.000000Z"),
            (-0.5, "1969-12-31T23:59:59.500000Z"), (-62_167_219_200, "0000-01-01T00:00:00.000000Z"),
        ])
    func timestampsAreWrittenWithSixDigits(_ seconds: Double, _ text: String) {
        #expect(RFC3339Timestamp(Date(timeIntervalSince1970: seconds)).rfc3339Text == text)
    }

    @Test("are parsed as they were formatted, for 800 years")
    func writtenTimestampsRoundTripFor800Years() {
        let start = -11_676_096_000.0
        // One day in each month of eight centuries.
        let wrong = stride(from: 0, to: 292_194, by: 27).filter { day in
            let date = Date(timeIntervalSince1970: start + Double(day) * 86_400 + 0.5)
            return RFC3339Timestamp(date).rfc3339Text.flatMap(RFC3339Timestamp.init)?.date != date
        }
        #expect(wrong.isEmpty)
        #expect(RFC3339Timestamp(Date(timeIntervalSince1970: start)).rfc3339Text == "1600-01-01T00:00:00.000000Z")
        #expect(
            RFC3339Timestamp(Date(timeIntervalSince1970: start + 59 * 86_400)).rfc3339Text
                == "1600-02-29T00:00:00.000000Z")
        #expect(
            RFC3339Timestamp(Date(timeIntervalSince1970: 253_402_300_799)).rfc3339Text == "9999-12-31T23:59:59.000000Z")
    }

    @Test(
        "outside the years 0 to 9999 are not formatted", arguments: [253_402_300_800, -62_167_219_201, .nan, .infinity])
    func unrepresentableTimestampsAreNil(_ seconds: Double) {
        #expect(RFC3339Timestamp(Date(timeIntervalSince1970: seconds)).rfc3339Text == nil)
    }
}
