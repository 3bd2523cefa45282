#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// Reads what the server writes: dates with six digits of a second's fraction, or any other number of them, or
    /// none.
    public static func makeJSONDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let value = try decoder.singleValueContainer()
            guard let timestamp = RFC3339Timestamp(try value.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: value, debugDescription: "no date")
            }
            return timestamp.date
        }
        return decoder
    }

    /// Writes what the server reads: dates in UTC, with six digits of a second's fraction, such as
    /// `2025-06-30T08:15:00.250000Z`.
    public static func makeJSONEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var value = encoder.singleValueContainer()
            guard let text = RFC3339Timestamp(date).rfc3339Text else {
                throw EncodingError.invalidValue(
                    date, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "of another age"))
            }
            try value.encode(text)
        }
        return encoder
    }
}
