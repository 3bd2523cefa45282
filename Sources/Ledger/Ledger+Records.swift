// The records of inputs.
extension LedgerDatabase {
    /// Calls `body` with each record, in the byte order of the input paths.
    ///
    /// `body` is called between reads. It may use the ledger, and it may wait for other users of the ledger.
    ///
    /// - Parameter body: A closure that receives a record.
    /// - Throws: The error that `body` throws; a ``LedgerError`` with the code ``LedgerError/Code/unusable`` if the
    ///   ledger cannot be read or is damaged.
    /// - Complexity: O(*n*) time in the number of records, with at most 256 of them in memory.
    package func forEachRecord(_ body: (InputRecord) throws -> Void) throws {
        var last: [UInt8]? = []
        while let start = last {
            let page = try readPage(afterInput: start)
            for record in page { try body(record) }
            last = page.last?.inputPath
        }
    }

    /// Returns the record of an input, or `nil` if there is none.
    ///
    /// - Parameter inputPath: The input's path, as in its records.
    /// - Throws: ``LedgerError/Code/unusable`` if the ledger cannot be read or is damaged.
    package func record(ofInput inputPath: [UInt8]) throws(LedgerError) -> InputRecord? {
        try withConnection { connection in try Self.record(ofInput: inputPath, in: connection) }
    }

    static func record(
        ofInput inputPath: [UInt8], in connection: SQLiteConnection
    ) throws(SQLiteError) -> InputRecord? {
        var rows = try connection.statement("SELECT * FROM input WHERE path = ?").rows([.blob(inputPath)])
        guard let row = try rows.next() else { return nil }
        return try InputRecord(row: row)
    }

    private static let maxRecordsPerPage = 256
    /// The number of manifest bytes after which a page ends. An ordinary manifest has 0.1 MB in 256 lines.
    private static let maxLineBytesPerPage = 4 << 20

    /// Returns the records whose input paths follow `input` in byte order, or an empty array at the end.
    ///
    /// - Throws: ``LedgerError/Code/unusable`` also if the records are not in ascending order: the next page could then
    ///   return the same records again, endlessly.
    private func readPage(afterInput input: [UInt8]) throws(LedgerError) -> [InputRecord] {
        try withConnection { connection in
            let statement = try connection.statement(
                "SELECT * FROM input WHERE path > ? ORDER BY path LIMIT \(Self.maxRecordsPerPage)")
            var rows = try statement.rows([.blob(input)])
            var records: [InputRecord] = []
            var last = input, bytes = 0
            while bytes < Self.maxLineBytesPerPage, let row = try rows.next() {
                let record = try InputRecord(row: row)
                guard last.lexicographicallyPrecedes(record.inputPath) else { throw SQLiteError.corrupt }
                last = record.inputPath
                bytes += record.manifestLine.count
                records.append(record)
            }
            return records
        }
    }

    /// Saves records, replacing earlier records of the same inputs.
    ///
    /// All records are saved, or none if this method throws. They are on disk when it returns. The digest of a replaced
    /// record is kept if the new one differs.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - equivalentFingerprints: The fingerprints of the same options in this version of the program and in earlier
    ///     ones.
    /// - Throws: ``LedgerError/Code/diskFull`` or ``LedgerError/Code/unusable`` if the records cannot be written.
    package func saveRecords(_ records: [InputRecord], equivalentFingerprints: Set<[UInt8]> = []) throws(LedgerError) {
        try inTransaction { connection in
            for record in records {
                try Self.saveDigest(replacedBy: record, in: connection, equivalentFingerprints: equivalentFingerprints)
                try connection.execute(
                    "INSERT OR REPLACE INTO input VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", record.columnValues)
            }
        }
    }
}
