public import UploadRecords

extension LedgerDatabase: UploadJournal {
    /// Returns the record of an upload, or `nil` if the ledger has none.
    ///
    /// - Parameter identity: The digest that identifies the upload, as in `UploadRecord.identity`.
    /// - Throws: ``LedgerError/Code/unusable`` if the ledger cannot be read or is damaged.
    public func uploadRecord(identity: [UInt8]) async throws(LedgerError) -> UploadRecord? {
        try await inQueuedTransaction { connection in
            var rows = try connection.statement("SELECT * FROM upload WHERE identity = ?").rows([.blob(identity)])
            guard let row = try rows.next() else { return nil }
            return try UploadRecord(row: row)
        }
    }

    /// Saves the record of an upload, replacing an earlier record of the same identity.
    ///
    /// The record is on disk when this method returns. Cancelling the task has no effect.
    ///
    /// - Parameter upload: The record.
    /// - Throws: ``LedgerError/Code/diskFull`` or ``LedgerError/Code/unusable`` if the record cannot be written.
    public func saveUpload(_ upload: UploadRecord) async throws(LedgerError) {
        try await inQueuedTransaction { connection in
            try connection.execute(
                "INSERT OR REPLACE INTO upload VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", upload.columnValues)
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
    /// - Throws: `SQLiteError` if a value is invalid.
    fileprivate init(row: SQLiteRow) throws(SQLiteError) {
        self.init(identity: try row.bytes(0))
        forcedResendCount = Int(try Self.decodeCount(in: row, column: 1))
        guard let state = State(rawValue: try row.text(2)) else { throw .corrupt }
        self.state = state
        uncertainty = try row.optionalText(3).flatMap(DeliveryUncertainty.init)
        serverID = try row.optionalText(4)
        resumeReference = try row.optionalText(5)
        attemptCount = Int(try Self.decodeCount(in: row, column: 6))
        bytesSent = try Self.decodeCount(in: row, column: 7)
        reasonCode = try row.optionalText(8)
        message = try row.optionalText(9)
    }

    /// Decodes a count that can be incremented without overflow. A planted file may hold any number.
    private static func decodeCount(in row: SQLiteRow, column: Int) throws(SQLiteError) -> Int64 {
        let count = try row.integer(column)
        guard (0...1 << 60).contains(count) else { throw .corrupt }
        return count
    }

    /// The values in the order of the table's columns.
    fileprivate var columnValues: [SQLiteValue] {
        [
            .blob(identity), .integer(Int64(forcedResendCount)), .text(state.rawValue), .text(uncertainty?.rawValue),
            .text(serverID), .text(resumeReference), .integer(Int64(attemptCount)), .integer(bytesSent),
            .text(reasonCode),
            .text(message),
        ]
    }
}
