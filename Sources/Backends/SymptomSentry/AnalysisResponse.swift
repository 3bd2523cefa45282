#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension SymptomSentryClient {
    /// What is in a picture.
    public enum AnalysisType: String, CaseIterable, Codable, Sendable {
        /// A throat.
        case throat
        /// An ear.
        case ear
    }

    /// Something that may be the matter.
    public struct Condition: Codable, Hashable, Identifiable, Sendable {
        /// What the server calls it.
        public var id: String
        /// Its name.
        public var name: String
        /// How likely it is, 0 to 1.
        public var confidence: Double
        /// What it is.
        public var description: String
        /// What else it shows by.
        public var symptoms: [String]
        /// Whether it may be serious.
        public var isPotentiallySerious: Bool
        /// Whether a physician is to be asked.
        public var recommendConsultation: Bool
        /// What helps.
        public var treatmentInfo: String?

        /// A condition of these parts.
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

    /// What was found in a picture.
    ///
    /// An answer without an id, a type that is known, or conditions is none. The document takes the time of its arrival
    /// for a time that is missing, or can't be read: here there is none then, since a record that is wrong is worse
    /// than one that is silent.
    public struct AnalysisResponse: Codable, Hashable, Identifiable, Sendable {
        /// What the server calls it.
        public var id: String
        /// What is in the picture.
        public var type: AnalysisType
        /// When it was analyzed, by the server's clock; nil if it doesn't say.
        public var timestamp: Date?
        /// What may be the matter, the likeliest first, as the server orders them.
        public var conditions: [Condition]
        /// Whose it is; nil if the server doesn't say.
        public var userID: String?

        /// An analysis of these parts.
        public init(id: String, type: AnalysisType, timestamp: Date?, conditions: [Condition], userID: String? = nil) {
            self.id = id
            self.type = type
            self.timestamp = timestamp
            self.conditions = conditions
            self.userID = userID
        }

        /// The first condition; nil if none was found.
        public var primaryCondition: Condition? { conditions.first }
        /// The second; nil if there is none.
        public var secondaryCondition: Condition? { conditions.dropFirst().first }

        private enum CodingKeys: String, CodingKey {
            case id, type, timestamp, conditions
            case userID = "user"
        }

        /// - Throws: if what an analysis must have is missing or unknown.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decodeServerID(forKey: .id)
            type = try values.decode(AnalysisType.self, forKey: .type)
            timestamp = (try? values.decode(FlexibleDate.self, forKey: .timestamp))?.date
            conditions = try values.decode([Condition].self, forKey: .conditions)
            userID = try values.decodeIfPresent(String.self, forKey: .userID)
        }

        /// The time as text.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(id, forKey: .id)
            try values.encode(type, forKey: .type)
            try values.encodeIfPresent(timestamp.map(FlexibleDate.init), forKey: .timestamp)
            try values.encode(conditions, forKey: .conditions)
            try values.encodeIfPresent(userID, forKey: .userID)
        }
    }
}
