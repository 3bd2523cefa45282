internal import Foundation
internal import GRDB
internal import SystemSupport

// An upload is identified by the digest of the file that was sent. A later version of the program may prepare a
// different file from the same input. Therefore, the ledger keeps the digests of all files that were prepared from one
// state of an input:
//     path    fingerprint   sha256
//     a.jpg   options 1     68cf..   sent by an earlier version
//     a.jpg   options 1     b01e..   prepared by this version: the same upload
//     a.jpg   options 2     77aa..   prepared with other options: another upload
//
// An input with a record has rows here only if the digest of its output ever changed.
extension LedgerDatabase {
    /// Returns the digests of files that were prepared earlier from the same state of an input with the same options.
    ///
    /// - Parameters:
    ///   - inputPath: The input's path, as in its records.
    ///   - currentDigest: The SHA-256 digest of the file that is prepared now, in lowercase hexadecimal.
    /// - Returns: At most 64 digests other than `currentDigest`, in any order.
    /// - Throws: ``LedgerError/Code/unusable`` if the ledger cannot be read, is damaged, or holds more than 64 such
    ///   digests, which is more than there are versions of this program.
    package func earlierDigests(forInput inputPath: [UInt8], currentDigest: String) throws(LedgerError) -> [String] {
        try inTransaction { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT DISTINCT earlier.sha256
                    FROM output_digest AS current JOIN output_digest AS earlier USING (path, fingerprint)
                    WHERE current.path = ? AND current.sha256 = ? AND earlier.sha256 <> current.sha256
                    LIMIT \(DigestGroups.maxDigestCount + 1)
                    """)
            let digests = try String.fetchAll(statement, arguments: [Data(inputPath), currentDigest])
            if digests.count > DigestGroups.maxDigestCount { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            return digests
        }
    }

    /// Adds the digests of all prepared files to `groups`.
    ///
    /// - Parameter groups: Receives the groups. If this method throws, it has received some of them.
    /// - Throws: ``LedgerError/Code/unusable`` if the ledger cannot be read, is damaged, holds more than 64 digests for
    ///   one input and fingerprint, or more than 64 other digests would belong to a digest.
    /// - Complexity: O(*n*) time and memory, where *n* is the number of digests.
    package func addDigestGroups(to groups: inout DigestGroups) throws(LedgerError) {
        try inTransaction { database in
            // In the order of the primary key, so nothing is sorted.
            let rows = try Row.fetchCursor(
                database, sql: "SELECT path, fingerprint, sha256 FROM output_digest ORDER BY path, fingerprint, sha256")
            var key: [Data] = []
            var group: [String] = []
            while let row = try rows.next() {
                let rowKey = [try row.decode(Data.self, atIndex: 0), try row.decode(Data.self, atIndex: 1)]
                if rowKey != key {
                    try groups.insert(group)
                    (key, group) = (rowKey, [])
                }
                group.append(try row.decode(String.self, atIndex: 2))
                if group.count > DigestGroups.maxDigestCount { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            }
            try groups.insert(group)
        }
    }

    /// Saves the digests of outputs without the rest of their records.
    ///
    /// This serves outputs that are removed after the upload. All digests are saved, or none if this method throws.
    ///
    /// - Parameters:
    ///   - records: The records, of which only inputs, fingerprints and output digests are used.
    ///   - equivalentFingerprints: The fingerprints of the same options in this version of the program and in earlier
    ///     ones.
    /// - Throws: ``LedgerError/Code/diskFull`` or ``LedgerError/Code/unusable`` if the digests cannot be written.
    package func saveDigests(of records: [InputRecord], equivalentFingerprints: Set<[UInt8]>) throws(LedgerError) {
        try inTransaction { database in
            for record in records {
                try Self.reconcileDigests(of: record, in: database, equivalentFingerprints: equivalentFingerprints)
                try Self.insertDigest(of: record, in: database)
            }
        }
    }

    /// Saves the digest of the record that `record` is about to replace and that of `record`, if the two differ.
    ///
    /// - Throws: `DatabaseError` or `RowDecodingError` if the ledger cannot be read or written.
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
        let stamp = record.fileVersion
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO output_digest VALUES (?, ?, ?, ?, ?, ?, ?)").execute(
            arguments: [
                Data(record.inputPath), Data(record.fingerprint), sha256, stamp.size, stamp.modifiedNanoseconds,
                stamp.changedNanoseconds,
                Int64(bitPattern: stamp.inode),
            ])
    }

    /// Deletes the digests of other states of the input, and gives the remaining ones the fingerprint and stamp of
    /// `record`.
    ///
    /// Size and modification time do not prove that the state is the same: a tool can change a file in place and
    /// restore its old modification time. The inode and the change time (ctime) are too strict: copying the file or
    /// changing its mode alters them although the content stays the same. They decide only where nothing else does:
    ///
    ///     prepared by            digest       state of the input
    ///     this version           same         same, because equal inputs have equal outputs
    ///     this version           different    same only if the whole stamp is equal
    ///     an earlier version     any          assumed to be the same, because sending a file twice cannot be undone
    private static func reconcileDigests(
        of record: InputRecord, in database: Database, equivalentFingerprints: Set<[UInt8]>
    ) throws {
        try restampDigests(as: record, in: database)
        try adoptDigests(of: equivalentFingerprints, for: record, in: database)
        let (path, fingerprint, stamp) = (Data(record.inputPath), Data(record.fingerprint), record.fileVersion)
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

    /// Applies the stamp of `record` to all digests of the state from which this version prepared the same output
    /// before.
    private static func restampDigests(as record: InputRecord, in database: Database) throws {
        guard let sha256 = record.outputSHA256 else { return }
        let stamp = record.fileVersion
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

    /// Moves the digests of equivalent options to the fingerprint and stamp of `record`, if size and modification time
    /// agree.
    private static func adoptDigests(
        of equivalents: Set<[UInt8]>, for record: InputRecord, in database: Database
    ) throws {
        let stamp = record.fileVersion
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
    /// The SHA-256 digest of the output, as stated in the manifest's line, or `nil` if there is none.
    fileprivate var outputSHA256: String? {
        struct Line: Decodable { var sha256: String? }
        return (try? JSONDecoder().decode(Line.self, from: Data(manifestLine)))?.sha256
    }
}
