#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A date in any form in which SymptomSentry's come: text with a fraction of a second or without, or a number of
/// seconds since
/// 1970. Written as text.
///
/// The document reads the number of an analysis so; that of `lastResetDate` it leaves to Swift's default, seconds since
/// 2001, which no server counts.
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
