#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An item that a player owns.
public struct PlayerItem: Codable, Hashable, Identifiable, Sendable {
    /// The item's id.
    public var id: UUID
    /// The owner's id.
    public var userID: UUID
    /// The id of the item's type.
    public var itemTypeID: UUID
    /// The level.
    public var level: Int
    /// The statistics without materials.
    public var baseStats: ItemStats
    /// The statistics with materials, in the older answers; `nil` in those that have `computed_stats`.
    public var currentStats: ItemStats?
    /// The statistics with level and materials, as the server computed them; `nil` in older answers.
    public var computedStats: ItemStats?
    /// The digest of the applied materials; `nil` if there are none.
    public var materialComboHash: String?
    /// The URL of the image; `nil` if there is none.
    public var imageURL: String?
    /// The type; `nil` if the server did not include it.
    public var itemType: ItemType?
    /// The applied materials; `nil` in older answers.
    public var appliedMaterials: [AppliedMaterial]?
    /// The progress of the generation of the image; `nil` in older answers.
    public var imageGenerationStatus: ImageGenerationStatus?
    /// The number of times that this combination was crafted; `nil` in older answers.
    public var craftCount: Int?
    /// Whether one of the materials has a style; `nil` in older answers.
    public var isStyled: Bool?
    /// The time of creation, as the server wrote it.
    public var createdAt: String
    /// The time of the last change, as the server wrote it.
    public var updatedAt: String

    /// Creates a player item.
    ///
    /// - Parameters:
    ///   - id: The item's id.
    ///   - userID: The owner's id.
    ///   - itemTypeID: The id of the item's type.
    ///   - level: The level.
    ///   - baseStats: The statistics without materials.
    ///   - currentStats: The statistics with materials, in the older answers; `nil` in those that have
    ///     `computed_stats`.
    ///   - computedStats: The statistics with level and materials, as the server computed them; `nil` in older answers.
    ///   - materialComboHash: The digest of the applied materials; `nil` if there are none.
    ///   - imageURL: The URL of the image; `nil` if there is none.
    ///   - itemType: The type; `nil` if the server did not include it.
    ///   - appliedMaterials: The applied materials; `nil` in older answers.
    ///   - imageGenerationStatus: The progress of the generation of the image; `nil` in older answers.
    ///   - craftCount: The number of times that this combination was crafted; `nil` in older answers.
    ///   - isStyled: Whether one of the materials has a style; `nil` in older answers.
    ///   - createdAt: The time of creation, as the server wrote it.
    ///   - updatedAt: The time of the last change, as the server wrote it.
    public init(
        id: UUID, userID: UUID, itemTypeID: UUID, level: Int, baseStats: ItemStats, currentStats: ItemStats? = nil,
        computedStats: ItemStats? = nil, materialComboHash: String? = nil, imageURL: String? = nil,
        itemType: ItemType? = nil, appliedMaterials: [AppliedMaterial]? = nil,
        imageGenerationStatus: ImageGenerationStatus? = nil, craftCount: Int? = nil, isStyled: Bool? = nil,
        createdAt: String, updatedAt: String
    ) {
        self.id = id
        self.userID = userID
        self.itemTypeID = itemTypeID
        self.level = level
        self.baseStats = baseStats
        self.currentStats = currentStats
        self.computedStats = computedStats
        self.materialComboHash = materialComboHash
        self.imageURL = imageURL
        self.itemType = itemType
        self.appliedMaterials = appliedMaterials
        self.imageGenerationStatus = imageGenerationStatus
        self.craftCount = craftCount
        self.isStyled = isStyled
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, level
        case userID = "user_id"
        case itemTypeID = "item_type_id"
        case baseStats = "base_stats"
        case currentStats = "current_stats"
        case computedStats = "computed_stats"
        case materialComboHash = "material_combo_hash"
        case imageURL = "image_url"
        case itemType = "item_type"
        case appliedMaterials = "applied_materials"
        case imageGenerationStatus = "image_generation_status"
        case craftCount = "craft_count"
        case isStyled = "is_styled"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// The statistics to show: those that the server computed, or else the current ones, or else the base.
    public var stats: ItemStats { computedStats ?? currentStats ?? baseStats }
}

/// The progress of the generation of an item's image. Assumed: the document names it without its values.
public struct ImageGenerationStatus: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
    /// The text in JSON. Values that are not listed here are kept.
    public var rawValue: String

    /// Creates a value from its text in JSON.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The image is to be generated.
    public static let pending = ImageGenerationStatus(rawValue: "pending")
    /// The image is being generated.
    public static let generating = ImageGenerationStatus(rawValue: "generating")
    /// The image is ready.
    public static let complete = ImageGenerationStatus(rawValue: "complete")
    /// The image cannot be generated.
    public static let failed = ImageGenerationStatus(rawValue: "failed")

    /// The known values.
    public static let allCases: [ImageGenerationStatus] = [.pending, .generating, .complete, .failed]
}
