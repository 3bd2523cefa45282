internal import HTTPCalls

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A date in any of SymptomSentry's formats: RFC 3339 text with or without fractional seconds, or a number of seconds
/// since 1970. It is encoded as text.
///
/// The specification defines the number this way for analyses. For `lastResetDate` it leaves it to Swift's default,
/// seconds since 2001, which no server uses.
struct FlexibleDate: Codable {
    var date: Date

    init(_ date: Date) { self.date = date }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let timestamp =
            if let seconds = try? value.decode(Double.self) {
                RFC3339Timestamp(secondsSince1970: seconds)
            } else {
                RFC3339Timestamp(try value.decode(String.self))
            }
        guard let timestamp else { throw DecodingError.dataCorruptedError(in: value, debugDescription: "no date") }
        date = timestamp.date
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(RFC3339Timestamp(date).rfc3339Text)
    }
}
