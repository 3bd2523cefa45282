#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Any JSON value: a server's error details, or members of an object that a model does not know.
public enum JSONValue: Codable, Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that fits into 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object. The order of its members is not kept.
    case object([String: JSONValue])

    /// Decodes any value.
    public init(from decoder: any Decoder) throws {
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

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
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
    ///
    /// - Throws: `EncodingError` if the value contains a number that JSON cannot represent, such as an infinite one.
    public func encodedJSON() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// The value for display: a string as it is, `nil` for null, and JSON for all other values.
    public var displayText: String? {
        switch self {
        case .null: nil
        case .string(let string): string
        default: (try? encodedJSON()).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
