public import HTTPCalls

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SymptomSentryClient {
    /// The logged-in user.
    public struct User: Codable, Hashable, Identifiable, Sendable {
        /// The user's id.
        public var id: String
        /// The e-mail address for the login.
        public var email: String
        /// The user's name.
        public var name: String
        /// The subscription.
        public var subscription: SubscriptionType
        /// The number of analyses since `lastResetDate`.
        public var analysisCount: Int
        /// The time when the count was last reset; `nil` if it is missing or unreadable.
        public var lastResetDate: Date?

        /// Creates a user.
        ///
        /// - Parameters:
        ///   - id: The user's id.
        ///   - email: The e-mail address.
        ///   - name: The user's name.
        ///   - subscription: The subscription.
        ///   - analysisCount: The number of analyses since `lastResetDate`.
        ///   - lastResetDate: The time when the count was last reset.
        public init(
            id: String, email: String, name: String, subscription: SubscriptionType = .free, analysisCount: Int = 0,
            lastResetDate: Date? = nil
        ) {
            self.id = id
            self.email = email
            self.name = name
            self.subscription = subscription
            self.analysisCount = analysisCount
            self.lastResetDate = lastResetDate
        }

        /// The number of analyses that remain this month, by the server's count; `nil` for no limit.
        public var remainingAnalyses: Int? { subscription.analysisLimit.map { max(0, $0 - max(0, analysisCount)) } }

        private enum CodingKeys: CodingKey { case id, email, name, subscription, analysisCount, lastResetDate }

        /// Decodes a user. All formats of dates and subscriptions are accepted.
        ///
        /// - Throws: `DecodingError` if another member is missing or invalid.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decodeServerID(forKey: .id)
            email = try values.decode(String.self, forKey: .email)
            name = try values.decode(String.self, forKey: .name)
            subscription = try values.decode(SubscriptionType.self, forKey: .subscription)
            analysisCount = try values.decode(Int.self, forKey: .analysisCount)
            lastResetDate = (try? values.decode(FlexibleDate.self, forKey: .lastResetDate))?.date
        }

        /// Encodes the user, with the date as RFC 3339 text.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(id, forKey: .id)
            try values.encode(email, forKey: .email)
            try values.encode(name, forKey: .name)
            try values.encode(subscription, forKey: .subscription)
            try values.encode(analysisCount, forKey: .analysisCount)
            try values.encodeIfPresent(lastResetDate.map(FlexibleDate.init), forKey: .lastResetDate)
        }
    }

    /// A subscription. Values that are not listed here are kept.
    public struct SubscriptionType: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
        /// The text in JSON.
        public var rawValue: String

        /// Creates a subscription from its text in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Five analyses per month.
        public static let free = SubscriptionType(rawValue: "free")
        /// Unlimited analyses.
        public static let premium = SubscriptionType(rawValue: "premium")

        /// The known subscriptions.
        public static let allCases: [SubscriptionType] = [.free, .premium]

        /// The number of analyses per month; `nil` for no limit. An unknown subscription has that of ``free``, the one
        /// that grants the least.
        public var analysisLimit: Int? { self == .premium ? nil : 5 }

        /// The name to show. That of an unknown subscription is its text.
        public var displayName: String {
            switch self {
            case .free: "Basic"
            case .premium: "Premium"
            default: rawValue
            }
        }

        /// Decodes the name, or the encoding of a Swift enumeration case: `{"premium": {}}`.
        public init(from decoder: any Decoder) throws {
            rawValue =
                if let enumeration = try? decoder.container(keyedBy: AnyCodingKey.self) {
                    enumeration.allKeys.first?.stringValue ?? SubscriptionType.free.rawValue
                } else {
                    try decoder.singleValueContainer().decode(String.self)
                }
        }

        /// Encodes the name.
        public func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            try value.encode(rawValue)
        }
    }

    /// The response to a login. It cannot be encoded, because a token belongs in a keychain.
    public struct AuthResponse: Decodable, Hashable, Sendable {
        /// The token for all other calls.
        public var token: BearerToken
        /// The logged-in user.
        public var user: User

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - token: The token for all other calls.
        ///   - user: The logged-in user.
        public init(token: BearerToken, user: User) {
            self.token = token
            self.user = user
        }

        private enum CodingKeys: CodingKey { case token, user }

        /// Decodes the response.
        ///
        /// - Throws: `DecodingError`, also if the token is not a valid bearer token.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            token = try values.decode(DecodableBearerToken.self, forKey: .token).token
            user = try values.decode(User.self, forKey: .user)
        }
    }
}
