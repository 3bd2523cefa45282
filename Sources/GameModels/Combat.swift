#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The state of a combat.
public struct CombatStatus: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
    /// The text in JSON. Values that are not listed here are kept.
    public var rawValue: String

    /// Creates a value from its text in JSON.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The combat goes on.
    public static let ongoing = CombatStatus(rawValue: "ongoing")
    /// The player won.
    public static let victory = CombatStatus(rawValue: "victory")
    /// The player lost.
    public static let defeat = CombatStatus(rawValue: "defeat")

    /// The known values.
    public static let allCases: [CombatStatus] = [.ongoing, .victory, .defeat]
}

/// A combat of a player with an enemy.
public struct CombatSession: Codable, Hashable, Identifiable, Sendable {
    /// The session's id.
    public var sessionID: UUID
    /// The enemy.
    public var enemy: Enemy
    /// The statistics of the player.
    public var playerStats: ItemStats
    /// The state; `nil` if the server did not include it.
    public var status: CombatStatus?

    /// The same as `sessionID`.
    public var id: UUID { sessionID }

    /// Creates a combat session.
    ///
    /// - Parameters:
    ///   - sessionID: The session's id.
    ///   - enemy: The enemy.
    ///   - playerStats: The statistics of the player.
    ///   - status: The state; `nil` if the server did not include it.
    public init(sessionID: UUID, enemy: Enemy, playerStats: ItemStats, status: CombatStatus? = nil) {
        self.sessionID = sessionID
        self.enemy = enemy
        self.playerStats = playerStats
        self.status = status
    }

    private enum CodingKeys: String, CodingKey {
        case enemy, status
        case sessionID = "session_id"
        case playerStats = "player_stats"
    }
}

/// An enemy.
public struct Enemy: Codable, Hashable, Sendable {
    /// The level.
    public var level: Int
    /// The statistics.
    public var stats: ItemStats
    /// The least gold of a victory.
    public var goldMin: Int
    /// The most gold of a victory.
    public var goldMax: Int
    /// The materials that a victory can give.
    public var materialDropPool: [String]

    /// Creates an enemy.
    ///
    /// - Parameters:
    ///   - level: The level.
    ///   - stats: The statistics.
    ///   - goldMin: The least gold of a victory.
    ///   - goldMax: The most gold of a victory.
    ///   - materialDropPool: The materials that a victory can give.
    public init(level: Int, stats: ItemStats, goldMin: Int, goldMax: Int, materialDropPool: [String]) {
        self.level = level
        self.stats = stats
        self.goldMin = goldMin
        self.goldMax = goldMax
        self.materialDropPool = materialDropPool
    }

    private enum CodingKeys: String, CodingKey {
        case level, stats
        case goldMin = "gold_min"
        case goldMax = "gold_max"
        case materialDropPool = "material_drop_pool"
    }

    /// The gold that a victory can give; `nil` if the limits contradict each other.
    public var goldRange: ClosedRange<Int>? { goldMin <= goldMax ? goldMin...goldMax : nil }
}

/// The rewards of a victory.
public struct CombatRewards: Codable, Hashable, Sendable {
    /// The gold.
    public var gold: Int
    /// The material; `nil` if there is none.
    public var material: MaterialDrop?

    /// Creates combat rewards.
    ///
    /// - Parameters:
    ///   - gold: The gold.
    ///   - material: The material; `nil` if there is none.
    public init(gold: Int, material: MaterialDrop? = nil) {
        self.gold = gold
        self.material = material
    }

    private enum CodingKeys: CodingKey { case gold, material }
}

/// A material that a victory gives. Assumed: the document names it without its members.
public struct MaterialDrop: Codable, Hashable, Sendable {
    /// The material's id.
    public var materialID: UUID
    /// The name; `nil` if the server did not include it.
    public var name: String?
    /// The style; `nil` if there is none.
    public var styleID: String?
    /// The number of materials; `nil` for one.
    public var quantity: Int?

    /// Creates a material drop.
    ///
    /// - Parameters:
    ///   - materialID: The material's id.
    ///   - name: The name; `nil` if the server did not include it.
    ///   - styleID: The style; `nil` if there is none.
    ///   - quantity: The number of materials; `nil` for one.
    public init(materialID: UUID, name: String? = nil, styleID: String? = nil, quantity: Int? = nil) {
        self.materialID = materialID
        self.name = name
        self.styleID = styleID
        self.quantity = quantity
    }

    private enum CodingKeys: String, CodingKey {
        case name, quantity
        case materialID = "material_id"
        case styleID = "style_id"
    }
}
