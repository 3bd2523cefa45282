import Foundation
import GameModels
import JSONValues
import Testing

@Suite("The game's models")
struct GameModelTests {
    @Test(
        "JSON is decoded and encoded without a change, also with values that are not known",
        arguments: GameFixtures.rows)
    func roundTrip(_ row: GameFixtures.Row) throws {
        #expect(try row.reencode() == JSONDecoder().decode(JSONValue.self, from: Data(row.json.utf8)))
    }

    @Test("each row of the document's matrix has a fixture")
    func matrix() {
        let names = [
            "PlayerStats", "ItemStats", "PlayerItem", "MaterialStack", "Material", "Equipment", "EquipmentSlots",
            "CombatSession", "Enemy", "CombatRewards", "Location", "UserProfile", "User", "Loadout",
            "PlayerProgression",
        ]
        #expect(Set(names).isSubset(of: Set(GameFixtures.rows.map(\.testDescription))))
    }

    private func decode<Model: Decodable>(_ json: String, as type: Model.Type = Model.self) throws -> Model {
        try GameJSON.makeDecoder().decode(type, from: Data(json.utf8))
    }

    @Test("gold is decoded from its older key, and encoded with today's")
    func olderGold() throws {
        let older = GameFixtures.profile.replacing(#""gold""#, with: #""currency_balance""#)
        let profile: UserProfile = try decode(older)
        #expect(profile.gold == 100)
        #expect(try profile == decode(GameFixtures.profile))
        #expect(String(decoding: try GameJSON.makeEncoder().encode(profile), as: UTF8.self).contains(#""gold":100"#))
    }

    @Test(
        "dates have fractional seconds or none, and any other text is an error",
        arguments: [
            ("2025-01-27T10:00:00Z", 1_737_972_000.0), ("2025-01-27T10:00:00.250Z", 1_737_972_000.25),
            ("yesterday", nil),
        ] as [(String, Double?)])
    func dates(_ text: String, _ seconds: Double?) throws {
        let json = GameFixtures.profile.replacing("2025-01-27T10:00:00.250Z", with: text)
        let profile = try? decode(json, as: UserProfile.self)
        #expect(profile?.lastLogin?.timeIntervalSince1970 == seconds)
    }

    @Test("the statistics of an item are the computed, the current or the base ones")
    func itemStatistics() throws {
        var item: PlayerItem = try decode(GameFixtures.olderItem)
        let one = ItemStats(atkPower: 1, atkAccuracy: 1, defPower: 1, defAccuracy: 1)
        #expect(item.stats == item.currentStats)
        item.computedStats = one
        #expect(item.stats == one)
        (item.computedStats, item.currentStats) = (nil, nil)
        #expect(item.stats == item.baseStats)
        #expect(one + one == ItemStats(atkPower: 2, atkAccuracy: 2, defPower: 2, defAccuracy: 2) && one + .zero == one)
    }

    @Test("there are eight slots, and an unknown one is always empty")
    func slots() throws {
        let item: PlayerItem = try decode(GameFixtures.olderItem)
        var slots = EquipmentSlots()
        #expect(SlotName.allCases.count == 8 && slots.items.isEmpty)
        for slot in SlotName.allCases {
            slots[slot] = item
            #expect(slots[slot] == item)
        }
        slots[SlotName(rawValue: "tail")] = item
        #expect(slots[SlotName(rawValue: "tail")] == nil && slots.items.map(\.slot) == SlotName.allCases)
        let stats = Equipment(slots: slots).computedStats
        #expect(stats.equippedItemsCount == 8 && stats.totalItemLevel == 56 && stats.totalStats.atkPower == 84)
        #expect(stats.itemContributions.keys.sorted() == SlotName.allCases.map(\.rawValue).sorted())
    }

    @Test(
        "the range of gold exists only if its limits are in order",
        arguments: [(10, 20, true), (5, 5, true), (6, 5, false)])
    func goldRange(_ least: Int, _ most: Int, _ exists: Bool) {
        let enemy = Enemy(level: 1, stats: .zero, goldMin: least, goldMax: most, materialDropPool: [])
        #expect(enemy.goldRange == (exists ? least...most : nil))
    }

    @Test("a response is its content or an error")
    func responses() throws {
        let success: ApiResponse<CurrencyBalance> = try decode(#"{"success": true, "data": \#(GameFixtures.currency)}"#)
        #expect(try success.get().balance == 100)
        let failures = [
            (
                #"{"success": false, "error": {"code": "X", "message": "No"}}"#,
                AppError.server(code: "X", message: "No")
            ),
            (#"{"success": false, "message": "Why"}"#, .server(code: nil, message: "Why")),
            (#"{"success": true}"#, .invalidData("the response has no data")),
        ]
        for (json, error) in failures {
            let response: ApiResponse<CurrencyBalance> = try decode(json)
            #expect(throws: error) { try response.get() }
        }
    }
}

@Suite("The state of what is loaded")
struct LoadableTests {
    @Test("a value, an error and the states without either")
    func states() async {
        #expect(Loadable.loaded(2).map { $0 * 2 } == .loaded(4) && Loadable.loaded(2).value == 2)
        #expect(Loadable<Int>.loading.isLoading && Loadable<Int>.loading.map(\.description) == .loading)
        #expect(Loadable<Int>.idle.value == nil && Loadable<Int>.idle.error == nil && !Loadable<Int>.idle.isLoading)
        #expect(await Loadable { () throws(AppError) in 3 } == .loaded(3))
        let failed = await Loadable<Int> { () throws(AppError) in throw .notFound }
        #expect(failed == .error(.notFound) && failed.error == .notFound && failed.map { $0 + 1 } == .error(.notFound))
    }

    @Test(
        "every error has a sentence for the user",
        arguments: [
            AppError.network("x"), .unauthorized, .notFound, .validation("v"), .server(code: nil, message: "m"),
            .invalidData("i"),
            .unknown("u"),
        ])
    func sentences(_ error: AppError) { #expect(error.errorDescription?.isEmpty == false) }
}
