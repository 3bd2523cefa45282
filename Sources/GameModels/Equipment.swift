/// The name of a slot of the equipment, which is also its key in JSON.
public struct SlotName: RawRepresentable, CaseIterable, Codable, Hashable, Sendable, CodingKeyRepresentable {
    /// The text in JSON. Values that are not listed here are kept.
    public var rawValue: String

    /// Creates a value from its text in JSON.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The weapon.
    public static let weapon = SlotName(rawValue: "weapon")
    /// The other hand.
    public static let offhand = SlotName(rawValue: "offhand")
    /// The head.
    public static let head = SlotName(rawValue: "head")
    /// The armor.
    public static let armor = SlotName(rawValue: "armor")
    /// The feet.
    public static let feet = SlotName(rawValue: "feet")
    /// The first accessory.
    public static let accessory1 = SlotName(rawValue: "accessory_1")
    /// The second accessory.
    public static let accessory2 = SlotName(rawValue: "accessory_2")
    /// The pet.
    public static let pet = SlotName(rawValue: "pet")

    /// The known values.
    public static let allCases: [SlotName] = [.weapon, .offhand, .head, .armor, .feet, .accessory1, .accessory2, .pet]
}

/// The items that a player has equipped, one for each slot.
public struct EquipmentSlots: Codable, Hashable, Sendable {
    /// The weapon; `nil` if the slot is empty.
    public var weapon: PlayerItem?
    /// The other hand; `nil` if the slot is empty.
    public var offhand: PlayerItem?
    /// The head; `nil` if the slot is empty.
    public var head: PlayerItem?
    /// The armor; `nil` if the slot is empty.
    public var armor: PlayerItem?
    /// The feet; `nil` if the slot is empty.
    public var feet: PlayerItem?
    /// The first accessory; `nil` if the slot is empty.
    public var accessory1: PlayerItem?
    /// The second accessory; `nil` if the slot is empty.
    public var accessory2: PlayerItem?
    /// The pet; `nil` if the slot is empty.
    public var pet: PlayerItem?

    /// Creates equipment slots.
    ///
    /// - Parameters:
    ///   - weapon: The weapon; `nil` if the slot is empty.
    ///   - offhand: The other hand; `nil` if the slot is empty.
    ///   - head: The head; `nil` if the slot is empty.
    ///   - armor: The armor; `nil` if the slot is empty.
    ///   - feet: The feet; `nil` if the slot is empty.
    ///   - accessory1: The first accessory; `nil` if the slot is empty.
    ///   - accessory2: The second accessory; `nil` if the slot is empty.
    ///   - pet: The pet; `nil` if the slot is empty.
    public init(
        weapon: PlayerItem? = nil, offhand: PlayerItem? = nil, head: PlayerItem? = nil, armor: PlayerItem? = nil,
        feet: PlayerItem? = nil, accessory1: PlayerItem? = nil, accessory2: PlayerItem? = nil,
        pet: PlayerItem? = nil
    ) {
        self.weapon = weapon
        self.offhand = offhand
        self.head = head
        self.armor = armor
        self.feet = feet
        self.accessory1 = accessory1
        self.accessory2 = accessory2
        self.pet = pet
    }

    private enum CodingKeys: String, CodingKey {
        case weapon, offhand, head, armor, feet, pet
        case accessory1 = "accessory_1"
        case accessory2 = "accessory_2"
    }

    /// The item in a slot; `nil` if it is empty or the slot is unknown. Setting the item of an unknown slot has no
    /// effect.
    public subscript(slot: SlotName) -> PlayerItem? {
        get { Self.keyPath(of: slot).flatMap { self[keyPath: $0] } }
        set { if let path = Self.keyPath(of: slot) { self[keyPath: path] = newValue } }
    }

    /// The equipped items, in the order of ``SlotName/allCases``.
    public var items: [(slot: SlotName, item: PlayerItem)] {
        SlotName.allCases.compactMap { slot in self[slot].map { (slot, $0) } }
    }

    private static func keyPath(of slot: SlotName) -> WritableKeyPath<EquipmentSlots, PlayerItem?>? {
        switch slot {
        case .weapon: \.weapon
        case .offhand: \.offhand
        case .head: \.head
        case .armor: \.armor
        case .feet: \.feet
        case .accessory1: \.accessory1
        case .accessory2: \.accessory2
        case .pet: \.pet
        default: nil
        }
    }
}

/// The equipment of a player. The document has its slots, its statistics and the missing image.
public struct Equipment: Codable, Hashable, Sendable {
    /// The equipped items.
    public var slots: EquipmentSlots
    /// The statistics of the player; `nil` if the server did not include them.
    public var stats: PlayerStats?
    /// The URL of the generated image of the player; `nil` if there is none.
    public var generatedImageURL: String?

    /// Creates an equipment.
    ///
    /// - Parameters:
    ///   - slots: The equipped items.
    ///   - stats: The statistics of the player; `nil` if the server did not include them.
    ///   - generatedImageURL: The URL of the generated image of the player; `nil` if there is none.
    public init(slots: EquipmentSlots, stats: PlayerStats? = nil, generatedImageURL: String? = nil) {
        self.slots = slots
        self.stats = stats
        self.generatedImageURL = generatedImageURL
    }

    private enum CodingKeys: String, CodingKey {
        case slots, stats
        case generatedImageURL = "generated_image_url"
    }

    /// The statistics of the equipped items, computed from them.
    public var computedStats: PlayerStats {
        let items = slots.items
        let totalLevel = items.reduce(0) { sum, item in
            let (next, overflows) = sum.addingReportingOverflow(item.item.level)
            return overflows ? .max : next
        }
        return PlayerStats(
            totalStats: items.reduce(.zero) { $0 + $1.item.stats },
            itemContributions: Dictionary(uniqueKeysWithValues: items.map { ($0.slot.rawValue, $0.item.stats) }),
            equippedItemsCount: items.count, totalItemLevel: totalLevel)
    }
}
