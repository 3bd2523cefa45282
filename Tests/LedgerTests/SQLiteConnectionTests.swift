import CLibSQLite
import Testing

@testable import Ledger

@Suite("A connection to SQLite")
struct SQLiteConnectionTests {
    private let connection: SQLiteConnection

    init() throws {
        connection = try SQLiteConnection(path: ":memory:")
        try connection.execute("CREATE TABLE example (id INTEGER PRIMARY KEY, value)")
    }

    @Test(
        "A value is read as it was stored",
        arguments: [
            .null, .integer(.min), .integer(.max), .text(""), .text("a\0b"), .text("Grüße"), .blob([]),
            .blob([0, 255]),
        ] as [SQLiteValue])
    func valueIsReadAsStored(_ value: SQLiteValue) throws {
        try connection.execute("INSERT INTO example VALUES (1, ?)", [value])
        #expect(try connection.allRows("SELECT value FROM example") == [[value]])
    }

    @Test("Bytes that are not UTF-8 are replaced in a text")
    func invalidUTF8IsReplaced() throws {
        #expect(try connection.allRows("SELECT CAST(x'61FF' AS TEXT)") == [[.text("a\u{FFFD}")]])
    }

    @Test("A value of another type is an error", arguments: ["NULL", "1", "'a'", "x'00'", "0.5"])
    func otherTypeThrows(_ literal: String) throws {
        var rows = try connection.statement("SELECT \(literal)").rows([])
        let row = try #require(try rows.next())
        if literal != "1" { #expect(throws: SQLiteError.self) { try row.integer(0) } }
        if literal != "'a'" { #expect(throws: SQLiteError.self) { try row.text(0) } }
        if literal != "x'00'" { #expect(throws: SQLiteError.self) { try row.bytes(0) } }
    }

    @Test("A wrong number of arguments is an error, and nothing is executed", arguments: [0, 2])
    func wrongArgumentCountThrows(_ count: Int) throws {
        let error = #expect(throws: SQLiteError.self) {
            try connection.execute("INSERT INTO example VALUES (1, ?)", Array(repeating: .null, count: count))
        }
        #expect(error?.code == SQLITE_RANGE)
        #expect(try connection.integer("SELECT count(*) FROM example") == 0)
    }

    @Test("A statement can be executed again before all of its rows are read")
    func abandonedRowsAreReset() throws {
        for id in 1...3 { try connection.execute("INSERT INTO example VALUES (?, NULL)", [.integer(Int64(id))]) }
        let statement = try connection.statement("SELECT id FROM example WHERE id >= ?")
        for first in [2, 1] as [Int64] {
            var rows = try statement.rows([.integer(first)])
            #expect(try rows.next()?.integer(0) == first)
        }
        // Rows that are still being read would make this fail.
        try connection.execute("DROP TABLE example")
    }

    @Test("A transaction is rolled back if its work throws, or if it cannot be committed")
    func failedTransactionIsRolledBack() throws {
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try connection.inTransaction {
                try connection.execute("INSERT INTO example VALUES (1, NULL)")
                throw Failure()
            }
        }
        try connection.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE child (parent REFERENCES example DEFERRABLE INITIALLY DEFERRED);
            """)
        let error = #expect(throws: SQLiteError.self) {
            try connection.inTransaction { try connection.execute("INSERT INTO child VALUES (99)") }
        }
        #expect(error?.primaryCode == SQLITE_CONSTRAINT)
        #expect(try connection.integer("SELECT (SELECT count(*) FROM example) + (SELECT count(*) FROM child)") == 0)
        try connection.inTransaction { try connection.execute("INSERT INTO example VALUES (2, NULL)") }
        #expect(try connection.integer("SELECT count(*) FROM example") == 1)
    }

    @Test("A closed connection reports an error")
    func closedConnectionThrows() throws {
        try connection.close()
        #expect(#expect(throws: SQLiteError.self) { try connection.execute("SELECT 1") }?.code == SQLITE_MISUSE)
        #expect(throws: SQLiteError.self) { try connection.statement("SELECT 1") }
    }

    @Test("A file that cannot be opened is an error")
    func unopenableFileThrows() {
        let error = #expect(throws: SQLiteError.self) { try SQLiteConnection(path: "/nonexistent/a.sqlite") }
        #expect(error?.primaryCode == SQLITE_CANTOPEN)
    }
}
