#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The progress of a player. Assumed: the document names it without its members.
public struct PlayerProgression: Codable, Hashable, Identifiable, Sendable {
    /// The player's id.
    public var userID: UUID
    /// The level.
    public var level: Int
    /// The points of experience.
    public var experience: Int
    /// The points that the next level needs; `nil` at the last level.
    public var experienceToNextLevel: Int?
    /// The vanity level; `nil` if the server did not include it.
    public var vanityLevel: Int?
    /// The mean level of the items; `nil` if the server did not include it.
    public var avgItemLevel: Double?
    /// The balances of all currencies; `nil` if the server did not include them.
    public var currencyBalances: [CurrencyBalance]?

    /// The same as `userID`.
    public var id: UUID { userID }

    /// Creates a player progression.
    ///
    /// - Parameters:
    ///   - userID: The player's id.
    ///   - level: The level.
    ///   - experience: The points of experience.
    ///   - experienceToNextLevel: The points that the next level needs; `nil` at the last level.
    ///   - vanityLevel: The vanity level; `nil` if the server did not include it.
    ///   - avgItemLevel: The mean level of the items; `nil` if the server did not include it.
    ///   - currencyBalances: The balances of all currencies; `nil` if the server did not include them.
    public init(
        userID: UUID, level: Int, experience: Int, experienceToNextLevel: Int? = nil, vanityLevel: Int? = nil,
        avgItemLevel: Double? = nil, currencyBalances: [CurrencyBalance]? = nil
    ) {
        self.userID = userID
        self.level = level
        self.experience = experience
        self.experienceToNextLevel = experienceToNextLevel
        self.vanityLevel = vanityLevel
        self.avgItemLevel = avgItemLevel
        self.currencyBalances = currencyBalances
    }

    private enum CodingKeys: String, CodingKey {
        case level, experience
        case userID = "user_id"
        case experienceToNextLevel = "experience_to_next_level"
        case vanityLevel = "vanity_level"
        case avgItemLevel = "avg_item_level"
        case currencyBalances = "currency_balances"
    }
}

/// A set of items that a player can equip at once. Assumed: the document names it without its members.
public struct Loadout: Codable, Hashable, Identifiable, Sendable {
    /// The loadout's id.
    public var id: UUID
    /// The owner's id.
    public var userID: UUID
    /// The name.
    public var name: String
    /// The ids of the items, by slot. An empty slot is absent.
    public var slots: [SlotName: UUID]
    /// Whether the player has equipped it.
    public var isActive: Bool
    /// The time of creation, as the server wrote it.
    public var createdAt: String
    /// The time of the last change, as the server wrote it.
    public var updatedAt: String

    /// Creates a loadout.
    ///
    /// - Parameters:
    ///   - id: The loadout's id.
    ///   - userID: The owner's id.
    ///   - name: The name.
    ///   - slots: The ids of the items, by slot.
    ///   - isActive: Whether the player has equipped it.
    ///   - createdAt: The time of creation, as the server wrote it.
    ///   - updatedAt: The time of the last change, as the server wrote it.
    public init(
        id: UUID, userID: UUID, name: String, slots: [SlotName: UUID], isActive: Bool, createdAt: String,
        updatedAt: String
    ) {
        self.id = id
        self.userID = userID
        self.name = name
        self.slots = slots
        self.isActive = isActive
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, slots
        case userID = "user_id"
        case isActive = "is_active"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}
