internal import CLibSQLite
internal import Dispatch
internal import Synchronization

/// A record of earlier runs and uploads in an SQLite file, so that later runs need not repeat their work.
///
/// Only one process can have a ledger open. The file is locked until the ledger is closed, and the lock does not
/// outlive a process that is killed. Saved records survive power loss. The methods that are not `async` block the
/// calling thread: do not call them on Swift's cooperative threads.
///
/// With `locking_mode=EXCLUSIVE` the write-ahead log needs no shared memory, and therefore no `-shm` file
/// (<https://www.sqlite.org/wal.html>, section 8).
public final class LedgerDatabase: Sendable {
    private let connection: Mutex<SQLiteConnection>
    private let ledgerFile: LedgerFile
    /// The queue of the operations that must not block the calling thread.
    private let queue = DispatchQueue(label: "ledger")

    /// The SQLite application ID, which marks the file as a ledger: "prep" in ASCII.
    private static let applicationID = 0x7072_6570
    private static let schemaVersion = schemaMigrations.count
    /// The SQL that each version of this program added to the schema, in order of the versions.
    private static let schemaMigrations = [inputSchema, uploadSchema, outputDigestSchema]

    /// Opens the ledger at `path`, or creates it if it does not exist.
    ///
    /// An existing file may come from anyone. It is used only if its schema is exactly that of a ledger.
    ///
    /// - Parameters:
    ///   - path: The path, as bytes of which only the file name must be UTF-8.
    ///   - followsLinks: Whether the file and the directory that contains it may be symbolic links, and whether the
    ///     file may have other hard links. Pass `true` only for a path that the user named.
    ///   - permissions: The permissions of a new file, before the process's umask is applied.
    /// - Throws: ``LedgerError/Code/inUse``, ``LedgerError/Code/notALedger``, ``LedgerError/Code/diskFull`` or
    ///   ``LedgerError/Code/unusable``.
    public init(path: [UInt8], followsLinks: Bool = true, permissions: UInt16 = 0o600) throws(LedgerError) {
        let file = try LedgerFile(path: path, followsLinks: followsLinks, permissions: permissions)
        self.ledgerFile = file
        connection = Mutex(
            try Self.rethrowingAsLedgerError(for: file) { try Self.openConnection(path: file.sqlitePath) })
    }

    /// Limits the memory that SQLite uses in this process to 64 MiB.
    ///
    /// A planted file may hold values of 1 GB, and even a search compares whole values. A ledger of 100,000 inputs
    /// needs 8 MB.
    ///
    /// The limit applies to all SQLite databases of the process, so only a command should set it. It has no effect
    /// where SQLite does not count its memory, as on Apple platforms.
    ///
    /// - Throws: ``LedgerError/Code/unusable`` if the limit cannot be set.
    package static func limitMemory() throws(LedgerError) {
        guard sqlite3_initialize() == SQLITE_OK, sqlite3_hard_heap_limit64(64 << 20) >= 0 else {
            throw LedgerError(code: .unusable, path: ":memory:", message: "the memory of SQLite can't be limited")
        }
    }

    /// Closes the ledger: merges the write-ahead log into the file, and releases the lock.
    ///
    /// - Throws: ``LedgerError`` if closing fails. Saved records are not lost.
    public func close() throws(LedgerError) {
        try withConnection { try $0.close() }
    }

    /// Runs `work` in a transaction, and blocks the calling thread until it is complete.
    func inTransaction<Result>(_ work: (SQLiteConnection) throws -> Result) throws(LedgerError) -> Result {
        try withConnection { connection in try connection.inTransaction { try work(connection) } }
    }

