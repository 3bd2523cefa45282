#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A game in memory, for previews and tests: one account with its items, equipment and loadouts.
public actor InMemoryGameRepository: AuthRepository, EquipmentRepository, LoadoutRepository {
    private let account: User
    private let password: String
    private var isSignedIn = false
    private var slots = EquipmentSlots()
    private let ownedItems: [PlayerItem]
    private var savedLoadouts: [Loadout] = []
    private let now: @Sendable () -> String

    /// Creates a game.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - password: Its password.
    ///   - items: The items of the player.
    ///   - now: Returns the text of the current time for new loadouts.
    public init(
        account: User, password: String, items: [PlayerItem],
        now: @escaping @Sendable () -> String = { Date().formatted(.iso8601) }
    ) {
        self.account = account
        self.password = password
        ownedItems = items
        self.now = now
    }

    // MARK: The account

    /// Signs the account in.
    public func signIn(email: String, password: String) throws(AppError) -> User {
        guard email == account.email, password == self.password else { throw .unauthorized }
        isSignedIn = true
        return account
    }

    /// Signs the account out.
    public func signOut() { isSignedIn = false }

    /// Returns the account, or `nil` if it is not signed in.
    public func currentUser() -> User? { isSignedIn ? account : nil }

    private func requireSignIn() throws(AppError) {
        guard isSignedIn else { throw .unauthorized }
    }

    // MARK: The equipment

    /// Returns the equipment, with statistics computed from its items.
    public func equipment() throws(AppError) -> Equipment {
        try requireSignIn()
        return currentEquipment
    }

    private var currentEquipment: Equipment {
        var equipment = Equipment(slots: slots)
        equipment.stats = equipment.computedStats
        return equipment
    }

    /// Returns the items that the player owns.
    public func items() throws(AppError) -> [PlayerItem] {
        try requireSignIn()
        return ownedItems
    }

    /// Equips an item.
    public func equip(itemID: UUID, in slot: SlotName) throws(AppError) -> EquipResult {
        try requireSignIn()
        guard let item = ownedItems.first(where: { $0.id == itemID }) else { throw .notFound }
        guard SlotName.allCases.contains(slot), [nil, slot].contains(item.itemType?.slot) else {
            throw .validation("The item doesn't fit into this slot.")
        }
        let previous = slots[slot]
        for (other, equipped) in slots.items where equipped.id == itemID { slots[other] = nil }
        slots[slot] = item
        return EquipResult(
            success: true, equipment: currentEquipment, unequippedItem: previous?.id == itemID ? nil : previous)
    }

    /// Empties a slot.
    public func unequip(_ slot: SlotName) throws(AppError) -> EquipResult {
        try requireSignIn()
        let previous = slots[slot]
        slots[slot] = nil
        return EquipResult(success: true, equipment: currentEquipment, unequippedItem: previous)
    }

    // MARK: Loadouts

    /// Returns the loadouts, the oldest first.
    public func loadouts() throws(AppError) -> [Loadout] {
        try requireSignIn()
        return savedLoadouts
    }

    /// Saves the equipment as a loadout.
    public func createLoadout(name: String) throws(AppError) -> Loadout {
        try requireSignIn()
        guard !name.allSatisfy(\.isWhitespace), !savedLoadouts.contains(where: { $0.name == name }) else {
            throw .validation("A loadout needs a name of its own.")
        }
        let time = now()
        let loadout = Loadout(
            id: UUID(), userID: account.id, name: name,
            slots: Dictionary(uniqueKeysWithValues: slots.items.map { ($0.slot, $0.item.id) }), isActive: true,
            createdAt: time, updatedAt: time)
        for index in savedLoadouts.indices { savedLoadouts[index].isActive = false }
        savedLoadouts.append(loadout)
        return loadout
    }

    /// Equips the items of a loadout.
    public func activateLoadout(id: UUID) throws(AppError) -> LoadoutResponse {
        try requireSignIn()
        guard let chosen = savedLoadouts.firstIndex(where: { $0.id == id }) else { throw .notFound }
        slots = EquipmentSlots()
        for (slot, itemID) in savedLoadouts[chosen].slots { slots[slot] = ownedItems.first { $0.id == itemID } }
        for index in savedLoadouts.indices { savedLoadouts[index].isActive = index == chosen }
        savedLoadouts[chosen].updatedAt = now()
        return LoadoutResponse(loadout: savedLoadouts[chosen], equipment: currentEquipment)
    }

    /// Deletes a loadout.
    public func deleteLoadout(id: UUID) throws(AppError) {
        try requireSignIn()
        guard let index = savedLoadouts.firstIndex(where: { $0.id == id }) else { throw .notFound }
        savedLoadouts.remove(at: index)
    }
}
