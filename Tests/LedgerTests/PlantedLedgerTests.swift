import Foundation
import GRDB
import TestSupport
import Testing

@testable import Ledger

/// A file that is named like a ledger and was made by somebody else.
@Suite("A ledger that somebody else made is refused")
final class PlantedLedgerTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var path: [UInt8] { Array(directory.file("ledger.sqlite").path.utf8) }

    /// Makes a ledger, and changes it as the statements say.
    private func plant(_ statements: String) throws {
        let ledger = try Ledger(path: path)
        try ledger.close()
        let queue = try DatabaseQueue(path: directory.file("ledger.sqlite").path)
        try queue.write { try $0.execute(sql: statements) }
        try queue.close()
    }

    @Test(
        "It has a table, a column, a trigger, a view or an index that no version made, or lacks one",
        arguments: [
            "CREATE TRIGGER t AFTER INSERT ON input BEGIN DELETE FROM upload; END",
            "CREATE VIEW v AS SELECT * FROM input", "CREATE INDEX i ON input (line)", "CREATE TABLE photo (name TEXT)",
            "CREATE VIRTUAL TABLE f USING fts5(name)",
            "ALTER TABLE input ADD COLUMN extra TEXT", "ALTER TABLE input ADD COLUMN g AS (hex(line)) VIRTUAL",
            "ALTER TABLE input RENAME COLUMN line TO lines", "DROP TABLE upload",
            "DROP TABLE input; CREATE VIEW input AS SELECT * FROM upload",
        ])
    func schema(_ statements: String) throws {
        try plant(statements)
        let before = try Data(contentsOf: directory.file("ledger.sqlite"))
        #expect(#expect(throws: LedgerError.self) { try Ledger(path: path) }?.code == .foreign)
        #expect(try Data(contentsOf: directory.file("ledger.sqlite")) == before)
    }

    @Test("The text that made a table may differ, and a ledger of the first version gets what is new")
    func earlierVersion() throws {
        try plant(
            """
            DROP TABLE output_digest; DROP TABLE upload; DROP TABLE input; PRAGMA user_version = 1;
            create table "input" ("path" BLOB PRIMARY KEY NOT NULL, size INTEGER NOT NULL, modified_ns INTEGER NOT NULL,
              changed_ns INTEGER NOT NULL, inode INTEGER NOT NULL, fingerprint BLOB NOT NULL, output BLOB,
              output_size INTEGER, output_modified_ns INTEGER, verdict TEXT NOT NULL, reason TEXT, line BLOB NOT NULL)
            """)
        let ledger = try Ledger(path: path)
        try ledger.close()
        let queue = try DatabaseQueue(path: directory.file("ledger.sqlite").path)
        let names = try queue.read {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        #expect(Set(names).isSuperset(of: ["input", "upload"]))
    }

    @Test("A link is not followed unless the caller says so", arguments: ["", "-wal", "-journal"])
    func links(_ suffix: String) throws {
        let target = directory.file("target")
        try Data("a letter".utf8).write(to: target)
        let link = directory.file("ledger.sqlite" + suffix)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        let error = #expect(throws: LedgerError.self) { try Ledger(path: path, followsLinks: false) }
        #expect(error?.code == .foreign)
        #expect(error?.message.contains("symbolic link") == true)
        try FileManager.default.removeItem(at: link)
        try FileManager.default.linkItem(at: target, to: link)
        let second = #expect(throws: LedgerError.self) { try Ledger(path: path, followsLinks: false) }
        #expect(second?.message.contains("hard link") == true)
        #expect(try Data(contentsOf: target) == Data("a letter".utf8))
    }

    @Test("A directory that is a link is not followed either, and a named file may be a link")
    func directories() throws {
        let real = directory.file("real")
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: directory.file("linked"), withDestinationURL: real)
        let path = Array(directory.file("linked/ledger.sqlite").path.utf8)
        #expect(#expect(throws: LedgerError.self) { try Ledger(path: path, followsLinks: false) }?.code == .foreign)
        #expect(try FileManager.default.contentsOfDirectory(atPath: real.path).isEmpty)
        try Ledger(path: path, followsLinks: true).close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: real.path) == ["ledger.sqlite"])
    }
}
