internal import Foundation
internal import GRDB

// An upload is identified by the digest of the file that was sent. A later version of the program may prepare another
// file from the same input, so the ledger keeps the digests of all files that were prepared from one state of an input:
//
//     path    fingerprint   sha256
//     a.jpg   options 1     68cf..   sent by an earlier version
//     a.jpg   options 1     b01e..   prepared by this version: the same upload
//     a.jpg   options 2     77aa..   prepared with other options: another upload
//
// An input whose record is kept has rows only if its digest ever changed.
extension LedgerDatabase {
    /// Returns the digests of the files that were prepared earlier from the same state of an input with the same
    /// options.
    ///
    /// - Parameters:
    ///   - inputPath: The input as its records name it.
    ///   - currentDigest: The digest of the file that is prepared now, in lower-case hexadecimal.
    /// - Returns: Digests other than `currentDigest`, in any order.
    /// - Throws: ``LedgerError/Code/unusable`` also for more of them than there are versions of this program.
    public func earlierDigests(forInput inputPath: [UInt8], currentDigest: String) throws(LedgerError) -> [String] {
        try inTransaction { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT DISTINCT earlier.sha256
                    FROM output_digest AS current JOIN output_digest AS earlier USING (path, fingerprint)
                    WHERE current.path = ? AND current.sha256 = ? AND earlier.sha256 <> current.sha256
                    LIMIT \(Self.maxDigestsPerInput + 1)
                    """)
            let digests = try String.fetchAll(statement, arguments: [Data(inputPath), currentDigest])
            if digests.count > Self.maxDigestsPerInput { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            return digests
        }
    }

    /// Returns the digests of files that were prepared earlier, by that of any other file that was prepared from the
    /// same state of the same input with the same options.
    ///
    /// - Throws: ``LedgerError/Code/unusable`` also for more digests of one input than there are versions of this
    ///   program: the number of pairs grows with their square.
    /// - Complexity: Linear in the number of digests, which are all in memory.
    public func earlierDigestsByDigest() throws(LedgerError) -> [String: [String]] {
        try inTransaction { database in
            let crowded = try Row.fetchOne(
                database,
                sql:
                    "SELECT 1 FROM output_digest GROUP BY path, fingerprint HAVING count(*) > "
                    + "\(Self.maxDigestsPerInput)"
            )
            if crowded != nil { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT current.sha256, earlier.sha256
                    FROM output_digest AS current JOIN output_digest AS earlier USING (path, fingerprint)
                    WHERE earlier.sha256 <> current.sha256
                    """)
            return try rows.reduce(into: [:]) { digests, row in
                digests[try row.decode(String.self, atIndex: 0), default: []].append(
                    try row.decode(String.self, atIndex: 1))
            }
        }
    }

    private static let maxDigestsPerInput = 64

    /// Keeps the digests of outputs, and nothing else of their records: for outputs that are removed after the upload.
    ///
    /// - Parameter equivalentFingerprints: The fingerprints of the same options in this version of the program and
    ///   earlier ones.
    public func saveDigests(of records: [InputRecord], equivalentFingerprints: Set<[UInt8]>) throws(LedgerError) {
        try inTransaction { database in
            for record in records {
                try Self.reconcileDigests(of: record, in: database, equivalentFingerprints: equivalentFingerprints)
                try Self.insertDigest(of: record, in: database)
            }
        }
    }

    /// Keeps the digest of the record that `record` is about to replace, if their digests differ.
    static func saveDigest(replacedBy record: InputRecord, in database: Database, equivalentFingerprints: Set<[UInt8]>)
        throws
    {
        let statement = try database.cachedStatement(sql: "SELECT * FROM input WHERE path = ?")
        guard let old = try Row.fetchOne(statement, arguments: [Data(record.inputPath)]).map(InputRecord.init) else {
            return
        }
        let hasChanged = old.outputSHA256 != record.outputSHA256
        if hasChanged { try insertDigest(of: old, in: database) }
        try reconcileDigests(of: record, in: database, equivalentFingerprints: equivalentFingerprints)
        if hasChanged { try insertDigest(of: record, in: database) }
    }

    private static func insertDigest(of record: InputRecord, in database: Database) throws {
        guard let sha256 = record.outputSHA256 else { return }
        let stamp = record.fileStamp
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO output_digest VALUES (?, ?, ?, ?, ?, ?, ?)").execute(
            arguments: [
                Data(record.inputPath), Data(record.fingerprint), sha256, stamp.size, stamp.modifiedNanoseconds,
                stamp.changedNanoseconds,
                Int64(bitPattern: stamp.inode),
            ])
    }

    /// Drops the digests of other states of the input, and gives the rest the fingerprint and the stamp of `record`.
    ///
    /// Size and date alone do not show a state: a tool can change a file in place and give it its old date back. The
    /// inode and the time of the last change of any kind show more than that, since a copy and `chmod` change them too.
    /// They decide only where nothing else does:
    ///
    ///     prepared by            digest       state of the input
    ///     this version           the same     the same: equal inputs have equal outputs
    ///     this version           another      the same only if the whole stamp is
    ///     an earlier version     any          taken for the same: to send it again cannot be undone
    private static func reconcileDigests(
        of record: InputRecord, in database: Database, equivalentFingerprints: Set<[UInt8]>
    ) throws {
        try moveDigestsOfSameState(as: record, in: database)
        try adoptDigests(of: equivalentFingerprints, for: record, in: database)
        let (path, fingerprint, stamp) = (Data(record.inputPath), Data(record.fingerprint), record.fileStamp)
        try database.cachedStatement(
            sql: """
                DELETE FROM output_digest WHERE path = ?
                AND ((size, modified_ns) <> (?, ?) OR fingerprint = ? AND (changed_ns, inode) <> (?, ?))
                """
        ).execute(
            arguments: [
                path, stamp.size, stamp.modifiedNanoseconds, fingerprint, stamp.changedNanoseconds,
                Int64(bitPattern: stamp.inode),
            ])
    }

    /// Gives the digests of the state from which this version prepared the same output before the stamp of `record`.
    private static func moveDigestsOfSameState(as record: InputRecord, in database: Database) throws {
        guard let sha256 = record.outputSHA256 else { return }
        let stamp = record.fileStamp
        try database.cachedStatement(
            sql: """
                UPDATE output_digest SET (changed_ns, inode) = (:changed, :inode)
                WHERE path = :path AND fingerprint = :fingerprint AND (size, modified_ns) = (:size, :modified)
                AND (changed_ns, inode) = (
                    SELECT changed_ns, inode FROM output_digest
                    WHERE path = :path AND fingerprint = :fingerprint AND sha256 = :sha256
                )
                """
        ).execute(arguments: [
            "changed": stamp.changedNanoseconds, "inode": Int64(bitPattern: stamp.inode),
            "path": Data(record.inputPath),
            "fingerprint": Data(record.fingerprint), "size": stamp.size, "modified": stamp.modifiedNanoseconds,
            "sha256": sha256,
        ])
    }

    /// Gives the digests of equivalent options the fingerprint and the stamp of `record`, if size and date allow it.
    private static func adoptDigests(
        of equivalents: Set<[UInt8]>, for record: InputRecord, in database: Database
    ) throws {
        let stamp = record.fileStamp
        let update = try database.cachedStatement(
            sql: """
                UPDATE OR REPLACE output_digest SET (fingerprint, changed_ns, inode) = (?, ?, ?)
                WHERE path = ? AND fingerprint = ? AND (size, modified_ns) = (?, ?)
                """)
        for equivalent in equivalents where equivalent != record.fingerprint {
            try update.execute(arguments: [
                Data(record.fingerprint), stamp.changedNanoseconds, Int64(bitPattern: stamp.inode),
                Data(record.inputPath),
                Data(equivalent), stamp.size, stamp.modifiedNanoseconds,
            ])
        }
    }

    static let outputDigestSchema = """
        CREATE TABLE output_digest (
            path BLOB NOT NULL, fingerprint BLOB NOT NULL, sha256 TEXT NOT NULL,
            size INTEGER NOT NULL, modified_ns INTEGER NOT NULL, changed_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
            PRIMARY KEY (path, fingerprint, sha256)
        )
        """
}

extension InputRecord {
    /// The digest of the output, as the manifest's line states it; `nil` for none.
    fileprivate var outputSHA256: String? {
        struct Line: Decodable { var sha256: String? }
        return (try? JSONDecoder().decode(Line.self, from: Data(manifestLine)))?.sha256
    }
}
