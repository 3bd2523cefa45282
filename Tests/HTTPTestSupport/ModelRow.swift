public import Foundation

/// A hand-made JSON of a model, which decoding and encoding must not change.
public struct ModelRow: Sendable, CustomStringConvertible {
    /// The name of the model, without its generic arguments.
    public let description: String
    /// The JSON.
    public let json: Data
    private let reencode: @Sendable () throws -> Data
    /// Decodes the JSON, and returns the names of the optional members that it lacks.
    public let findAbsentMembers: @Sendable () throws -> [String]

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - json: The JSON.
    ///   - makeDecoder: Returns the service's decoder.
    ///   - makeEncoder: Returns the service's encoder.
    public init<Model: Codable & SendableMetatype>(
        _ type: Model.Type, _ json: String, makeDecoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() },
        makeEncoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() }
    ) {
        let data = Data(json.utf8)
        let decode: @Sendable () throws -> Model = { try makeDecoder().decode(type, from: data) }
        description = String("\(type)".prefix { $0 != "<" })
        self.json = data
        reencode = { try makeEncoder().encode(try decode()) }
        findAbsentMembers = {
            Mirror(reflecting: try decode()).children.filter { child in
                let mirror = Mirror(reflecting: child.value)
                return mirror.displayStyle == .optional && mirror.children.isEmpty
            }.map { $0.label ?? "?" }
        }
    }

    /// Returns the JSON, and that of the model which it is decoded to, as values that can be compared.
    ///
    /// - Parameter type: The type of the values.
    public func values<Value: Decodable>(as type: Value.Type) throws -> (before: Value, after: Value) {
        let decoder = JSONDecoder()
        return (try decoder.decode(type, from: json), try decoder.decode(type, from: try reencode()))
    }
}
