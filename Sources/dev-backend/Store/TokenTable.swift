internal import Foundation
internal import GRDB

/// The tokens issued by logins.
enum TokenTable {
    static func containsToken(_ token: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT 1 FROM token WHERE token = ?", arguments: [token]) ?? false
    }

    /// Issues and stores a new token.
    static func issueToken(in database: Database) throws -> String {
        let token = UUID().uuidString
        try database.execute(sql: "INSERT INTO token VALUES (?)", arguments: [token])
        return token
    }
}
