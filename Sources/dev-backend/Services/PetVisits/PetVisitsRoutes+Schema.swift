internal import GRDB

extension PetVisitsRoutes {
    /// The appointments with their pets, and the visits.
    static let schema = DatabaseSchema(
        createTablesSQL: """
            CREATE TABLE IF NOT EXISTS appointment (id TEXT PRIMARY KEY);
            CREATE TABLE IF NOT EXISTS pet (
                id TEXT PRIMARY KEY, appointment TEXT NOT NULL REFERENCES appointment, name TEXT NOT NULL);
            CREATE TABLE IF NOT EXISTS visit (
                id TEXT PRIMARY KEY, pet TEXT NOT NULL REFERENCES pet, appointment TEXT NOT NULL REFERENCES appointment,
                filename TEXT NOT NULL, contentType TEXT NOT NULL, estimated REAL, duration REAL,
                item TEXT REFERENCES item);
            """, firstTable: "appointment"
    ) { database in
        try database.execute(
            sql: """
                INSERT INTO appointment VALUES ('ABC123'), ('DEF456');
                INSERT INTO pet VALUES
                    ('Pet1', 'ABC123', 'Rex'), ('Pet2', 'ABC123', 'Mia'),
                    ('Pet3', 'ABC123', 'Tom'), ('Pet4', 'DEF456', 'Ada')
                """)
    }
}
