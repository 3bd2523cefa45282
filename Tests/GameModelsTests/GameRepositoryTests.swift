import Foundation
import GameModels
import Testing

@Suite("A game in memory")
struct GameRepositoryTests {
    private let account = User(id: UUID(), email: "a@example.com")

    private func makeItem(_ slot: SlotName?, level: Int = 1) -> PlayerItem {
        let type = slot.map { ItemType(id: UUID(), name: "T", slot: $0) }
        let stats = ItemStats(atkPower: Double(level), atkAccuracy: 0, defPower: 0, defAccuracy: 0)
        return PlayerItem(
            id: UUID(), userID: account.id, itemTypeID: type?.id ?? UUID(), level: level, baseStats: stats,
            itemType: type,
            createdAt: "", updatedAt: "")
    }

    private func makeGame(_ items: [PlayerItem], signedIn: Bool = true) async throws -> InMemoryGameRepository {
        let game = InMemoryGameRepository(account: account, password: "p", items: items) { "now" }
        if signedIn { _ = try await game.signIn(email: "a@example.com", password: "p") }
        return game
    }

    @Test("only an account that is signed in can play")
    func signIn() async throws {
        let game = try await makeGame([], signedIn: false)
        await #expect(throws: AppError.unauthorized) { try await game.signIn(email: "a@example.com", password: "q") }
        await #expect(throws: AppError.unauthorized) { try await game.equipment() }
        await #expect(throws: AppError.unauthorized) { try await game.loadouts() }
        let repository: any AuthRepository = game
        #expect(try await repository.currentUser() == nil)
        #expect(try await repository.signIn(email: "a@example.com", password: "p") == account)
        #expect(try await game.items().isEmpty)
        try await repository.signOut()
        await #expect(throws: AppError.unauthorized) { try await game.items() }
    }

    @Test("equipping moves an item, and returns the one before")
    func equipping() async throws {
        let sword = makeItem(nil, level: 3), axe = makeItem(nil, level: 5)
        let game = try await makeGame([sword, axe])
        _ = try await game.equip(itemID: sword.id, in: .weapon)
        let second = try await game.equip(itemID: axe.id, in: .weapon)
        #expect(second.unequippedItem == sword && second.equipment?.slots.weapon == axe)
        let moved = try await game.equip(itemID: axe.id, in: .offhand)
        #expect(moved.equipment?.slots.weapon == nil && moved.equipment?.slots.offhand == axe)
        #expect(moved.equipment?.stats?.totalStats.atkPower == 5 && moved.equipment?.stats?.equippedItemsCount == 1)
        #expect(try await game.unequip(.offhand).unequippedItem == axe)
        #expect(try await game.equipment().slots.items.isEmpty)
    }

    @Test("an item that is not owned, or does not fit, is not equipped")
    func refusals() async throws {
        let helmet = makeItem(.head)
        let game = try await makeGame([helmet])
        await #expect(throws: AppError.notFound) { try await game.equip(itemID: UUID(), in: .head) }
        let misfit = AppError.validation("The item doesn't fit into this slot.")
        await #expect(throws: misfit) { try await game.equip(itemID: helmet.id, in: .feet) }
        await #expect(throws: misfit) { try await game.equip(itemID: helmet.id, in: SlotName(rawValue: "tail")) }
        #expect(try await game.equip(itemID: helmet.id, in: .head).success)
    }

    @Test("a loadout is saved, equipped again and deleted")
    func loadouts() async throws {
        let helmet = makeItem(.head), sword = makeItem(.weapon)
        let game = try await makeGame([helmet, sword])
        _ = try await game.equip(itemID: helmet.id, in: .head)
        let first = try await game.createLoadout(name: "First")
        #expect(first.slots == [.head: helmet.id] && first.isActive && first.createdAt == "now")
        _ = try await game.unequip(.head)
        _ = try await game.equip(itemID: sword.id, in: .weapon)
        let second = try await game.createLoadout(name: "Second")
        await #expect(throws: AppError.self) { try await game.createLoadout(name: "Second") }
        await #expect(throws: AppError.self) { try await game.createLoadout(name: " ") }
        #expect(try await game.loadouts().map(\.isActive) == [false, true])
        let activated = try await game.activateLoadout(id: first.id)
        #expect(activated.equipment?.slots.head == helmet && activated.equipment?.slots.weapon == nil)
        #expect(try await game.loadouts().map(\.isActive) == [true, false])
        try await game.deleteLoadout(id: second.id)
        await #expect(throws: AppError.notFound) { try await game.deleteLoadout(id: second.id) }
        await #expect(throws: AppError.notFound) { try await game.activateLoadout(id: second.id) }
        #expect(try await game.loadouts().map(\.name) == ["First"])
    }
}
