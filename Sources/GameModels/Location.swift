#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A place in the world.
public struct Location: Codable, Hashable, Identifiable, Sendable {
    /// The location's id.
    public var id: UUID
    /// The latitude in degrees.
    public var lat: Double
    /// The longitude in degrees.
    public var lng: Double
    /// The kind of place; `nil` if it is not known.
    public var locationType: String?
    /// The name; `nil` if there is none.
    public var name: String?
    /// The code of the country; `nil` if it is not known.
    public var countryCode: String?
    /// The code of the state; `nil` if it is not known.
    public var stateCode: String?
    /// The time of creation, as the server wrote it.
    public var createdAt: String
    /// The level of the enemies; `nil` in older answers.
    public var enemyLevel: Int?
    /// The distance to the player in meters; `nil` if none was asked for.
    public var distanceMeters: Double?
    /// The materials that can be found; `nil` in older answers.
    public var materialDropPool: [String]?

    /// Creates a location.
    ///
    /// - Parameters:
    ///   - id: The location's id.
    ///   - lat: The latitude in degrees.
    ///   - lng: The longitude in degrees.
    ///   - locationType: The kind of place; `nil` if it is not known.
    ///   - name: The name; `nil` if there is none.
    ///   - countryCode: The code of the country; `nil` if it is not known.
    ///   - stateCode: The code of the state; `nil` if it is not known.
    ///   - createdAt: The time of creation, as the server wrote it.
    ///   - enemyLevel: The level of the enemies; `nil` in older answers.
    ///   - distanceMeters: The distance to the player in meters; `nil` if none was asked for.
    ///   - materialDropPool: The materials that can be found; `nil` in older answers.
    public init(
        id: UUID, lat: Double, lng: Double, locationType: String? = nil, name: String? = nil,
        countryCode: String? = nil, stateCode: String? = nil, createdAt: String, enemyLevel: Int? = nil,
        distanceMeters: Double? = nil, materialDropPool: [String]? = nil
    ) {
        self.id = id
        self.lat = lat
        self.lng = lng
        self.locationType = locationType
        self.name = name
        self.countryCode = countryCode
        self.stateCode = stateCode
        self.createdAt = createdAt
        self.enemyLevel = enemyLevel
        self.distanceMeters = distanceMeters
        self.materialDropPool = materialDropPool
    }

    private enum CodingKeys: String, CodingKey {
        case id, lat, lng, name
        case locationType = "location_type"
        case countryCode = "country_code"
        case stateCode = "state_code"
        case createdAt = "created_at"
        case enemyLevel = "enemy_level"
        case distanceMeters = "distance_meters"
        case materialDropPool = "material_drop_pool"
    }
}
