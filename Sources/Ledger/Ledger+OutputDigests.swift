internal import SystemSupport

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// An upload is identified by the digest of the file that was sent. A later version of the program may prepare a
// different file from the same input. Therefore, the ledger keeps the digests of all files that were prepared from one
// state of an input:
//     path    fingerprint   sha256
//     a.jpg   options 1     68cf..   sent by an earlier version
//     a.jpg   options 1     b01e..   prepared by this version: the same upload
//     a.jpg   options 2     77aa..   prepared with other options: another upload
//
// An input with a record has rows here only if the digest of its output ever changed, or was saved without a record.
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
        try inTransaction { connection in
            let statement = try connection.statement(
                """
                SELECT DISTINCT earlier.sha256
                FROM output_digest AS current JOIN output_digest AS earlier USING (path, fingerprint)
                WHERE current.path = ? AND current.sha256 = ? AND earlier.sha256 <> current.sha256
                LIMIT \(DigestGroups.maxDigestCount + 1)
                """)
            var rows = try statement.rows([.blob(inputPath), .text(currentDigest)])
            var digests: [String] = []
            while let row = try rows.next() { digests.append(try row.text(0)) }
            if digests.count > DigestGroups.maxDigestCount { throw SQLiteError.corrupt }
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
        try inTransaction { connection in
            // In the order of the primary key, so nothing is sorted.
            let statement = try connection.statement(
                "SELECT path, fingerprint, sha256 FROM output_digest ORDER BY path, fingerprint, sha256")
            var rows = try statement.rows([])
            var key: [[UInt8]] = []
            var group: [String] = []
            while let row = try rows.next() {
                let rowKey = [try row.bytes(0), try row.bytes(1)]
                if rowKey != key {
                    try groups.insert(group)
                    (key, group) = (rowKey, [])
                }
                group.append(try row.text(2))
                if group.count > DigestGroups.maxDigestCount { throw SQLiteError.corrupt }
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
        try inTransaction { connection in
            for record in records {
                try Self.reconcileDigests(of: record, in: connection, equivalentFingerprints: equivalentFingerprints)
                try Self.insertDigest(of: record, in: connection)
            }
        }
    }

    /// Saves the digest of the record that `record` is about to replace and that of `record`, if the two differ. The
    /// digest of a first record is saved only if there are earlier digests of the input.
    ///
    /// - Throws: `SQLiteError` if the ledger cannot be read or written.
    static func saveDigest(
        replacedBy record: InputRecord, in connection: SQLiteConnection, equivalentFingerprints: Set<[UInt8]>
    ) throws {
        guard let old = try Self.record(ofInput: record.inputPath, in: connection) else {
            guard try hasDigests(ofInput: record.inputPath, in: connection) else { return }
            try reconcileDigests(of: record, in: connection, equivalentFingerprints: equivalentFingerprints)
            return try insertDigest(of: record, in: connection)
        }
        let hasChanged = old.outputSHA256 != record.outputSHA256
        if hasChanged { try insertDigest(of: old, in: connection) }
        try reconcileDigests(of: record, in: connection, equivalentFingerprints: equivalentFingerprints)
        if hasChanged { try insertDigest(of: record, in: connection) }
    }

    /// Returns whether an output was ever recorded for the input at a path.
    package func hasDigests(ofInput inputPath: [UInt8]) throws(LedgerError) -> Bool {
        try inTransaction { connection in try Self.hasDigests(ofInput: inputPath, in: connection) }
    }

    private static func hasDigests(
        ofInput path: [UInt8], in connection: SQLiteConnection
    ) throws(SQLiteError) -> Bool {
        var rows = try connection.statement("SELECT 1 FROM output_digest WHERE path = ? LIMIT 1").rows([.blob(path)])
        return try rows.next() != nil
    }

    private static func insertDigest(of record: InputRecord, in connection: SQLiteConnection) throws(SQLiteError) {
        guard let sha256 = record.outputSHA256 else { return }
        let version = record.fileVersion
        try connection.execute(
            "INSERT OR REPLACE INTO output_digest VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                .blob(record.inputPath), .blob(record.fingerprint), .text(sha256), .integer(version.size),
                .integer(version.modifiedNanoseconds), .integer(version.changedNanoseconds),
                .integer(Int64(bitPattern: version.inode)),
            ])
    }

    /// Deletes the digests of other states of the input, and gives the remaining ones the fingerprint and file version
    /// of `record`.
    ///
    /// Size and modification time do not prove that the state is the same: a tool can change a file in place and
    /// restore its old modification time. The inode and the change time (ctime) are too strict: copying the file or
    /// changing its mode alters them although the content stays the same. They decide only where nothing else does:
    ///
    ///     prepared by            digest       state of the input
    ///     this version           same         same, because equal inputs have equal outputs
    ///     this version           different    same only if the whole version is equal
    ///     an earlier version     any          assumed to be the same, because sending a file twice cannot be undone
    private static func reconcileDigests(
        of record: InputRecord, in connection: SQLiteConnection, equivalentFingerprints: Set<[UInt8]>
    ) throws {
        try restampDigests(as: record, in: connection)
        try adoptDigests(of: equivalentFingerprints, for: record, in: connection)
        let version = record.fileVersion
        try connection.execute(
            """
            DELETE FROM output_digest WHERE path = ?
            AND ((size, modified_ns) <> (?, ?) OR fingerprint = ? AND (changed_ns, inode) <> (?, ?))
            """,
            [
                .blob(record.inputPath), .integer(version.size), .integer(version.modifiedNanoseconds),
                .blob(record.fingerprint), .integer(version.changedNanoseconds),
                .integer(Int64(bitPattern: version.inode)),
            ])
    }

    /// Applies the file version of `record` to all digests of the state from which this version prepared the same
    /// output before.
    private static func restampDigests(as record: InputRecord, in connection: SQLiteConnection) throws {
        guard let sha256 = record.outputSHA256 else { return }
        let version = record.fileVersion
        try connection.execute(
            """
            UPDATE output_digest SET (changed_ns, inode) = (?1, ?2)
            WHERE path = ?3 AND fingerprint = ?4 AND (size, modified_ns) = (?5, ?6)
            AND (changed_ns, inode) = (
                SELECT changed_ns, inode FROM output_digest WHERE path = ?3 AND fingerprint = ?4 AND sha256 = ?7
            )
            """,
            [
                .integer(version.changedNanoseconds), .integer(Int64(bitPattern: version.inode)),
                .blob(record.inputPath),
                .blob(record.fingerprint), .integer(version.size), .integer(version.modifiedNanoseconds),
                .text(sha256),
            ])
    }

    /// Moves the digests of equivalent options to the fingerprint and file version of `record`, if size and
    /// modification time agree.
    private static func adoptDigests(
        of equivalents: Set<[UInt8]>, for record: InputRecord, in connection: SQLiteConnection
    ) throws {
        let version = record.fileVersion
        for equivalent in equivalents where equivalent != record.fingerprint {
            try connection.execute(
                """
                UPDATE OR REPLACE output_digest SET (fingerprint, changed_ns, inode) = (?, ?, ?)
                WHERE path = ? AND fingerprint = ? AND (size, modified_ns) = (?, ?)
                """,
                [
                    .blob(record.fingerprint), .integer(version.changedNanoseconds),
                    .integer(Int64(bitPattern: version.inode)),
                    .blob(record.inputPath), .blob(equivalent), .integer(version.size),
                    .integer(version.modifiedNanoseconds),
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
