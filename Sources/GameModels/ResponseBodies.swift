/// The response to the start of a combat. Assumed: the document names it without its members.
public struct StartCombatResponse: Codable, Hashable, Sendable {
    /// The combat.
    public var session: CombatSession

    /// Creates a start combat response.
    ///
    /// - Parameter session: The combat.
    public init(session: CombatSession) {
        self.session = session
    }

    private enum CodingKeys: CodingKey { case session }
}

/// The response to the end of a combat. Assumed: the document names it without its members.
public struct CompleteCombatResponse: Codable, Hashable, Sendable {
    /// The state at the end.
    public var status: CombatStatus
    /// The rewards of the victory; `nil` after a defeat.
    public var rewards: CombatRewards?

    /// Creates a complete combat response.
    ///
    /// - Parameters:
    ///   - status: The state at the end.
    ///   - rewards: The rewards of the victory; `nil` after a defeat.
    public init(status: CombatStatus, rewards: CombatRewards? = nil) {
        self.status = status
        self.rewards = rewards
    }

    private enum CodingKeys: CodingKey { case status, rewards }
}

/// The loadouts of a player. Assumed: the document names it without its members.
public struct LoadoutsResponse: Codable, Hashable, Sendable {
    /// The loadouts.
    public var loadouts: [Loadout]

    /// Creates a loadouts response.
    ///
    /// - Parameter loadouts: The loadouts.
    public init(loadouts: [Loadout]) {
        self.loadouts = loadouts
    }

    private enum CodingKeys: CodingKey { case loadouts }
}

/// One loadout, after it was created, changed or equipped. Assumed: the document names it without its members.
public struct LoadoutResponse: Codable, Hashable, Sendable {
    /// The loadout.
    public var loadout: Loadout
    /// The equipment after the change; `nil` if it did not change.
    public var equipment: Equipment?

    /// Creates a loadout response.
    ///
    /// - Parameters:
    ///   - loadout: The loadout.
    ///   - equipment: The equipment after the change; `nil` if it did not change.
    public init(loadout: Loadout, equipment: Equipment? = nil) {
        self.loadout = loadout
        self.equipment = equipment
    }

    private enum CodingKeys: CodingKey { case loadout, equipment }
}

/// The progress of a player. Assumed: the document names it without its members.
public struct ProgressionResponse: Codable, Hashable, Sendable {
    /// The progress.
    public var progression: PlayerProgression
    /// Whether the call raised the level; `nil` if it cannot.
    public var leveledUp: Bool?

    /// Creates a progression response.
    ///
    /// - Parameters:
    ///   - progression: The progress.
    ///   - leveledUp: Whether the call raised the level; `nil` if it cannot.
    public init(progression: PlayerProgression, leveledUp: Bool? = nil) {
        self.progression = progression
        self.leveledUp = leveledUp
    }

    private enum CodingKeys: String, CodingKey {
        case progression
        case leveledUp = "leveled_up"
    }
}

/// The places near a player. Assumed: the document names it without its members.
public struct NearbyLocationsResponse: Codable, Hashable, Sendable {
    /// The places, the nearest first.
    public var locations: [Location]

    /// Creates a nearby locations response.
    ///
    /// - Parameter locations: The places, the nearest first.
    public init(locations: [Location]) {
        self.locations = locations
    }

    private enum CodingKeys: CodingKey { case locations }
}

/// The items and materials of a player. Assumed: the document names it without its members.
public struct InventoryResponse: Codable, Hashable, Sendable {
    /// The items.
    public var items: [PlayerItem]
    /// The materials; `nil` if the server did not include them.
    public var materials: [MaterialStack]?

    /// Creates an inventory response.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - materials: The materials; `nil` if the server did not include them.
    public init(items: [PlayerItem], materials: [MaterialStack]? = nil) {
        self.items = items
        self.materials = materials
    }

    private enum CodingKeys: CodingKey { case items, materials }
}

/// The equipment of a player. Assumed: the document names it without its members.
public struct EquipmentResponse: Codable, Hashable, Sendable {
    /// The equipment.
    public var equipment: Equipment

    /// Creates an equipment response.
    ///
    /// - Parameter equipment: The equipment.
    public init(equipment: Equipment) {
        self.equipment = equipment
    }

    private enum CodingKeys: CodingKey { case equipment }
}

/// The profile of a player. Assumed: the document names it without its members.
public struct ProfileResponse: Codable, Hashable, Sendable {
    /// The profile.
    public var profile: UserProfile

    /// Creates a profile response.
    ///
    /// - Parameter profile: The profile.
    public init(profile: UserProfile) {
        self.profile = profile
    }

    private enum CodingKeys: CodingKey { case profile }
}
