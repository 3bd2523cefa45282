#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Signs accounts in and out. The document names the repository without its methods, which are assumed.
public protocol AuthRepository: Sendable {
    /// Signs an account in.
    ///
    /// - Parameters:
    ///   - email: The e-mail address.
    ///   - password: The password.
    /// - Returns: The account.
    /// - Throws: ``AppError/unauthorized`` if the address or the password is wrong.
    func signIn(email: String, password: String) async throws(AppError) -> User

    /// Signs the account out. Nothing happens if none is signed in.
    func signOut() async throws(AppError)

    /// Returns the account that is signed in, or `nil` if there is none.
    func currentUser() async throws(AppError) -> User?
}

/// The equipment and the items of the player who is signed in. The document names the repository without its methods,
/// which are assumed.
public protocol EquipmentRepository: Sendable {
    /// Returns the equipment.
    func equipment() async throws(AppError) -> Equipment

    /// Returns the items that the player owns, equipped or not.
    func items() async throws(AppError) -> [PlayerItem]

    /// Equips an item. An item that was in the slot, or the same item in another slot, is unequipped.
    ///
    /// - Parameters:
    ///   - itemID: The item's id.
    ///   - slot: The slot.
    /// - Returns: The equipment after the change, and the item that was in the slot.
    /// - Throws: ``AppError/notFound`` if the player does not own the item; ``AppError/validation(_:)`` if the slot is
    ///   unknown, or the item's type belongs into another one.
    func equip(itemID: UUID, in slot: SlotName) async throws(AppError) -> EquipResult

    /// Empties a slot.
    ///
    /// - Parameter slot: The slot.
    /// - Returns: The equipment after the change, and the item that was in the slot.
    func unequip(_ slot: SlotName) async throws(AppError) -> EquipResult
}

/// The loadouts of the player who is signed in. Assumed, after the pattern of the other repositories.
public protocol LoadoutRepository: Sendable {
    /// Returns the loadouts, the oldest first.
    func loadouts() async throws(AppError) -> [Loadout]

    /// Saves the equipment as a loadout.
    ///
    /// - Parameter name: The name.
    /// - Returns: The loadout.
    /// - Throws: ``AppError/validation(_:)`` if the name is blank or used.
    func createLoadout(name: String) async throws(AppError) -> Loadout

    /// Equips the items of a loadout. Slots that it lacks become empty, also those of items that are not owned any
    /// longer.
    ///
    /// - Parameter id: The loadout's id.
    /// - Returns: The loadout and the equipment after the change.
    /// - Throws: ``AppError/notFound`` if there is no such loadout.
    func activateLoadout(id: UUID) async throws(AppError) -> LoadoutResponse

    /// Deletes a loadout. The equipment does not change.
    ///
    /// - Parameter id: The loadout's id.
    /// - Throws: ``AppError/notFound`` if there is no such loadout.
    func deleteLoadout(id: UUID) async throws(AppError)
}
