#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SymptomSentryClient {
    /// What is answered when an analysis is kept.
    public struct SaveAnalysisResponse: Decodable, Hashable, Sendable {
        /// A sentence for a person.
        public var message: String
        /// What was kept.
        public var analysis: Analysis
        /// What is left of the subscription.
        public var subscription: SubscriptionStatus
    }

    /// An analysis in the user's history: it has another name for whose it is.
    ///
    /// As in an `AnalysisResponse`, what is missing isn't made up; the document takes a type that it doesn't know for a
    /// throat.
    public struct Analysis: Codable, Hashable, Identifiable, Sendable {
        /// What the server calls it.
        public var id: String
        /// What is in the picture.
        public var type: AnalysisType
        /// What may be the matter, the likeliest first.
        public var conditions: [Condition]
        /// When it was analyzed or kept, by the server's clock; nil if it doesn't say.
        public var timestamp: Date?
        /// Whose it is; nil if the server doesn't say.
        public var userID: String?

        private enum CodingKeys: String, CodingKey {
            case id, type, conditions, timestamp
            case userID = "user_id"
        }

        /// - Throws: if what an analysis must have is missing or unknown.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decodeServerID(forKey: .id)
            type = try values.decode(AnalysisType.self, forKey: .type)
            conditions = try values.decode([Condition].self, forKey: .conditions)
            timestamp = (try? values.decode(FlexibleDate.self, forKey: .timestamp))?.date
            userID = try values.decodeIfPresent(String.self, forKey: .userID)
        }

        /// The time as text.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(id, forKey: .id)
            try values.encode(type, forKey: .type)
            try values.encode(conditions, forKey: .conditions)
            try values.encodeIfPresent(timestamp.map(FlexibleDate.init), forKey: .timestamp)
            try values.encodeIfPresent(userID, forKey: .userID)
        }
    }

    /// What is left of a subscription, by the server's count.
    public struct SubscriptionStatus: Decodable, Hashable, Sendable {
        /// What is paid for.
        public var subscription: SubscriptionType
        /// Analyses since `lastResetDate`.
        public var analysisCount: Int
        /// Analyses a month; nil for any number.
        public var analysisLimit: Int?
        /// Analyses left; nil for any number.
        public var analysisRemaining: Int?
        /// When the count began anew; nil if the server doesn't say.
        public var lastResetDate: Date?

        private enum CodingKeys: CodingKey {
            case subscription, analysisCount, analysisLimit, analysisRemaining, lastResetDate
        }

        /// Of a subscription without a limit the numbers aren't read: the document's is Swift's greatest, which no
        /// other language's JSON keeps.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            subscription = try values.decode(SubscriptionType.self, forKey: .subscription)
            analysisCount = try values.decode(Int.self, forKey: .analysisCount)
            if subscription.analysisLimit != nil {
                analysisLimit = try values.decode(Int.self, forKey: .analysisLimit)
                analysisRemaining = try values.decode(Int.self, forKey: .analysisRemaining)
            }
            lastResetDate = (try? values.decode(FlexibleDate.self, forKey: .lastResetDate))?.date
        }
    }
}
