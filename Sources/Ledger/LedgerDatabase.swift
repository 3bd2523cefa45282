internal import Foundation
internal import GRDB

/// What was done in earlier runs, kept in a file of SQLite, so that it need not be done again.
///
/// One process has it at a time: the file is locked from its opening to its end, and a process that is killed leaves no
/// lock. What was recorded survives a loss of power. The functions that are not `async` block; they are not for Swift's
/// own threads.
///
/// Under `locking_mode=EXCLUSIVE` the write-ahead log needs no shared memory, and so no file `-shm`
/// (<https://www.sqlite.org/wal.html>, section 8).
public final class LedgerDatabase: Sendable {
    private let databaseQueue: DatabaseQueue
    private let ledgerFile: LedgerFile

    /// Says that the file is ours: "prep" in ASCII.
    private static let applicationID = 0x7072_6570
    private static let schemaVersion = schemaMigrations.count
    /// What each version of this program added, the first one first.
    private static let schemaMigrations = [inputSchema, uploadSchema, outputDigestSchema]

    /// Opens the ledger at `path`, or creates it if there is none.
    ///
    /// A file that is there may be anybody's: it is used only if it holds the tables of a ledger and nothing else.
    ///
    /// - Parameters:
    ///   - path: bytes that need not be UTF-8.
    ///   - followsLinks: whether the file, or the directory that it is in, may be a symbolic link, and the file a hard
    ///     link to another. Say so only for a path that the user named.
    ///   - permissions: those of a file that is created, less the process's umask.
    /// - Throws: ``LedgerError/Code/inUse``, ``LedgerError/Code/foreign``, ``LedgerError/Code/full``,
    ///   ``LedgerError/Code/unusable``.
    public init(path: [UInt8], followsLinks: Bool = true, permissions: UInt16 = 0o600) throws(LedgerError) {
        let file = try LedgerFile(path: path, followsLinks: followsLinks, permissions: permissions)
        self.ledgerFile = file
        databaseQueue = try Self.rethrowingAsLedgerError(for: file) {
            let queue = try DatabaseQueue(path: file.sqlitePath, configuration: Self.databaseConfiguration)
            try queue.inTransaction(.exclusive) { database in
                let version = try Self.schemaVersion(of: database)
                try Self.verifySchema(of: database, version: version)
                for schema in Self.schemaMigrations[version...] { try database.execute(sql: schema) }
                try database.execute(sql: "PRAGMA user_version = \(Self.schemaVersion)")
                return .commit
            }
            return queue
        }
    }

    /// Limits the memory that SQLite takes in this process to 64 MB: a file that others made may hold values of 1 GB,
    /// and even a search compares whole ones. One of 100,000 inputs works with 8 MB.
    ///
    /// It is for a command, since it holds for all databases of the process. It does nothing where SQLite does not
    /// count its memory, as on Apple's systems.
    package static func limitMemory() throws(LedgerError) {
        let name = ":memory:"
        do { try DatabaseQueue().write { try $0.execute(sql: "PRAGMA hard_heap_limit = \(64 << 20)") } } catch {
            throw LedgerError(code: .unusable, path: name, message: "\(error)", cause: error)
        }
    }

    /// Every record, in the order of their inputs' bytes.
    ///
    /// `body` may use the ledger, and wait for others who do: it is called between reads.
    ///
    /// - Throws: what `body` throws, or a `LedgerError`.
    /// - Complexity: one pass over the file; 256 records in memory.
    public func forEachRecord(_ body: (InputRecord) throws -> Void) throws {
        var last: [UInt8]? = []
        while let start = last {
            let page = try readPage(afterInput: start)
            for record in page { try body(record) }
            last = page.last?.inputPath
        }
    }

    private static let maxRecordsPerPage = 256
    /// Bytes of lines after which a page ends: 256 lines of an ordinary manifest have 0.1 MB.
    private static let maxLineBytesPerPage = 4 << 20

    /// The records whose inputs' bytes come after these; none at the end.
    ///
    /// - Throws: for records that are not in order: a page after them might begin with them again, without end.
    private func readPage(afterInput input: [UInt8]) throws(LedgerError) -> [InputRecord] {
        try Self.rethrowingAsLedgerError(for: ledgerFile) {
            try databaseQueue.read { database in
                let statement = try database.cachedStatement(
                    sql: "SELECT * FROM input WHERE path > ? ORDER BY path LIMIT \(Self.maxRecordsPerPage)")
                let rows = try Row.fetchCursor(statement, arguments: [Data(input)])
                var records: [InputRecord] = []
                var last = input, bytes = 0
                while bytes < Self.maxLineBytesPerPage, let row = try rows.next() {
                    let record = try InputRecord(row: row)
                    guard last.lexicographicallyPrecedes(record.inputPath) else {
                        throw DatabaseError(resultCode: .SQLITE_CORRUPT)
                    }
                    last = record.inputPath
                    bytes += record.manifestLine.count
                    records.append(record)
                }
                return records
            }
        }
    }

