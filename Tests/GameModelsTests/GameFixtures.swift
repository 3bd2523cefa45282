import Foundation
import GameModels
import JSONValues
import Testing

/// JSON of each model with all its members, and of what older answers lack.
enum GameFixtures {
    static let stats = #"{"atkPower": 10.5, "atkAccuracy": 0.25, "defPower": 4, "defAccuracy": 0.5}"#
    static let material = #"""
        {"id": "E621E1F8-C36C-495A-93FC-0C247A3E6E03", "name": "Oak", "rarity": "rare", "theme": "forest",
        "description": "Wood", "stat_modifiers": \#(stats), "image_url": "/oak.png", "style_id": "pixel"}
        """#
    static let itemType = #"""
        {"id": "E621E1F8-C36C-495A-93FC-0C247A3E6E02", "name": "Sword", "equipment_slot": "weapon",
        "rarity": "common", "description": "Sharp", "base_stats": \#(stats)}
        """#
    static let appliedMaterial = #"""
        {"id": "E621E1F8-C36C-495A-93FC-0C247A3E6E04",
        "material_id": "E621E1F8-C36C-495A-93FC-0C247A3E6E03", "slot_index": 0, "style_id": "pixel",
        "applied_at": "2025-01-27T10:00:00Z", "material": \#(material)}
        """#
    static let item = #"""
        {"id": "E621E1F8-C36C-495A-93FC-0C247A3E6E00", "user_id": "E621E1F8-C36C-495A-93FC-0C247A3E6E01",
        "item_type_id": "E621E1F8-C36C-495A-93FC-0C247A3E6E02", "level": 7, "base_stats": \#(stats),
        "current_stats": \#(stats), "computed_stats": \#(stats), "material_combo_hash": "ab12",
        "image_url": "/i.png", "item_type": \#(itemType), "applied_materials": [\#(appliedMaterial)],
        "image_generation_status": "complete", "craft_count": 3, "is_styled": true,
        "created_at": "2025-01-27T10:00:00Z", "updated_at": "2025-01-27T11:00:00Z"}
        """#
    static let olderItem = #"""
        {"id": "E621E1F8-C36C-495A-93FC-0C247A3E6E00", "user_id": "E621E1F8-C36C-495A-93FC-0C247A3E6E01",
        "item_type_id": "E621E1F8-C36C-495A-93FC-0C247A3E6E02", "level": 7, "base_stats": \#(stats),
        "current_stats": \#(stats), "created_at": "2025-01-27T10:00:00Z",
        "updated_at": "2025-01-27T11:00:00Z"}
        """#
    static let playerStats = #"""
        {"total_stats": \#(stats), "item_contributions": {"weapon": \#(stats)}, "equipped_items_count": 1,
        "total_item_level": 7}
        """#
    static let equipment = #"""
        {"slots": {"weapon": \#(olderItem)}, "stats": \#(playerStats), "generated_image_url": "/me.png"}
        """#
    static let enemy = #"""
        {"level": 5, "stats": \#(stats), "gold_min": 10, "gold_max": 20, "material_drop_pool": ["oak",
        "iron"]}
        """#
    static let drop = #"""
        {"material_id": "E621E1F8-C36C-495A-93FC-0C247A3E6E03", "name": "Oak", "style_id": "pixel",
        "quantity": 2}
        """#
    static let session = #"""
        {"session_id": "E621E1F8-C36C-495A-93FC-0C247A3E6E05", "enemy": \#(enemy),
        "player_stats": \#(stats), "status": "ongoing"}
        """#
    static let location = #"""
        {"id": "E621E1F8-C36C-495A-93FC-0C247A3E6E06", "lat": 55.5, "lng": 12.25, "location_type": "park",
        "name": "Park", "country_code": "DK", "state_code": "H", "created_at": "2025-01-27T10:00:00Z",
        "enemy_level": 5, "distance_meters": 120.5, "material_drop_pool": ["oak"]}
        """#
    static let currency = #"{"currency_code": "GOLD", "balance": 100}"#
    static let profile = #"""
        {"user_id": "E621E1F8-C36C-495A-93FC-0C247A3E6E01", "username": "ana", "gold": 100,
        "vanity_level": 2, "avg_item_level": 7.5, "created_at": "2025-01-27T10:00:00Z",
        "last_login": "2025-01-27T10:00:00.250Z", "total_stats": \#(stats),
        "currency_balances": [\#(currency)]}
        """#
    static let progression = #"""
        {"user_id": "E621E1F8-C36C-495A-93FC-0C247A3E6E01", "level": 4, "experience": 250,
        "experience_to_next_level": 50, "vanity_level": 2, "avg_item_level": 7.5,
        "currency_balances": [\#(currency)]}
        """#
    static let loadout = #"""
        {"id": "E621E1F8-C36C-495A-93FC-0C247A3E6E07", "user_id": "E621E1F8-C36C-495A-93FC-0C247A3E6E01",
        "name": "Boss", "slots": {"weapon": "E621E1F8-C36C-495A-93FC-0C247A3E6E00",
        "accessory_1": "E621E1F8-C36C-495A-93FC-0C247A3E6E08"}, "is_active": true,
        "created_at": "2025-01-27T10:00:00Z", "updated_at": "2025-01-27T11:00:00Z"}
        """#

    /// A model and its JSON.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Decodes the JSON as the model and encodes that.
        let reencode: @Sendable () throws -> JSONValue
        let json: String

        init<Model: Codable & Equatable & SendableMetatype>(_ type: Model.Type, _ json: String) {
            testDescription = "\(type)"
            self.json = json
            reencode = {
                let model = try GameJSON.makeDecoder().decode(type, from: Data(json.utf8))
                let data = try GameJSON.makeEncoder().encode(model)
                #expect(try GameJSON.makeDecoder().decode(type, from: data) == model)
                return try JSONDecoder().decode(JSONValue.self, from: data)
            }
        }
    }

    static let rows: [Row] = [
        Row(ItemStats.self, stats),
        Row(PlayerStats.self, playerStats),
        Row(PlayerItem.self, item),
        Row(PlayerItem.self, olderItem),
        Row(ItemType.self, itemType),
        Row(Material.self, material),
        Row(AppliedMaterial.self, appliedMaterial),
        Row(
            MaterialStack.self,
            #"""
            {"id": "E621E1F8-C36C-495A-93FC-0C247A3E6E09",
            "user_id": "E621E1F8-C36C-495A-93FC-0C247A3E6E01",
            "material_id": "E621E1F8-C36C-495A-93FC-0C247A3E6E03", "quantity": 12, "style_id": "pixel",
            "material": \#(material)}
            """#),
        Row(
            EquipmentSlots.self,
            #"""
            {"weapon": \#(olderItem), "offhand": \#(olderItem), "head": \#(olderItem),
            "armor": \#(olderItem), "feet": \#(olderItem), "accessory_1": \#(olderItem),
            "accessory_2": \#(olderItem), "pet": \#(olderItem)}
            """#),
        Row(Equipment.self, equipment),
        Row(CombatSession.self, session),
        Row(Enemy.self, enemy),
        Row(CombatRewards.self, #"{"gold": 15, "material": \#(drop)}"#),
        Row(CombatRewards.self, #"{"gold": 15}"#),
        Row(MaterialDrop.self, drop),
        Row(Location.self, location),
        Row(UserProfile.self, profile),
        Row(CurrencyBalance.self, currency),
        Row(
            User.self,
            #"""
            {"id": "E621E1F8-C36C-495A-93FC-0C247A3E6E01", "email": "a@example.com", "username": "ana",
            "is_anonymous": false, "created_at": "2025-01-27T10:00:00Z"}
            """#),
        Row(PlayerProgression.self, progression),
        Row(Loadout.self, loadout),
        Row(ApiResponse<CombatSession>.self, #"{"success": true, "data": \#(session)}"#),
        Row(
            ApiResponse<CombatSession>.self,
            #"""
            {"success": false, "error": {"code": "NO_ENEMY", "message": "Nobody is here"}, "message": "No"}
            """#),
        Row(ApiErrorBody.self, #"{"code": "NO_ENEMY", "message": "Nobody is here"}"#),
        Row(EquipResult.self, #"{"success": true, "equipment": \#(equipment), "unequipped_item": \#(olderItem)}"#),
        Row(ApplyMaterialResult.self, #"{"success": true, "item": \#(olderItem), "remaining_quantity": 4}"#),
        Row(StartCombatResponse.self, #"{"session": \#(session)}"#),
        Row(CompleteCombatResponse.self, #"{"status": "victory", "rewards": {"gold": 15, "material": \#(drop)}}"#),
        Row(LoadoutsResponse.self, #"{"loadouts": [\#(loadout)]}"#),
        Row(LoadoutResponse.self, #"{"loadout": \#(loadout), "equipment": \#(equipment)}"#),
        Row(ProgressionResponse.self, #"{"progression": \#(progression), "leveled_up": true}"#),
        Row(NearbyLocationsResponse.self, #"{"locations": [\#(location)]}"#),
        Row(InventoryResponse.self, #"{"items": [\#(olderItem)], "materials": []}"#),
        Row(EquipmentResponse.self, #"{"equipment": \#(equipment)}"#),
        Row(ProfileResponse.self, #"{"profile": \#(profile)}"#),
        Row(SlotName.self, #""weapon""#),
        Row(CombatStatus.self, #""fled""#),
        Row(ImageGenerationStatus.self, #""queued""#),
    ]
}
