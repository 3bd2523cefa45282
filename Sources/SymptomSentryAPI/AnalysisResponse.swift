internal import HTTPCalls

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SymptomSentryClient {
    /// The part of the body that an image shows.
    public enum AnalysisType: String, CaseIterable, Codable, Sendable {
        /// A throat.
        case throat
        /// An ear.
        case ear

        /// The name to show.
        public var displayName: String { self == .throat ? "Throat" : "Ear" }
        /// The name of the icon in the app's resources.
        public var iconName: String { self == .throat ? "throat-icon" : "ear-icon" }
    }

    /// A possible medical condition.
    public struct Condition: Codable, Hashable, Identifiable, Sendable {
        /// The condition's id.
        public var id: String
        /// The name.
        public var name: String
        /// The confidence, from 0 to 1.
        public var confidence: Double
        /// A description.
        public var description: String
        /// The symptoms.
        public var symptoms: [String]
        /// Whether the condition may be serious.
        public var isPotentiallySerious: Bool
        /// Whether a physician should be consulted.
        public var recommendConsultation: Bool
        /// Information about the treatment; `nil` if there is none.
        public var treatmentInfo: String?

        /// Creates a condition.
        ///
        /// - Parameters:
        ///   - id: The condition's id.
        ///   - name: The name.
        ///   - confidence: The confidence, from 0 to 1.
        ///   - description: A description.
        ///   - symptoms: The symptoms.
        ///   - isPotentiallySerious: Whether the condition may be serious.
        ///   - recommendConsultation: Whether a physician should be consulted.
        ///   - treatmentInfo: Information about the treatment.
        public init(
            id: String, name: String, confidence: Double, description: String, symptoms: [String],
            isPotentiallySerious: Bool, recommendConsultation: Bool, treatmentInfo: String? = nil
        ) {
            self.id = id
            self.name = name
            self.confidence = confidence
            self.description = description
            self.symptoms = symptoms
            self.isPotentiallySerious = isPotentiallySerious
            self.recommendConsultation = recommendConsultation
            self.treatmentInfo = treatmentInfo
        }
    }

    /// The analysis of an image.
    ///
    /// A response without an id, a known type or conditions is invalid. For a missing or unreadable time, the
    /// specification substitutes the time of arrival. Here the time is then `nil`, because a wrong record is worse than
    /// an incomplete one.
    public struct AnalysisResponse: Codable, Hashable, Identifiable, Sendable {
        /// The analysis's id.
        public var id: String
        /// The part of the body that the image shows.
        public var type: AnalysisType
        /// The time of the analysis, by the server's clock; `nil` if it is missing or unreadable.
        public var timestamp: Date?
        /// The possible conditions in the server's order, the most likely first.
        public var conditions: [Condition]
        /// The user's id; `nil` if the server does not provide it.
        public var userID: String?
        /// How the analysis was made; `nil` if the server does not tell.
        public var debugInfo: DebugInfo?

        /// Creates an analysis.
        ///
        /// - Parameters:
        ///   - id: The analysis's id.
        ///   - type: The part of the body that the image shows.
        ///   - timestamp: The time of the analysis.
        ///   - conditions: The possible conditions, the most likely first.
        ///   - userID: The user's id.
        ///   - debugInfo: How the analysis was made.
        public init(
            id: String, type: AnalysisType, timestamp: Date?, conditions: [Condition], userID: String? = nil,
            debugInfo: DebugInfo? = nil
        ) {
            self.id = id
            self.type = type
            self.timestamp = timestamp
            self.conditions = conditions
            self.userID = userID
            self.debugInfo = debugInfo
        }

        /// The first condition; `nil` if there is none.
        public var primaryCondition: Condition? { conditions.first }
        /// The second condition; `nil` if there is none.
        public var secondaryCondition: Condition? { conditions.dropFirst().first }

        private enum CodingKeys: String, CodingKey {
            case id, type, timestamp, conditions
            case userID = "user"
            case debugInfo = "debug_info"
        }

        /// Decodes an analysis.
        ///
        /// - Throws: `DecodingError` if the id, the type or the conditions are missing or invalid.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decodeServerID(forKey: .id)
            type = try values.decode(AnalysisType.self, forKey: .type)
            timestamp = (try? values.decode(FlexibleDate.self, forKey: .timestamp))?.date
            conditions = try values.decode([Condition].self, forKey: .conditions)
            userID = try values.decodeIfPresent(String.self, forKey: .userID)
            // It is for developers only, so that an unreadable one is no reason to lose the analysis.
            debugInfo = try? values.decode(DebugInfo.self, forKey: .debugInfo)
        }

        /// Encodes the analysis, with the time as RFC 3339 text.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(id, forKey: .id)
            try values.encode(type, forKey: .type)
            try values.encodeIfPresent(timestamp.map(FlexibleDate.init), forKey: .timestamp)
            try values.encode(conditions, forKey: .conditions)
            try values.encodeIfPresent(userID, forKey: .userID)
            try values.encodeIfPresent(debugInfo, forKey: .debugInfo)
        }
    }
}