    /// Runs `work` in a transaction on the ledger's queue, without blocking a thread.
    ///
    /// Cancelling the task has no effect, because results must be recorded even then.
    func inQueuedTransaction<Result: Sendable>(
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Result
    ) async throws(LedgerError) -> Result {
        let result: Swift.Result<Result, LedgerError> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Swift.Result { () throws(LedgerError) in try self.inTransaction(work) })
            }
        }
        return try result.get()
    }

    func withConnection<Result>(
        _ work: (SQLiteConnection) throws -> Result
    ) throws(LedgerError) -> Result {
        try Self.rethrowingAsLedgerError(for: ledgerFile) { try connection.withLock { try work($0) } }
    }

    private static func rethrowingAsLedgerError<Result>(
        for file: LedgerFile, _ work: () throws -> Result
    ) throws(LedgerError) -> Result {
        do {
            return try work()
        } catch let error as LedgerError {
            throw error
        } catch let error as SQLiteError {
            throw LedgerError(error, path: file.displayPath)
        } catch {
            throw LedgerError(code: .unusable, path: file.displayPath, message: "\(error)", cause: error)
        }
    }
}

// MARK: - Opening

extension LedgerDatabase {
    /// Opens the database, and brings its schema to the current version.
    private static func openConnection(path: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path)
        // Keeps the schema of a planted file from calling functions.
        try connection.execute("PRAGMA trusted_schema = OFF")
        // The order matters. The locking mode must be set before the journal mode. The journal mode is written into the
        // file, so the file must be recognized as a ledger first.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        _ = try connection.inTransaction(.exclusive) { try schemaVersion(of: connection) }
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        try connection.inTransaction(.exclusive) {
            let version = try schemaVersion(of: connection)
            try verifySchema(of: connection, version: version)
            // A ledger of this version is not written to, so that a dry run leaves it as it is.
            if version == schemaVersion { return }
            for schema in schemaMigrations[version...] { try connection.execute(schema) }
            try connection.execute("PRAGMA user_version = \(schemaVersion)")
        }
        return connection
    }

    /// Returns the schema version of the database, or 0 if it is empty.
    ///
    /// - Throws: `SQLITE_NOTADB` if the database belongs to another application or to a later version of this program.
    private static func schemaVersion(of connection: SQLiteConnection) throws(SQLiteError) -> Int {
        if try connection.integer("SELECT count(*) FROM sqlite_master") == 0 { return 0 }
        let owner = try connection.integer("PRAGMA application_id")
        let version = try connection.integer("PRAGMA user_version")
        guard owner == applicationID, (1...Int64(schemaVersion)).contains(version) else { throw .notADatabase }
        return Int(version)
    }

    /// Checks that the schema is exactly the one that this program creates. A trigger, view or index could act on what
    /// is written.
    ///
    /// - Throws: `SQLITE_NOTADB` if the schema differs.
    private static func verifySchema(of connection: SQLiteConnection, version: Int) throws(SQLiteError) {
        let reference = try SQLiteConnection(path: ":memory:")
        for schema in schemaMigrations[..<version] { try reference.execute(schema) }
        if try schemaDescription(of: connection) != schemaDescription(of: reference) { throw .notADatabase }
    }

    /// Returns the entries of the schema and the columns of each table. The SQL text is left out, because different
    /// texts can define the same schema.
    private static func schemaDescription(of connection: SQLiteConnection) throws(SQLiteError) -> [[SQLiteValue]] {
        let entries = try connection.allRows("SELECT type, name, tbl_name FROM sqlite_master ORDER BY type, name")
        let columns = try connection.allRows(
            """
            SELECT m.name, c.* FROM sqlite_master m, pragma_table_xinfo(m.name) c WHERE m.type = 'table'
            ORDER BY m.name, c.cid
            """)
        return entries + columns
    }

    private static var inputSchema: String {
        """
        PRAGMA application_id = \(applicationID);
        CREATE TABLE input (
            path BLOB NOT NULL PRIMARY KEY,
            size INTEGER NOT NULL, modified_ns INTEGER NOT NULL, changed_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
            fingerprint BLOB NOT NULL,
            output BLOB, output_size INTEGER, output_modified_ns INTEGER,
            verdict TEXT NOT NULL, reason TEXT, line BLOB NOT NULL
        )
        """
    }
}
