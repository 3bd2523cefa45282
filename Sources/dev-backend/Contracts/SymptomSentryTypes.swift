internal import Foundation
internal import GRDB

/// `Patient` is the document's `User`.
struct Patient: Encodable {
    var id: String
    var email: String
    var name: String
    var subscription: String
    var analysisCount: Int
    var lastResetDate: String

    /// The only one there is, with what was counted this month.
    init(_ database: Database) throws {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM user") else { throw Refusal.notFound }
        id = row["id"]
        email = row["email"]
        name = row["name"]
        subscription = row["subscription"]
        analysisCount = row["analysisCount"]
        lastResetDate = row["lastResetDate"]
        // `2026-03`: the year and the month.
        if lastResetDate.prefix(7) != Timestamp.now.prefix(7) { (analysisCount, lastResetDate) = (0, Timestamp.now) }
    }

    func update(_ database: Database) throws {
        try database.execute(
            sql: """
                UPDATE user SET email = ?, name = ?, subscription = ?, analysisCount = ?, lastResetDate = ? WHERE id = ?
                """,
            arguments: [email, name, subscription, analysisCount, lastResetDate, id])
    }

    /// - Throws: `quota-exceeded`.
    mutating func countAnalysis(limit: Int, in database: Database) throws {
        guard subscription != "free" || analysisCount < limit else {
            throw Refusal(429, "quota-exceeded", "You've reached your analysis limit for this month.")
        }
        analysisCount += 1
        try update(database)
    }

    func status(limit: Int) -> SaveAnswer.Status {
        // The document's `Int.max`.
        let limit = subscription == "free" ? limit : Int.max
        return SaveAnswer.Status(
            subscription: subscription, analysisCount: analysisCount, analysisLimit: limit,
            analysisRemaining: max(0, limit - analysisCount), lastResetDate: lastResetDate)
    }
}

struct Condition: Codable, Sendable {
    var id: String
    var name: String
    var confidence: Double
    var description: String
    var symptoms: [String]
    var isPotentiallySerious: Bool
    var recommendConsultation: Bool
    var treatmentInfo: String?

    /// What every analysis finds, the likelier one first.
    static let examples = [
        "throat": [
            Condition(
                id: "pharyngitis", name: "Pharyngitis", confidence: 0.82, description: "Inflammation of the throat.",
                symptoms: ["sore throat", "fever"], isPotentiallySerious: false, recommendConsultation: true,
                treatmentInfo: "Rest and fluids."),
            Condition(
                id: "tonsillitis", name: "Tonsillitis", confidence: 0.41, description: "Inflammation of the tonsils.",
                symptoms: ["swollen tonsils"], isPotentiallySerious: true, recommendConsultation: true,
                treatmentInfo: nil),
        ],
        "ear": [
            Condition(
                id: "otitis-media", name: "Otitis media", confidence: 0.77, description: "Infection of the middle ear.",
                symptoms: ["ear pain"], isPotentiallySerious: true, recommendConsultation: true,
                treatmentInfo: "Seek advice within two days."),
            Condition(
                id: "earwax", name: "Earwax blockage", confidence: 0.35, description: "The ear canal is blocked.",
                symptoms: ["dulled hearing"], isPotentiallySerious: false, recommendConsultation: false,
                treatmentInfo: nil),
        ],
    ]
}

struct Login: Decodable, Sendable {
    var email: String
    var password: String

    static let refusal = Refusal(401, "invalid-credentials", "The address or the password is wrong.")

    /// - Parameter table: of people, the program's own word.
    func matches(_ table: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT 1 FROM \(table) WHERE email = ? AND password = ?", arguments: [email, password])
            ?? false
    }
}

struct LoginAnswer: Encodable {
    var token: String
    var user: Patient
}

struct UserAnswer: Encodable { var user: Patient }

struct AnalysisAnswer: Encodable {
    struct Debug: Encodable {
        var data_source: String
        var image_data_length: Int
        var processing_time: Int
    }

    var id: String
    var type: String
    var timestamp: String
    var conditions: [Condition]
    var user: String
    var debug_info: Debug
}

struct SaveRequest: Decodable, Sendable {
    var id: String
    var type: String
    var conditions: [Condition]
}

struct SaveAnswer: Encodable {
    struct Analysis: Encodable {
        var id: String
        var type: String
        var conditions: [Condition]
        var timestamp: String
        var user_id: String
    }

    struct Status: Encodable {
        var subscription: String
        var analysisCount: Int
        var analysisLimit: Int
        var analysisRemaining: Int
        var lastResetDate: String
    }

    var message: String
    var analysis: Analysis
    var subscription: Status
}

struct ProfileRequest: Decodable, Sendable {
    var name: String?
    var email: String?
}

struct SubscriptionRequest: Decodable, Sendable {
    var subscription: String
    var paymentToken: String?
}
