internal import HTTPCalls

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// Returns a decoder for the server's dates, which have six digits of fractional seconds. Any other number of
    /// digits, including none, is also accepted.
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

    /// Returns an encoder that writes dates in UTC with six digits of fractional seconds, such as
    /// `2025-06-30T08:15:00.250000Z`.
    ///
    /// Encoding a date outside the years 0 to 9999 throws an `EncodingError`.
    public static func makeJSONEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var value = encoder.singleValueContainer()
            guard let text = RFC3339Timestamp(date).rfc3339Text else {
                throw EncodingError.invalidValue(
                    date,
                    EncodingError.Context(
                        codingPath: encoder.codingPath, debugDescription: "outside the years 0 to 9999"))
            }
            try value.encode(text)
        }
        return encoder
    }
}
