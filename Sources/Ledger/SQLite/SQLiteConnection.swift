// `unsafe`: calls SQLite, which identifies a connection by a pointer.

internal import CLibSQLite

/// A connection to an SQLite database, and the statements that were prepared for it.
///
/// Only one thread at a time can use a connection, and it can be passed between threads. It is declared as `Sendable`
/// because the compiler cannot check this: `LedgerDatabase` uses its connection only within the lock that holds it, and
/// a connection for one function stays in that function.
///
/// This type calls SQLite's C interface. A library in Swift would need all of Foundation, which a command would load at
/// each start.
@safe final class SQLiteConnection: @unchecked Sendable {
    /// `nil` after the connection is closed. SQLite reports the misuse if it is used then.
    private var handle: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens the database in a file, or creates it if it does not exist.
    ///
    /// If another process has locked the database, all operations fail at once.
    ///
    /// - Parameter path: The path, or `:memory:` for a new database in memory.
    /// - Throws: `SQLiteError` if the file cannot be opened. Whether it is a database is not known before it is read.
    init(path: String) throws(SQLiteError) {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard unsafe sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else {
            // SQLite makes a connection even then, which holds the error, unless it has no memory.
            let error = unsafe handle == nil ? SQLiteError(code: SQLITE_NOMEM) : SQLiteError(connection: handle)
            unsafe sqlite3_close_v2(handle)
            unsafe handle = nil
            throw error
        }
    }

    deinit {
        statements.removeAll()
        unsafe sqlite3_close_v2(handle)
    }

    /// Closes the database.
    ///
    /// The write-ahead log is merged into the database. If that fails, the log stays, and is merged when the database
    /// is opened again.
    ///
    /// - Throws: `SQLiteError` if rows are still being read.
    func close() throws(SQLiteError) {
        statements.removeAll()
        guard unsafe sqlite3_close(handle) == SQLITE_OK else { throw unsafe SQLiteError(connection: handle) }
        unsafe handle = nil
    }

    /// Executes statements without parameters, and ignores the rows that they return.
    ///
    /// - Parameter sql: Statements that are separated by semicolons.
    func execute(_ sql: String) throws(SQLiteError) {
        guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw unsafe SQLiteError(connection: handle)
        }
    }

    /// Returns the prepared form of a statement. It is prepared when it is first used.
    func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        let statement = try unsafe SQLiteStatement(sql, connection: handle)
        statements[sql] = statement
        return statement
    }

    /// Executes a statement that returns no rows.
    func execute(_ sql: String, _ arguments: [SQLiteValue]) throws(SQLiteError) {
        var rows = try statement(sql).rows(arguments)
        while try rows.next() != nil {}
    }

    /// Returns the values of all rows that a query returns.
    func allRows(_ sql: String) throws(SQLiteError) -> [[SQLiteValue]] {
        var rows = try statement(sql).rows([])
        var values: [[SQLiteValue]] = []
        while let row = try rows.next() { values.append(try row.values()) }
        return values
    }

    /// Returns the integer in the first column of the first row that a query returns.
    func integer(_ sql: String) throws(SQLiteError) -> Int64 {
        var rows = try statement(sql).rows([])
        guard let row = try rows.next() else { throw .corrupt }
        return try row.integer(0)
    }

    enum TransactionKind: String {
        case immediate = "IMMEDIATE"
        case exclusive = "EXCLUSIVE"
    }

    /// Runs `work` in a transaction, which is rolled back if `work` throws.
    func inTransaction<Result>(_ kind: TransactionKind = .immediate, _ work: () throws -> Result) throws -> Result {
        try execute("BEGIN \(kind.rawValue)")
        do {
            let result = try work()
            try execute("COMMIT")
            return result
        } catch {
            // After some errors, such as a full disk, SQLite has already rolled back.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }
}
