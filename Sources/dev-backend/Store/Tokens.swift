internal import Foundation
internal import GRDB

/// The tokens that logging in gave.
enum Tokens {
    static func contains(_ token: String, _ database: Database) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT 1 FROM token WHERE token = ?", arguments: [token]) ?? false
    }

    /// A new one.
    static func make(_ database: Database) throws -> String {
        let token = UUID().uuidString
        try database.execute(sql: "INSERT INTO token VALUES (?)", arguments: [token])
        return token
    }
}
