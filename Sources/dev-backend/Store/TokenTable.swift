internal import Foundation
internal import GRDB

/// The tokens issued by logins, each for one account of one service.
enum TokenTable {
    /// Returns the account of a token, or `nil` if the token is unknown or belongs to another service.
    static func account(ofToken token: String, service: Service, in database: Database) throws -> Account? {
        try String.fetchOne(
            database, sql: "SELECT owner FROM account_token WHERE token = ? AND service = ?",
            arguments: [token, service.rawValue]
        ).map { Account(owner: $0) }
    }

    /// Issues and stores a new token.
    static func issueToken(for owner: String, of service: Service, in database: Database) throws -> String {
        let token = UUID().uuidString
        try database.execute(
            sql: "INSERT INTO account_token VALUES (?, ?, ?)", arguments: [token, service.rawValue, owner])
        return token
    }
}
