/// The wrapper of every response. Assumed: the document names it without its members.
public struct ApiResponse<Value: Codable & Sendable>: Codable, Sendable {
    /// Whether the call succeeded.
    public var success: Bool
    /// The content; `nil` if the call failed.
    public var data: Value?
    /// The error; `nil` if the call succeeded.
    public var error: ApiErrorBody?
    /// A message for the user; `nil` if there is none.
    public var message: String?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - success: Whether the call succeeded.
    ///   - data: The content; `nil` if the call failed.
    ///   - error: The error; `nil` if the call succeeded.
    ///   - message: A message for the user; `nil` if there is none.
    public init(success: Bool, data: Value? = nil, error: ApiErrorBody? = nil, message: String? = nil) {
        self.success = success
        self.data = data
        self.error = error
        self.message = message
    }

    private enum CodingKeys: CodingKey { case success, data, error, message }

    /// Returns the content.
    ///
    /// - Throws: ``AppError/server(code:message:)`` if the call failed; ``AppError/invalidData(_:)`` if it succeeded
    ///   without a content.
    public func get() throws(AppError) -> Value {
        if let error { throw .server(code: error.code, message: error.message) }
        guard success else { throw .server(code: nil, message: message ?? "the call failed") }
        guard let data else { throw .invalidData("the response has no data") }
        return data
    }
}

extension ApiResponse: Equatable where Value: Equatable {}
extension ApiResponse: Hashable where Value: Hashable {}

/// The error of a response. Assumed: the document names it without its members.
public struct ApiErrorBody: Codable, Hashable, Sendable {
    /// The code for programs; `nil` if there is none.
    public var code: String?
    /// The message for the user.
    public var message: String

    /// Creates an error body.
    ///
    /// - Parameters:
    ///   - code: The code for programs; `nil` if there is none.
    ///   - message: The message for the user.
    public init(code: String? = nil, message: String) {
        self.code = code
        self.message = message
    }

    private enum CodingKeys: CodingKey { case code, message }
}

/// The response to equipping an item. Assumed: the document names it without its members.
public struct EquipResult: Codable, Hashable, Sendable {
    /// Whether the item is equipped.
    public var success: Bool
    /// The equipment after the change; `nil` if the server did not include it.
    public var equipment: Equipment?
    /// The item that was in the slot before; `nil` if it was empty.
    public var unequippedItem: PlayerItem?

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - success: Whether the item is equipped.
    ///   - equipment: The equipment after the change; `nil` if the server did not include it.
    ///   - unequippedItem: The item that was in the slot before; `nil` if it was empty.
    public init(success: Bool, equipment: Equipment? = nil, unequippedItem: PlayerItem? = nil) {
        self.success = success
        self.equipment = equipment
        self.unequippedItem = unequippedItem
    }

    private enum CodingKeys: String, CodingKey {
        case success, equipment
        case unequippedItem = "unequipped_item"
    }
}

/// The response to applying a material. Assumed: the document names it without its members.
public struct ApplyMaterialResult: Codable, Hashable, Sendable {
    /// Whether the material is applied.
    public var success: Bool
    /// The item after the change; `nil` if the server did not include it.
    public var item: PlayerItem?
    /// The number of materials that remain; `nil` if it is not known.
    public var remainingQuantity: Int?

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - success: Whether the material is applied.
    ///   - item: The item after the change; `nil` if the server did not include it.
    ///   - remainingQuantity: The number of materials that remain; `nil` if it is not known.
    public init(success: Bool, item: PlayerItem? = nil, remainingQuantity: Int? = nil) {
        self.success = success
        self.item = item
        self.remainingQuantity = remainingQuantity
    }

    private enum CodingKeys: String, CodingKey {
        case success, item
        case remainingQuantity = "remaining_quantity"
    }
}
