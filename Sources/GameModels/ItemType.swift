#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A type of items. Assumed: the document names it without its members.
public struct ItemType: Codable, Hashable, Identifiable, Sendable {
    /// The type's id.
    public var id: UUID
    /// The name.
    public var name: String
    /// The slot into which items of the type fit; `nil` if it is not known.
    public var slot: SlotName?
    /// The rarity; `nil` if it is not known.
    public var rarity: String?
    /// A description; `nil` if there is none.
    public var description: String?
    /// The statistics at level 1; `nil` if they are not known.
    public var baseStats: ItemStats?

    /// Creates an item type.
    ///
    /// - Parameters:
    ///   - id: The type's id.
    ///   - name: The name.
    ///   - slot: The slot into which items of the type fit; `nil` if it is not known.
    ///   - rarity: The rarity; `nil` if it is not known.
    ///   - description: A description; `nil` if there is none.
    ///   - baseStats: The statistics at level 1; `nil` if they are not known.
    public init(
        id: UUID, name: String, slot: SlotName? = nil, rarity: String? = nil, description: String? = nil,
        baseStats: ItemStats? = nil
    ) {
        self.id = id
        self.name = name
        self.slot = slot
        self.rarity = rarity
        self.description = description
        self.baseStats = baseStats
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, rarity, description
        case slot = "equipment_slot"
        case baseStats = "base_stats"
    }
}
