internal import GRDB

/// The tables of a service and their initial rows.
struct DatabaseSchema: Sendable {
    static let examplePassword = "correct horse"

    /// Creates the tables that do not exist.
    var createTablesSQL = ""
    /// The table that is empty before the initial rows are inserted; `nil` if there are none.
    var firstTable: String?
    /// Inserts the initial rows.
    var insertExamples: @Sendable (Database) throws -> Void = { _ in }

    /// Creates the tables, and inserts the initial rows into new ones.
    func prepare(_ database: Database) throws {
        try database.execute(sql: createTablesSQL)
        if let firstTable, try Int.fetchOne(database, sql: "SELECT count(*) FROM \(firstTable)") == 0 {
            try insertExamples(database)
        }
    }

    /// The tables of all services: forms, idempotency keys and tokens.
    static let shared = DatabaseSchema(
        createTablesSQL: """
            CREATE TABLE IF NOT EXISTS item (
                id TEXT PRIMARY KEY, path TEXT NOT NULL, fields TEXT NOT NULL, key TEXT, created TEXT NOT NULL);
            CREATE TABLE IF NOT EXISTS file (
                item TEXT NOT NULL REFERENCES item, place INTEGER NOT NULL, name TEXT NOT NULL, filename TEXT NOT NULL,
                type TEXT, size INTEGER NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (item, place));
            CREATE TABLE IF NOT EXISTS key (
                key TEXT PRIMARY KEY, digest TEXT NOT NULL, status INTEGER NOT NULL,
                headers BLOB NOT NULL, body BLOB NOT NULL);
            CREATE TABLE IF NOT EXISTS account_token (
                token TEXT PRIMARY KEY, service TEXT NOT NULL, owner TEXT NOT NULL);
            """)
}
