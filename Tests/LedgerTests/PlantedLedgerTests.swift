import Foundation
import GRDB
import TestSupport
import Testing

@testable import Ledger

/// A file that is named like a ledger and was created by another program.
@Suite("A planted ledger is rejected")
final class PlantedLedgerTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var path: [UInt8] { Array(directory.fileURL(named: "ledger.sqlite").path.utf8) }

    /// Creates a ledger, and changes it by SQL statements.
    private func plantLedger(statements: String) throws {
        let ledger = try LedgerDatabase(path: path)
        try ledger.close()
        let queue = try DatabaseQueue(path: directory.fileURL(named: "ledger.sqlite").path)
        try queue.write { try $0.execute(sql: statements) }
        try queue.close()
    }

    @Test(
        "It has a table, a column, a trigger, a view or an index that no version created, or lacks one",
        arguments: [
            "CREATE TRIGGER t AFTER INSERT ON input BEGIN DELETE FROM upload; END",
            "CREATE VIEW v AS SELECT * FROM input", "CREATE INDEX i ON input (line)", "CREATE TABLE photo (name TEXT)",
            "CREATE VIRTUAL TABLE f USING fts5(name)",
            "ALTER TABLE input ADD COLUMN extra TEXT", "ALTER TABLE input ADD COLUMN g AS (hex(line)) VIRTUAL",
            "ALTER TABLE input RENAME COLUMN line TO lines", "DROP TABLE upload",
            "DROP TABLE input; CREATE VIEW input AS SELECT * FROM upload",
        ])
    func unexpectedSchemaIsRejected(_ statements: String) throws {
        try plantLedger(statements: statements)
        let before = try Data(contentsOf: directory.fileURL(named: "ledger.sqlite"))
        #expect(#expect(throws: LedgerError.self) { try LedgerDatabase(path: path) }?.code == .notALedger)
        #expect(try Data(contentsOf: directory.fileURL(named: "ledger.sqlite")) == before)
    }

    @Test("The SQL of a table may differ, and a ledger of the first version is upgraded")
    func earlierVersionIsMigrated() throws {
        try plantLedger(
            statements: """
                DROP TABLE output_digest; DROP TABLE upload; DROP TABLE input; PRAGMA user_version = 1;
                create table "input" ("path" BLOB PRIMARY KEY NOT NULL, size INTEGER NOT NULL,
                  modified_ns INTEGER NOT NULL, changed_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
                  fingerprint BLOB NOT NULL, output BLOB,
                  output_size INTEGER, output_modified_ns INTEGER, verdict TEXT NOT NULL, reason TEXT,
                  line BLOB NOT NULL)
                """)
        let ledger = try LedgerDatabase(path: path)
        try ledger.close()
        let queue = try DatabaseQueue(path: directory.fileURL(named: "ledger.sqlite").path)
        let names = try queue.read {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        #expect(Set(names).isSuperset(of: ["input", "upload"]))
    }

    @Test("A link is not followed unless the caller allows it", arguments: ["", "-wal", "-journal"])
    func linkedLedgerFileIsRejected(_ suffix: String) throws {
        let target = directory.fileURL(named: "target")
        try Data("a letter".utf8).write(to: target)
        let link = directory.fileURL(named: "ledger.sqlite" + suffix)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        let error = #expect(throws: LedgerError.self) { try LedgerDatabase(path: path, followsLinks: false) }
        #expect(error?.code == .notALedger)
        #expect(error?.message.contains("symbolic link") == true)
        try FileManager.default.removeItem(at: link)
        try FileManager.default.linkItem(at: target, to: link)
        let second = #expect(throws: LedgerError.self) { try LedgerDatabase(path: path, followsLinks: false) }
        #expect(second?.message.contains("hard link") == true)
        #expect(try Data(contentsOf: target) == Data("a letter".utf8))
    }

    @Test("A journal that names another file, which SQLite would delete, is rejected; any other is rolled back")
    func superJournalIsRejectedAndOtherJournalsReplayed() throws {
        try LedgerDatabase(path: path).close()
        let victim = directory.fileURL(named: "letters.txt"),
            journal = directory.fileURL(named: "ledger.sqlite-journal")
        try Data("a letter".utf8).write(to: victim)
        let name = Array(victim.path.utf8)
        func big(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let checksum = name.reduce(0) { $0 + Int(Int8(bitPattern: $1)) }
        let end = big(0x4000_0001) + name + big(name.count) + big(checksum) + magic
        try Data([1] + Array(repeating: 0, count: 511) + end).write(to: journal)
        let error = #expect(throws: LedgerError.self) { try LedgerDatabase(path: path, followsLinks: false) }
        #expect(error?.code == .notALedger)
        #expect(try Data(contentsOf: victim) == Data("a letter".utf8))
        try Data([1] + Array(repeating: 0, count: 511)).write(to: journal)
        try LedgerDatabase(path: path, followsLinks: false).close()
    }

    @Test("A ledger that others may read becomes private again, without additional files")
    func readableLedgerBecomesPrivate() throws {
        try LedgerDatabase(path: path).close()
        let file = directory.fileURL(named: "ledger.sqlite")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
        try LedgerDatabase(path: path, followsLinks: false).close()
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["ledger.sqlite"])
    }

    @Test("A ledger of another user is rejected", .enabled(if: geteuid() == 0, "only root can give files away"))
    func ledgerOfAnotherUserIsRejected() throws {
        try LedgerDatabase(path: path).close()
        try FileManager.default.setAttributes(
            [.ownerAccountID: 65534], ofItemAtPath: directory.fileURL(named: "ledger.sqlite").path)
        let error = #expect(throws: LedgerError.self) { try LedgerDatabase(path: path, followsLinks: false) }
        #expect(error?.message == "it belongs to another user")
    }

    @Test("Counts that cannot be incremented, and more digests of an input than there are versions, are damage")
    func implausibleCountersAreDamage() async throws {
        try plantLedger(
            statements: """
                INSERT INTO upload VALUES (x'01', 0, 'failed', NULL, NULL, NULL, 9223372036854775807, 0, NULL, NULL);
                INSERT INTO upload VALUES (x'02', -1, 'failed', NULL, NULL, NULL, 0, 0, NULL, NULL);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                INSERT INTO output_digest SELECT x'61', x'00', i, 0, 0, 0, 0 FROM n
                """)
        let ledger = try LedgerDatabase(path: path)
        for identity in [[1], [2]] as [[UInt8]] {
            let error = await #expect(throws: LedgerError.self) { try await ledger.uploadRecord(identity: identity) }
            #expect(error?.code == .unusable)
        }
        var groups = DigestGroups()
        #expect(#expect(throws: LedgerError.self) { try ledger.addDigestGroups(to: &groups) }?.code == .unusable)
        let error = #expect(throws: LedgerError.self) {
            try ledger.earlierDigests(forInput: [0x61], currentDigest: "1")
        }
        #expect(error?.code == .unusable)
    }

    @Test("A digest has at most 64 other digests, also from several ledgers; equal groups count once")
    func otherDigestsOfOneDigestAreLimited() throws {
        // 300 inputs with the digests 1 to 64, and 64 inputs with the digest `x` and another one.
        try plantLedger(
            statements: """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                INSERT INTO output_digest SELECT CAST(a.i AS BLOB), x'00', b.i, 0, 0, 0, 0
                FROM n a, n b WHERE b.i <= 64;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 64)
                INSERT INTO output_digest SELECT CAST(i AS BLOB), x'01', 'x', 0, 0, 0, 0 FROM n
                UNION ALL SELECT CAST(i AS BLOB), x'01', 'y' || i, 0, 0, 0, 0 FROM n
                """)
        let ledger = try LedgerDatabase(path: path)
        var groups = DigestGroups()
        for _ in 0..<2 { try ledger.addDigestGroups(to: &groups) }
        #expect(groups.otherDigests(for: "1").count == 63)
        #expect(groups.otherDigests(for: "x").count == 64)
        #expect(groups.otherDigests(for: "y1") == ["x"])
        try ledger.close()
        try plantLedger(
            statements: """
                INSERT INTO output_digest VALUES (x'39', x'02', 'x', 0, 0, 0, 0), (x'39', x'02', 'z', 0, 0, 0, 0)
                """)
        let fuller = try LedgerDatabase(path: path)
        #expect(#expect(throws: LedgerError.self) { try fuller.addDigestGroups(to: &groups) }?.code == .unusable)
    }

    @Test("A directory that is a link is not followed either, and a named file may be a link")
    func linkedDirectoryIsRejectedUnlessNamed() throws {
        let real = directory.fileURL(named: "real")
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: directory.fileURL(named: "linked"), withDestinationURL: real)
        let path = Array(directory.fileURL(named: "linked/ledger.sqlite").path.utf8)
        #expect(
            #expect(throws: LedgerError.self) { try LedgerDatabase(path: path, followsLinks: false) }?.code
                == .notALedger)
        #expect(try FileManager.default.contentsOfDirectory(atPath: real.path).isEmpty)
        try LedgerDatabase(path: path, followsLinks: true).close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: real.path) == ["ledger.sqlite"])
    }
}
