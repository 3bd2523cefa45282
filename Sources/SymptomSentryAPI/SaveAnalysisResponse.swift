internal import HTTPCalls

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SymptomSentryClient {
    /// The response to saving an analysis.
    public struct SaveAnalysisResponse: Codable, Hashable, Sendable {
        /// A message for the user.
        public var message: String
        /// The saved analysis.
        public var analysis: Analysis
        /// The remaining analyses of the subscription.
        public var subscription: SubscriptionStatus

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - message: A message for the user.
        ///   - analysis: The saved analysis.
        ///   - subscription: The remaining analyses of the subscription.
        public init(message: String, analysis: Analysis, subscription: SubscriptionStatus) {
            self.message = message
            self.analysis = analysis
            self.subscription = subscription
        }
    }

    /// An analysis in the user's history. It differs from ``AnalysisResponse`` in the key of the user's id.
    ///
    /// As in ``AnalysisResponse``, missing values are not made up. The specification treats an unknown type as a
    /// throat.
    public struct Analysis: Codable, Hashable, Identifiable, Sendable {
        /// The analysis's id.
        public var id: String
        /// The part of the body that the image shows.
        public var type: AnalysisType
        /// The possible conditions, the most likely first.
        public var conditions: [Condition]
        /// The time of the analysis or of saving it, by the server's clock; `nil` if it is missing or unreadable.
        public var timestamp: Date?
        /// The user's id; `nil` if the server does not provide it.
        public var userID: String?

        /// Creates an analysis.
        ///
        /// - Parameters:
        ///   - id: The analysis's id.
        ///   - type: The part of the body that the image shows.
        ///   - conditions: The possible conditions, the most likely first.
        ///   - timestamp: The time of the analysis or of saving it.
        ///   - userID: The user's id.
        public init(
            id: String, type: AnalysisType, conditions: [Condition], timestamp: Date? = nil, userID: String? = nil
        ) {
            self.id = id
            self.type = type
            self.conditions = conditions
            self.timestamp = timestamp
            self.userID = userID
        }

        private enum CodingKeys: String, CodingKey {
            case id, type, conditions, timestamp
            case userID = "user_id"
        }

        /// Decodes an analysis.
        ///
        /// - Throws: `DecodingError` if the id, the type or the conditions are missing or invalid.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decodeServerID(forKey: .id)
            type = try values.decode(AnalysisType.self, forKey: .type)
            conditions = try values.decode([Condition].self, forKey: .conditions)
            timestamp = (try? values.decode(FlexibleDate.self, forKey: .timestamp))?.date
            userID = try values.decodeIfPresent(String.self, forKey: .userID)
        }

        /// Encodes the analysis, with the time as RFC 3339 text.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(id, forKey: .id)
            try values.encode(type, forKey: .type)
            try values.encode(conditions, forKey: .conditions)
            try values.encodeIfPresent(timestamp.map(FlexibleDate.init), forKey: .timestamp)
            try values.encodeIfPresent(userID, forKey: .userID)
        }
    }

    /// The use of a subscription, as counted by the server.
    public struct SubscriptionStatus: Codable, Hashable, Sendable {
        /// The subscription.
        public var subscription: SubscriptionType
        /// The number of analyses since `lastResetDate`.
        public var analysisCount: Int
        /// The number of analyses per month; `nil` for no limit.
        public var analysisLimit: Int?
        /// The number of remaining analyses; `nil` for no limit.
        public var analysisRemaining: Int?
        /// The time when the count was last reset; `nil` if it is missing or unreadable.
        public var lastResetDate: Date?

        /// Creates a status.
        ///
        /// - Parameters:
        ///   - subscription: The subscription.
        ///   - analysisCount: The number of analyses since `lastResetDate`.
        ///   - analysisLimit: The number of analyses per month; `nil` for no limit.
        ///   - analysisRemaining: The number of remaining analyses; `nil` for no limit.
        ///   - lastResetDate: The time when the count was last reset.
        public init(
            subscription: SubscriptionType, analysisCount: Int, analysisLimit: Int?, analysisRemaining: Int?,
            lastResetDate: Date? = nil
        ) {
            self.subscription = subscription
            self.analysisCount = analysisCount
            self.analysisLimit = analysisLimit
            self.analysisRemaining = analysisRemaining
            self.lastResetDate = lastResetDate
        }

        private enum CodingKeys: CodingKey {
            case subscription, analysisCount, analysisLimit, analysisRemaining, lastResetDate
        }

        /// Decodes the status. The numbers of a subscription without a limit are ignored: the specification sends
        /// Swift's `Int.max`, which JSON numbers of other languages cannot represent.
        ///
        /// - Throws: `DecodingError` if another member is missing or invalid.
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

        /// Encodes the status, with the date as RFC 3339 text, and without the numbers of a subscription without a
        /// limit.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(subscription, forKey: .subscription)
            try values.encode(analysisCount, forKey: .analysisCount)
            try values.encodeIfPresent(analysisLimit, forKey: .analysisLimit)
            try values.encodeIfPresent(analysisRemaining, forKey: .analysisRemaining)
            try values.encodeIfPresent(lastResetDate.map(FlexibleDate.init), forKey: .lastResetDate)
        }
    }
}
