#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Replaces the assumed keys of JSON objects by those of the server.
package struct JSONKeyMapping: Sendable {
    private let serverKeys: [String: String]
    private let modelKeys: [String: String]

    /// Creates a mapping from the keys of the models to those of the server. Other keys are kept.
    package init(_ keys: [String: String]) {
        serverKeys = keys.filter { $0.key != $0.value }
        modelKeys = Dictionary(serverKeys.map { ($0.value, $0.key) }) { first, _ in first }
    }

    /// Returns the encoder with the server's keys.
    package func applied(to encoder: JSONEncoder = JSONEncoder()) -> JSONEncoder {
        if !serverKeys.isEmpty {
            encoder.keyEncodingStrategy = .custom { [serverKeys] in Self.lastKey(of: $0, mappedBy: serverKeys) }
        }
        return encoder
    }

    /// Returns the decoder with the models' keys.
    package func applied(to decoder: JSONDecoder = JSONDecoder()) -> JSONDecoder {
        if !modelKeys.isEmpty {
            decoder.keyDecodingStrategy = .custom { [modelKeys] in Self.lastKey(of: $0, mappedBy: modelKeys) }
        }
        return decoder
    }

    private static func lastKey(of path: [any CodingKey], mappedBy keys: [String: String]) -> AnyCodingKey {
        let name = path.last?.stringValue ?? ""
        return AnyCodingKey(stringValue: keys[name] ?? name)
    }
}

/// The parts of a service that its specification does not define, such as the keys of its JSON.
package protocol AssumedFieldNames {
    /// The keys of the server's JSON by the assumed keys, which are the keys of this dictionary.
    var fieldNames: [String: String] { get }
}

extension AssumedFieldNames {
    package var keys: JSONKeyMapping { JSONKeyMapping(fieldNames) }
}

/// A coding key with any name.
package struct AnyCodingKey: CodingKey {
    package var stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}

extension Dictionary where Key == String, Value == String {
    /// Returns a dictionary in which each key is its own value.
    package static func unchanged(_ keys: String...) -> [String: String] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) })
    }
}

extension Endpoint {
    /// Returns the endpoint with a path appended.
    ///
    /// - Parameters:
    ///   - path: The segments, separated by slashes, unescaped.
    ///   - values: The values of segments such as `{visit_id}`. A value is always one segment.
    package func appendingPath(_ path: String, values: [String: String] = [:]) -> Endpoint {
        path.split(separator: "/").reduce(self) { $0.appendingPathSegments(values[String($1)] ?? String($1)) }
    }
}
