internal import Foundation
internal import GRDB

/// The specification's `User`.
struct User: Encodable {
    var id: String
    var email: String
    var name: String
    var subscription: String
    var analysisCount: Int
    var lastResetDate: String

    /// Reads a user. The count of analyses is 0 if it is from an earlier month.
    init(of account: Account, database: Database) throws {
        let row =
            if let owner = account.owner {
                try Row.fetchOne(database, sql: "SELECT * FROM user WHERE id = ?", arguments: [owner])
            } else {
                try Row.fetchOne(database, sql: "SELECT * FROM user ORDER BY rowid")
            }
        guard let row else { throw ErrorResponse.notFound }
        id = row["id"]
        email = row["email"]
        name = row["name"]
        subscription = row["subscription"]
        analysisCount = row["analysisCount"]
        lastResetDate = row["lastResetDate"]
        // Compares year and month: `2026-03`.
        if lastResetDate.prefix(7) != TimestampFormat.nowISO8601.prefix(7) {
            (analysisCount, lastResetDate) = (0, TimestampFormat.nowISO8601)
        }
    }

    func saveChanges(in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE user SET email = ?, name = ?, subscription = ?, analysisCount = ?, lastResetDate = ? WHERE id = ?
                """,
            arguments: [email, name, subscription, analysisCount, lastResetDate, id])
    }

    /// Counts one analysis.
    ///
    /// - Parameter limit: The number of analyses per month of the free subscription.
    /// - Throws: `quota-exceeded`.
    mutating func countAnalysis(limit: Int, in database: Database) throws {
        guard subscription != "free" || analysisCount < limit else {
            throw ErrorResponse(
                status: 429, code: "quota-exceeded", message: "You've reached your analysis limit for this month.")
        }
        analysisCount += 1
        try saveChanges(in: database)
    }

    func subscriptionStatus(limit: Int) -> SaveAnalysisResponse.SubscriptionStatus {
        // The specification uses `Int.max` for no limit.
        let limit = subscription == "free" ? limit : Int.max
        return SaveAnalysisResponse.SubscriptionStatus(
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

    /// The conditions of every analysis by type, the most likely first.
    static let examplesByType = [
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

struct LoginRequest: Decodable, Sendable {
    var email: String
    var password: String

    static let invalidCredentials = ErrorResponse(
        status: 401, code: "invalid-credentials", message: "The email address or the password is wrong.")

    /// Returns the id of the account with the e-mail address and the password, or `nil` if there is none.
    ///
    /// - Parameter table: The table of accounts. It is inserted into the SQL, so it must be a literal.
    func accountID(table: String, in database: Database) throws -> String? {
        try String.fetchOne(
            database, sql: "SELECT CAST(id AS TEXT) FROM \(table) WHERE email = ? AND password = ?",
            arguments: [email, password])
    }
}

struct RegisterRequest: Decodable, Sendable {
    var email: String
    var password: String
    var name: String
}

struct AuthResponse: Encodable {
    var token: String
    var user: User
}

struct UserProfileResponse: Encodable { var user: User }

struct AnalysisAPIResponse: Encodable {
    struct DebugInfo: Encodable {
        var data_source: String
        var image_data_length: Int
        var processing_time: Int
    }

    var id: String
    var type: String
    var timestamp: String
    var conditions: [Condition]
    var user: String
    var debug_info: DebugInfo
}

struct SaveAnalysisRequest: Decodable, Sendable {
    var id: String
    var type: String
    var conditions: [Condition]
}

struct SaveAnalysisResponse: Encodable {
    struct Analysis: Encodable {
        var id: String
        var type: String
        var conditions: [Condition]
        var timestamp: String
        var user_id: String
    }

    struct SubscriptionStatus: Encodable {
        var subscription: String
        var analysisCount: Int
        var analysisLimit: Int
        var analysisRemaining: Int
        var lastResetDate: String
    }

    var message: String
    var analysis: Analysis
    var subscription: SubscriptionStatus
}

struct UpdateProfileRequest: Decodable, Sendable {
    var name: String?
    var email: String?
}

struct UpdateSubscriptionRequest: Decodable, Sendable {
    var subscription: String
    var paymentToken: String?
}
