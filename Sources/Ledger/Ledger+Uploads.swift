internal import Foundation
internal import GRDB
public import UploadRecords

extension LedgerDatabase: UploadJournal {
    /// Returns the record of an upload, or `nil` if the ledger has none.
    ///
    /// - Parameter identity: The digest that identifies the upload, as in `UploadRecord.identity`.
    /// - Throws: ``LedgerError/Code/unusable`` if the ledger cannot be read or is damaged.
    public func uploadRecord(identity: [UInt8]) async throws(LedgerError) -> UploadRecord? {
        try await inQueuedTransaction { database in
            try Row.fetchOne(database, sql: "SELECT * FROM upload WHERE identity = ?", arguments: [Data(identity)])
                .map(UploadRecord.init)
        }
    }

    /// Saves the record of an upload, replacing an earlier record of the same identity.
    ///
    /// The record is on disk when this method returns. Cancelling the task has no effect.
    ///
    /// - Parameter upload: The record.
    /// - Throws: ``LedgerError/Code/diskFull`` or ``LedgerError/Code/unusable`` if the record cannot be written.
    public func saveUpload(_ upload: UploadRecord) async throws(LedgerError) {
        try await inQueuedTransaction { database in
            try database.cachedStatement(sql: "INSERT OR REPLACE INTO upload VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .execute(arguments: upload.statementArguments)
        }
    }

    static let uploadSchema = """
        CREATE TABLE upload (
            identity BLOB NOT NULL PRIMARY KEY, repeats INTEGER NOT NULL, state TEXT NOT NULL, doubt TEXT,
            id TEXT, reference TEXT, attempts INTEGER NOT NULL, bytes_sent INTEGER NOT NULL, reason TEXT, message TEXT
        )
        """
}

extension UploadRecord {
    /// Creates a record from a row with the table's columns in their order.
    ///
    /// - Throws: `DatabaseError` or `RowDecodingError` if a value is invalid.
    fileprivate init(row: Row) throws {
        self.init(identity: Array(try row.decode(Data.self, atIndex: 0)))
        forcedResendCount = Int(try Self.decodeCount(in: row, column: 1))
        guard let state = State(rawValue: try row.decode(String.self, atIndex: 2)) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        self.state = state
        uncertainty = try row.decode(String?.self, atIndex: 3).flatMap(DeliveryUncertainty.init)
        serverID = try row.decode(String?.self, atIndex: 4)
        resumeReference = try row.decode(String?.self, atIndex: 5)
        attemptCount = Int(try Self.decodeCount(in: row, column: 6))
        bytesSent = try Self.decodeCount(in: row, column: 7)
        reasonCode = try row.decode(String?.self, atIndex: 8)
        message = try row.decode(String?.self, atIndex: 9)
    }

    /// Decodes a count that can be incremented without overflow. A planted file may hold any number.
    private static func decodeCount(in row: Row, column: Int) throws -> Int64 {
        let count = try row.decode(Int64.self, atIndex: column)
        guard (0...1 << 60).contains(count) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return count
    }

    /// The values in the order of the table's columns.
    fileprivate var statementArguments: StatementArguments {
        [
            Data(identity), forcedResendCount, state.rawValue, uncertainty?.rawValue, serverID, resumeReference,
            attemptCount, bytesSent, reasonCode, message,
        ]
    }
}
