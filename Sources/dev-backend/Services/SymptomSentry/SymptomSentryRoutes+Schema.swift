internal import GRDB

extension SymptomSentryRoutes {
    /// The users and their saved analyses.
    static let schema = DatabaseSchema(
        createTablesSQL: """
            CREATE TABLE IF NOT EXISTS user (
                id TEXT PRIMARY KEY, email TEXT NOT NULL, password TEXT NOT NULL, name TEXT NOT NULL,
                subscription TEXT NOT NULL, analysisCount INTEGER NOT NULL, lastResetDate TEXT NOT NULL);
            CREATE TABLE IF NOT EXISTS analysis (
                id TEXT PRIMARY KEY, user TEXT NOT NULL REFERENCES user, type TEXT NOT NULL, conditions TEXT NOT NULL,
                timestamp TEXT NOT NULL);
            """, firstTable: "user"
    ) { database in
        try database.execute(
            sql: "INSERT INTO user VALUES ('user-1', 'patient@example.com', ?, 'Patient', 'free', 0, ?)",
            arguments: [DatabaseSchema.examplePassword, TimestampFormat.nowISO8601])
    }
}
