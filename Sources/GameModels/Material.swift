#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A material that changes the statistics of an item.
public struct Material: Codable, Hashable, Identifiable, Sendable {
    /// The material's id.
    public var id: UUID
    /// The name.
    public var name: String
    /// The rarity.
    public var rarity: String
    /// The theme; `nil` if there is none.
    public var theme: String?
    /// A description; `nil` if there is none.
    public var description: String?
    /// The values that are added to the statistics of an item.
    public var statModifiers: ItemStats
    /// The URL of the image; `nil` if there is none.
    public var imageURL: String?
    /// The style of the images of items with this material; `nil` in older answers.
    public var styleID: String?

    /// Creates a material.
    ///
    /// - Parameters:
    ///   - id: The material's id.
    ///   - name: The name.
    ///   - rarity: The rarity.
    ///   - theme: The theme; `nil` if there is none.
    ///   - description: A description; `nil` if there is none.
    ///   - statModifiers: The values that are added to the statistics of an item.
    ///   - imageURL: The URL of the image; `nil` if there is none.
    ///   - styleID: The style of the images of items with this material; `nil` in older answers.
    public init(
        id: UUID, name: String, rarity: String, theme: String? = nil, description: String? = nil,
        statModifiers: ItemStats, imageURL: String? = nil, styleID: String? = nil
    ) {
        self.id = id
        self.name = name
        self.rarity = rarity
        self.theme = theme
        self.description = description
        self.statModifiers = statModifiers
        self.imageURL = imageURL
        self.styleID = styleID
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, rarity, theme, description
        case statModifiers = "stat_modifiers"
        case imageURL = "image_url"
        case styleID = "style_id"
    }
}

/// A number of equal materials that a player owns. Assumed: the document names it without its members.
public struct MaterialStack: Codable, Hashable, Identifiable, Sendable {
    /// The stack's id.
    public var id: UUID
    /// The owner's id.
    public var userID: UUID
    /// The material's id.
    public var materialID: UUID
    /// The number of materials.
    public var quantity: Int
    /// The style; `nil` if there is none.
    public var styleID: String?
    /// The material; `nil` if the server did not include it.
    public var material: Material?

    /// Creates a material stack.
    ///
    /// - Parameters:
    ///   - id: The stack's id.
    ///   - userID: The owner's id.
    ///   - materialID: The material's id.
    ///   - quantity: The number of materials.
    ///   - styleID: The style; `nil` if there is none.
    ///   - material: The material; `nil` if the server did not include it.
    public init(
        id: UUID, userID: UUID, materialID: UUID, quantity: Int, styleID: String? = nil, material: Material? = nil
    ) {
        self.id = id
        self.userID = userID
        self.materialID = materialID
        self.quantity = quantity
        self.styleID = styleID
        self.material = material
    }

    private enum CodingKeys: String, CodingKey {
        case id, quantity, material
        case userID = "user_id"
        case materialID = "material_id"
        case styleID = "style_id"
    }
}

/// A material that was applied to an item. Assumed: the document names it without its members.
public struct AppliedMaterial: Codable, Hashable, Identifiable, Sendable {
    /// The id of the application.
    public var id: UUID
    /// The material's id.
    public var materialID: UUID
    /// The place on the item, from 0.
    public var slotIndex: Int
    /// The style; `nil` if there is none.
    public var styleID: String?
    /// The time, as the server wrote it; `nil` if it is not known.
    public var appliedAt: String?
    /// The material; `nil` if the server did not include it.
    public var material: Material?

    /// Creates an applied material.
    ///
    /// - Parameters:
    ///   - id: The id of the application.
    ///   - materialID: The material's id.
    ///   - slotIndex: The place on the item, from 0.
    ///   - styleID: The style; `nil` if there is none.
    ///   - appliedAt: The time, as the server wrote it; `nil` if it is not known.
    ///   - material: The material; `nil` if the server did not include it.
    public init(
        id: UUID, materialID: UUID, slotIndex: Int, styleID: String? = nil, appliedAt: String? = nil,
        material: Material? = nil
    ) {
        self.id = id
        self.materialID = materialID
        self.slotIndex = slotIndex
        self.styleID = styleID
        self.appliedAt = appliedAt
        self.material = material
    }

    private enum CodingKeys: String, CodingKey {
        case id, material
        case materialID = "material_id"
        case slotIndex = "slot_index"
        case styleID = "style_id"
        case appliedAt = "applied_at"
    }
}
