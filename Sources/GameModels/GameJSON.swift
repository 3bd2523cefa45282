#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The JSON of the game's server: dates are texts in ISO 8601 with or without fractional seconds.
public enum GameJSON {
    /// Returns a decoder of the models.
    public static func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let value = try decoder.singleValueContainer()
            let text = try value.decode(String.self)
            for hasFraction in [true, false] {
                let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
                if let date = try? style.parse(text) { return date }
            }
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no date")
        }
        return decoder
    }

    /// Returns an encoder of the models. Dates have milliseconds unless they are whole seconds.
    public static func makeEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var value = encoder.singleValueContainer()
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
            let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
            let rounded = Date(timeIntervalSince1970: milliseconds / 1000)
            try value.encode(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole).format(rounded))
        }
        return encoder
    }
}