    /// Keeps `records`, in place of older ones of the same inputs: all of them, or none if it throws. They are on the
    /// disk when this returns. Of an older one whose digest differs, the digest stays.
    ///
    /// - Parameter equivalentFingerprints: The fingerprints of the same options in this version of the program and
    ///   earlier ones.
    public func saveRecords(_ records: [InputRecord], equivalentFingerprints: Set<[UInt8]> = []) throws(LedgerError) {
        try inTransaction { database in
            let statement = try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO input VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            for record in records {
                try Self.saveDigest(replacedBy: record, in: database, equivalentFingerprints: equivalentFingerprints)
                try statement.execute(arguments: record.statementArguments)
            }
        }
    }

    /// Ends its use: the log is written into the file, and the lock is given up.
    ///
    /// - Throws: if that fails. What was kept is kept all the same.
    public func close() throws(LedgerError) {
        try Self.rethrowingAsLedgerError(for: ledgerFile) { try databaseQueue.close() }
    }

    /// Does `work` in a transaction. Blocks.
    func inTransaction<Result>(_ work: (Database) throws -> Result) throws(LedgerError) -> Result {
        try Self.rethrowingAsLedgerError(for: ledgerFile) { try databaseQueue.write(work) }
    }

    /// Does `work` in a transaction, on the queue that has the file to itself: no other thread waits.
    func inQueuedTransaction<Result: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Result
    ) async throws(LedgerError) -> Result {
        // Not GRDB's own `async` functions: these give up when the task is cancelled, and what happened is to be kept
        // all the same.
        let result = await withCheckedContinuation { continuation in
            databaseQueue.asyncWrite(work) { _, result in continuation.resume(returning: result) }
        }
        return try Self.rethrowingAsLedgerError(for: ledgerFile) { try result.get() }
    }

    private static func rethrowingAsLedgerError<Result>(
        for file: LedgerFile, _ work: () throws -> Result
    ) throws(LedgerError) -> Result {
        do {
            return try work()
        } catch let error as LedgerError {
            throw error
        } catch let error as DatabaseError {
            throw LedgerError(databaseError: error, path: file.displayPath)
        } catch let error as RowDecodingError {
            throw LedgerError(
                code: .unusable, path: file.displayPath, message: LedgerError.corruptionMessage, cause: error)
        } catch {
            throw LedgerError(code: .unusable, path: file.displayPath, message: "\(error)", cause: error)
        }
    }
}

// MARK: - Opening

extension LedgerDatabase {
    private static var databaseConfiguration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        configuration.prepareDatabase { database in
            // The schema of a planted file must not call functions.
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            // The order matters: the lock's mode before the log's; and that is written into the file, so not before it
            // is ours.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.inTransaction(.exclusive) {
                _ = try schemaVersion(of: database)
                return .commit
            }
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        return configuration
    }

    /// The version that its tables are of; 0 where nothing is in it yet.
    ///
    /// - Throws: for somebody else's database, or one of a later version.
    private static func schemaVersion(of database: Database) throws -> Int {
        let owner = try Int.fetchOne(database, sql: "PRAGMA application_id")
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version")
        if try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0 { return 0 }
        if let version, owner == applicationID, (1...self.schemaVersion).contains(version) { return version }
        throw DatabaseError(resultCode: .SQLITE_NOTADB)
    }

    /// Checks that the tables and columns are those that this program made, and that there is nothing else: no trigger,
    /// view or index that would act on what is written.
    ///
    /// - Throws: for anything else.
    private static func verifySchema(of database: Database, version: Int) throws {
        let expected = try DatabaseQueue().write { reference in
            for schema in schemaMigrations[..<version] { try reference.execute(sql: schema) }
            return try schemaDescription(of: reference)
        }
        if try schemaDescription(of: database) != expected { throw DatabaseError(resultCode: .SQLITE_NOTADB) }
    }

    /// What there is, and the columns of each table: not the text that made it, which says the same in many ways.
    private static func schemaDescription(of database: Database) throws -> [[DatabaseValue]] {
        let entries = try Row.fetchAll(
            database, sql: "SELECT type, name, tbl_name FROM sqlite_master ORDER BY type, name")
        let columns = try Row.fetchAll(
            database,
            sql: """
                SELECT m.name, c.* FROM sqlite_master m, pragma_table_xinfo(m.name) c WHERE m.type = 'table'
                ORDER BY m.name, c.cid
                """)
        return (entries + columns).map { Array($0.databaseValues) }
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
