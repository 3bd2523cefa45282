#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Any JSON value: a server's error details, or input lines of which unknown members must be kept.
package enum JSONValue: Codable, Hashable, Sendable {
    case null, bool(Bool), integer(Int64), number(Double), string(String), array([JSONValue])
    case object([String: JSONValue])

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self =
            if value.decodeNil() {
                .null
            } else if let bool = try? value.decode(Bool.self) {
                .bool(bool)
            } else if let integer = try? value.decode(Int64.self) {
                .integer(integer)
            } else if let number = try? value.decode(Double.self) {
                .number(number)
            } else if let string = try? value.decode(String.self) {
                .string(string)
            } else if let array = try? value.decode([JSONValue].self) {
                .array(array)
            } else {
                .object(try value.decode([String: JSONValue].self))
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .string(let string): try value.encode(string)
        case .array(let array): try value.encode(array)
        case .object(let object): try value.encode(object)
        }
    }

    /// Returns the value as JSON with sorted keys.
    package func encodedJSON() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// The value for display: a string as it is, `nil` for null, and JSON for all other values.
    package var displayText: String? {
        switch self {
        case .null: nil
        case .string(let string): string
        default: (try? encodedJSON()).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
