internal import GRDB

/// The tables and their initial rows.
enum DatabaseSchema {
    static let examplePassword = "correct horse"

    static let createTablesSQL = """
        CREATE TABLE IF NOT EXISTS item (
            id TEXT PRIMARY KEY, path TEXT NOT NULL, fields TEXT NOT NULL, key TEXT, created TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS file (
            item TEXT NOT NULL REFERENCES item, place INTEGER NOT NULL, name TEXT NOT NULL, filename TEXT NOT NULL,
            type TEXT, size INTEGER NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (item, place));
        CREATE TABLE IF NOT EXISTS key (
            key TEXT PRIMARY KEY, digest TEXT NOT NULL, status INTEGER NOT NULL,
            headers BLOB NOT NULL, body BLOB NOT NULL);
        CREATE TABLE IF NOT EXISTS token (token TEXT PRIMARY KEY);
        CREATE TABLE IF NOT EXISTS user (
            id TEXT PRIMARY KEY, email TEXT NOT NULL, password TEXT NOT NULL, name TEXT NOT NULL,
            subscription TEXT NOT NULL, analysisCount INTEGER NOT NULL, lastResetDate TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS analysis (
            id TEXT PRIMARY KEY, user TEXT NOT NULL REFERENCES user, type TEXT NOT NULL, conditions TEXT NOT NULL,
            timestamp TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS appointment (id TEXT PRIMARY KEY);
        CREATE TABLE IF NOT EXISTS pet (
            id TEXT PRIMARY KEY, appointment TEXT NOT NULL REFERENCES appointment, name TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS visit (
            id TEXT PRIMARY KEY, pet TEXT NOT NULL REFERENCES pet, appointment TEXT NOT NULL REFERENCES appointment,
            filename TEXT NOT NULL, contentType TEXT NOT NULL, estimated REAL, duration REAL,
            item TEXT REFERENCES item);
        CREATE TABLE IF NOT EXISTS employee (
            id INTEGER PRIMARY KEY, email TEXT NOT NULL, password TEXT NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL,
            created TEXT NOT NULL, image TEXT REFERENCES item);
        """

    /// Inserts the users, pets and appointments that the README's examples use.
    static func insertExamples(into database: Database) throws {
        try database.execute(
            sql: "INSERT INTO user VALUES ('user-1', 'patient@example.com', ?, 'Patient', 'free', 0, ?)",
            arguments: [examplePassword, TimestampFormat.nowISO8601])
        try database.execute(
            sql: "INSERT INTO employee VALUES (1, 'worker@example.com', ?, 'Worker', 'arbejder', ?, NULL)",
            arguments: [examplePassword, TimestampFormat.nowWithMicroseconds])
        try database.execute(
            sql: """
                INSERT INTO appointment VALUES ('ABC123'), ('DEF456');
                INSERT INTO pet VALUES
                    ('Pet1', 'ABC123', 'Rex'), ('Pet2', 'ABC123', 'Mia'),
                    ('Pet3', 'ABC123', 'Tom'), ('Pet4', 'DEF456', 'Ada')
                """)
    }
}
