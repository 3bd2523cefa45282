/// The statistics of an item, of a player or of an enemy. Its keys are in camel case, unlike those of the other models.
public struct ItemStats: Codable, Hashable, Sendable {
    /// The power of attacks.
    public var atkPower: Double
    /// The accuracy of attacks.
    public var atkAccuracy: Double
    /// The power of the defense.
    public var defPower: Double
    /// The accuracy of the defense.
    public var defAccuracy: Double

    /// Creates an item stats.
    ///
    /// - Parameters:
    ///   - atkPower: The power of attacks.
    ///   - atkAccuracy: The accuracy of attacks.
    ///   - defPower: The power of the defense.
    ///   - defAccuracy: The accuracy of the defense.
    public init(atkPower: Double, atkAccuracy: Double, defPower: Double, defAccuracy: Double) {
        self.atkPower = atkPower
        self.atkAccuracy = atkAccuracy
        self.defPower = defPower
        self.defAccuracy = defAccuracy
    }

    private enum CodingKeys: CodingKey { case atkPower, atkAccuracy, defPower, defAccuracy }

    /// No statistics: the neutral element of `+`.
    public static let zero = ItemStats(atkPower: 0, atkAccuracy: 0, defPower: 0, defAccuracy: 0)

    /// Returns the sum of two statistics, member by member.
    public static func + (lhs: ItemStats, rhs: ItemStats) -> ItemStats {
        ItemStats(
            atkPower: lhs.atkPower + rhs.atkPower, atkAccuracy: lhs.atkAccuracy + rhs.atkAccuracy,
            defPower: lhs.defPower + rhs.defPower, defAccuracy: lhs.defAccuracy + rhs.defAccuracy)
    }
}

/// The statistics of a player: the sum of the equipped items.
public struct PlayerStats: Codable, Hashable, Sendable {
    /// The sum of all equipped items.
    public var totalStats: ItemStats
    /// The statistics of each equipped item, by the name of its slot.
    public var itemContributions: [String: ItemStats]
    /// The number of equipped items.
    public var equippedItemsCount: Int
    /// The sum of the levels of the equipped items.
    public var totalItemLevel: Int

    /// Creates a player stats.
    ///
    /// - Parameters:
    ///   - totalStats: The sum of all equipped items.
    ///   - itemContributions: The statistics of each equipped item, by the name of its slot.
    ///   - equippedItemsCount: The number of equipped items.
    ///   - totalItemLevel: The sum of the levels of the equipped items.
    public init(
        totalStats: ItemStats, itemContributions: [String: ItemStats], equippedItemsCount: Int, totalItemLevel: Int
    ) {
        self.totalStats = totalStats
        self.itemContributions = itemContributions
        self.equippedItemsCount = equippedItemsCount
        self.totalItemLevel = totalItemLevel
    }

    private enum CodingKeys: String, CodingKey {
        case totalStats = "total_stats"
        case itemContributions = "item_contributions"
        case equippedItemsCount = "equipped_items_count"
        case totalItemLevel = "total_item_level"
    }
}
