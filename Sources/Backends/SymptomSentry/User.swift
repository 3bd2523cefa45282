public import Uploading

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SymptomSentryClient {
    /// Who is logged in.
    public struct User: Codable, Hashable, Identifiable, Sendable {
        /// What the server calls it.
        public var id: String
        /// The address to log in with.
        public var email: String
        /// A person's name.
        public var name: String
        /// What is paid for.
        public var subscription: SubscriptionType
        /// How many analyses were made since `lastResetDate`.
        public var analysisCount: Int
        /// When the count began anew; nil if the server doesn't say, or not so that it can be read.
        public var lastResetDate: Date?

        /// A user of these parts.
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

        /// How many analyses are left this month, by the server's count; nil for any number.
        public var remainingAnalyses: Int? { subscription.analysisLimit.map { max(0, $0 - max(0, analysisCount)) } }

        private enum CodingKeys: CodingKey { case id, email, name, subscription, analysisCount, lastResetDate }

        /// Tolerant of all forms that a date and a subscription come in; the rest must be there.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decodeServerID(forKey: .id)
            email = try values.decode(String.self, forKey: .email)
            name = try values.decode(String.self, forKey: .name)
            subscription = try values.decode(SubscriptionType.self, forKey: .subscription)
            analysisCount = try values.decode(Int.self, forKey: .analysisCount)
            lastResetDate = (try? values.decode(FlexibleDate.self, forKey: .lastResetDate))?.date
        }

        /// The date as text.
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

    /// What is paid for.
    public enum SubscriptionType: String, CaseIterable, Codable, Sendable {
        /// Five analyses a month.
        case free
        /// As many as one likes.
        case premium

        /// Analyses a month; nil for any number.
        public var analysisLimit: Int? { self == .free ? 5 : nil }

        /// From its name, or from an enumeration's case as Swift writes it: `{"premium": {}}`. One that isn't known is
        /// the free one, which promises least.
        public init(from decoder: any Decoder) throws {
            let name =
                if let enumeration = try? decoder.container(keyedBy: AnyCodingKey.self) {
                    enumeration.allKeys.first?.stringValue ?? ""
                } else {
                    try decoder.singleValueContainer().decode(String.self)
                }
            self = SubscriptionType(rawValue: name) ?? .free
        }
    }

    /// What a login gives. Not to be written: what keeps a token keeps it in a key chain.
    public struct AuthResponse: Decodable, Hashable, Sendable {
        /// Sent with all other calls.
        public var token: BearerToken
        /// Who is logged in.
        public var user: User

        private enum CodingKeys: CodingKey { case token, user }

        /// - Throws: if the token can't stand in a header.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            token = try values.decode(DecodableBearerToken.self, forKey: .token).token
            user = try values.decode(User.self, forKey: .user)
        }
    }
}

/// Any member's name.
private struct AnyCodingKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
