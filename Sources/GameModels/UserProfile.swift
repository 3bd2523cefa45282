#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The profile of a player.
public struct UserProfile: Codable, Hashable, Identifiable, Sendable {
    /// The player's id.
    public var userID: UUID
    /// The name.
    public var username: String
    /// The gold. Older answers name it `currency_balance`, which is decoded too.
    public var gold: Int
    /// The vanity level.
    public var vanityLevel: Int
    /// The mean level of the items.
    public var avgItemLevel: Float
    /// The time of creation.
    public var createdAt: Date
    /// The time of the last login; `nil` if there was none.
    public var lastLogin: Date?
    /// The sum of the equipped items; `nil` in older answers.
    public var totalStats: ItemStats?
    /// The balances of all currencies, the new structure; `nil` in older answers.
    public var currencyBalances: [CurrencyBalance]?

    /// The same as `userID`.
    public var id: UUID { userID }

    /// Creates a user profile.
    ///
    /// - Parameters:
    ///   - userID: The player's id.
    ///   - username: The name.
    ///   - gold: The gold.
    ///   - vanityLevel: The vanity level.
    ///   - avgItemLevel: The mean level of the items.
    ///   - createdAt: The time of creation.
    ///   - lastLogin: The time of the last login; `nil` if there was none.
    ///   - totalStats: The sum of the equipped items; `nil` in older answers.
    ///   - currencyBalances: The balances of all currencies, the new structure; `nil` in older answers.
    public init(
        userID: UUID, username: String, gold: Int, vanityLevel: Int, avgItemLevel: Float, createdAt: Date,
        lastLogin: Date? = nil, totalStats: ItemStats? = nil, currencyBalances: [CurrencyBalance]? = nil
    ) {
        self.userID = userID
        self.username = username
        self.gold = gold
        self.vanityLevel = vanityLevel
        self.avgItemLevel = avgItemLevel
        self.createdAt = createdAt
        self.lastLogin = lastLogin
        self.totalStats = totalStats
        self.currencyBalances = currencyBalances
    }

    private enum CodingKeys: String, CodingKey {
        case username, gold
        case userID = "user_id"
        case vanityLevel = "vanity_level"
        case avgItemLevel = "avg_item_level"
        case createdAt = "created_at"
        case lastLogin = "last_login"
        case totalStats = "total_stats"
        case currencyBalances = "currency_balances"
    }

    private enum OlderKeys: String, CodingKey { case gold = "currency_balance" }

    /// Decodes a profile with the keys of today or with the older key of the gold. Dates need the strategy of
    /// ``GameJSON``.
    ///
    /// - Throws: `DecodingError` if a member is missing or invalid.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        userID = try values.decode(UUID.self, forKey: .userID)
        username = try values.decode(String.self, forKey: .username)
        gold =
            if values.contains(.gold) {
                try values.decode(Int.self, forKey: .gold)
            } else {
                try decoder.container(keyedBy: OlderKeys.self).decode(Int.self, forKey: .gold)
            }
        vanityLevel = try values.decode(Int.self, forKey: .vanityLevel)
        avgItemLevel = try values.decode(Float.self, forKey: .avgItemLevel)
        createdAt = try values.decode(Date.self, forKey: .createdAt)
        lastLogin = try values.decodeIfPresent(Date.self, forKey: .lastLogin)
        totalStats = try values.decodeIfPresent(ItemStats.self, forKey: .totalStats)
        currencyBalances = try values.decodeIfPresent([CurrencyBalance].self, forKey: .currencyBalances)
    }
}

/// The balance of one currency. Assumed: the document names it without its members.
public struct CurrencyBalance: Codable, Hashable, Sendable {
    /// The code of the currency, such as `GOLD`.
    public var currencyCode: String
    /// The balance.
    public var balance: Int

    /// Creates a currency balance.
    ///
    /// - Parameters:
    ///   - currencyCode: The code of the currency, such as `GOLD`.
    ///   - balance: The balance.
    public init(currencyCode: String, balance: Int) {
        self.currencyCode = currencyCode
        self.balance = balance
    }

    private enum CodingKeys: String, CodingKey {
        case balance
        case currencyCode = "currency_code"
    }
}

/// An account. Assumed: the document names it without its members. Its decoder, which the document calls more complex
/// than needed, is the synthesized one.
public struct User: Codable, Hashable, Identifiable, Sendable {
    /// The account's id.
    public var id: UUID
    /// The e-mail address; `nil` for an account without one.
    public var email: String?
    /// The name; `nil` if there is none.
    public var username: String?
    /// Whether the account has no credentials; `nil` if it is not known.
    public var isAnonymous: Bool?
    /// The time of creation, as the server wrote it; `nil` if it is not known.
    public var createdAt: String?

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - id: The account's id.
    ///   - email: The e-mail address; `nil` for an account without one.
    ///   - username: The name; `nil` if there is none.
    ///   - isAnonymous: Whether the account has no credentials; `nil` if it is not known.
    ///   - createdAt: The time of creation, as the server wrote it; `nil` if it is not known.
    public init(
        id: UUID, email: String? = nil, username: String? = nil, isAnonymous: Bool? = nil, createdAt: String? = nil
    ) {
        self.id = id
        self.email = email
        self.username = username
        self.isAnonymous = isAnonymous
        self.createdAt = createdAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, email, username
        case isAnonymous = "is_anonymous"
        case createdAt = "created_at"
    }
}
