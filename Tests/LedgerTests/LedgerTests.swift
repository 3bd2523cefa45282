// `unsafe`: a path that is not UTF-8.

import Foundation
import GRDB
import struct Ledger.InputRecord
import SystemSupport
import TestSupport
import Testing

@testable import Ledger

@Suite("A ledger stores records")
final class LedgerTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var path: [UInt8] { Array(directory.fileURL(named: "ledger.sqlite").path.utf8) }

    private func makeRecord(_ input: [UInt8], verdict: String = "converted", hasOutput: Bool = true) -> InputRecord {
        InputRecord(
            inputPath: input,
            fileVersion: FileVersion(size: 3, modifiedNanoseconds: .max, changedNanoseconds: .min, inode: .max),
            fingerprint: [0, 255],
            output: hasOutput ? InputRecord.OutputFile(path: input + [0xE9], size: 0, modifiedNanoseconds: -1) : nil,
            verdict: verdict,
            reasonCode: hasOutput ? nil : "truncated", manifestLine: Array(#"{"input":"é"}"#.utf8))
    }

    private func allRecords(_ ledger: LedgerDatabase) throws -> [InputRecord] {
        var records: [InputRecord] = []
        try ledger.forEachRecord { records.append($0) }
        return records
    }

    @Test("After reopening, the ledger has all records, in the byte order of their inputs")
    func recordsPersistSortedByInput() throws {
        let records =
            [[0x62], [0x61, 0xFF], [0x61], [0xFF], [0xC3, 0xA9]].map { makeRecord($0) } + [
                makeRecord([0x41], hasOutput: false)
            ]
        let ledger = try LedgerDatabase(path: path)
        try ledger.saveRecords(Array(records.prefix(2)))
        try ledger.saveRecords(Array(records.dropFirst(2)))
        try ledger.close()
        let sorted = records.sorted { $0.inputPath.lexicographicallyPrecedes($1.inputPath) }
        #expect(try allRecords(LedgerDatabase(path: path)) == sorted)
    }

    @Test(
        "All records are returned, however many, and the ledger can be used during the iteration",
        .timeLimit(.minutes(60)))
    func ledgerIsUsableWhileEnumeratingManyRecords() async throws {
        let ledger = try LedgerDatabase(path: path)
        let records = (0..<1000).map { makeRecord([UInt8($0 / 256), UInt8($0 % 256)]) }
        try ledger.saveRecords(records)
        var inputs: [[UInt8]] = []
        try ledger.forEachRecord { found in
            inputs.append(found.inputPath)
            try ledger.saveRecords([found])
        }
        #expect(inputs == records.map(\.inputPath))
    }

    @Test("A later result replaces an earlier one")
    func laterRecordReplacesEarlier() throws {
        let ledger = try LedgerDatabase(path: path)
        try ledger.saveRecords([makeRecord([1]), makeRecord([2])])
        try ledger.saveRecords([makeRecord([1], verdict: "rejected", hasOutput: false)])
        #expect(try allRecords(ledger) == [makeRecord([1], verdict: "rejected", hasOutput: false), makeRecord([2])])
    }

    @Test("Records survive without closing: a copy of the files contains them at any time")
    func recordsSurviveWithoutOrderlyClose() throws {
        let ledger = try LedgerDatabase(path: path)
        try ledger.saveRecords([makeRecord([1])])
        let copy = directory.fileURL(named: "copy")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        for name in ["ledger.sqlite", "ledger.sqlite-wal"] {
            try FileManager.default.copyItem(at: directory.fileURL(named: name), to: copy.appending(path: name))
        }
        #expect(
            try allRecords(LedgerDatabase(path: Array(copy.appending(path: "ledger.sqlite").path.utf8))) == [
                makeRecord([1])
            ])
    }

    @Test("Only one process can open a ledger, and there is no shared-memory file")
    func ledgerIsExclusiveWithoutSharedMemory() throws {
        let ledger = try LedgerDatabase(path: path)
        let error = #expect(throws: LedgerError.self) { try LedgerDatabase(path: path) }
        #expect(error?.code == .inUse)
        #expect(error?.description.contains("ledger.sqlite: another run has it open") == true)
        try ledger.saveRecords([makeRecord([1])])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted() == [
                "ledger.sqlite", "ledger.sqlite-wal",
            ])
        try ledger.close()
        #expect(try allRecords(LedgerDatabase(path: path)).count == 1)
    }

    @Test("Other users cannot read it")
    func ledgerFilesArePrivate() throws {
        let ledger = try LedgerDatabase(path: path)
        try ledger.saveRecords([makeRecord([1])])
        for name in ["ledger.sqlite", "ledger.sqlite-wal"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: directory.fileURL(named: name).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("A file that is not a ledger, or a later version, is rejected and not changed")
    func foreignOrLaterLedgerIsRejected() throws {
        let file = directory.fileURL(named: "ledger.sqlite")
        let text = Data("This is a letter, and no database, however long one looks at it.".utf8)
        try text.write(to: file)
        #expect(#expect(throws: LedgerError.self) { try LedgerDatabase(path: path) }?.code == .notALedger)
        #expect(try Data(contentsOf: file) == text)
        try FileManager.default.removeItem(at: file)

        let ledger = try LedgerDatabase(path: path)
        try ledger.close()
        var bytes = try Data(contentsOf: file)
        bytes[63] = 99  // The version, at 60 to 63 of the header.
        try bytes.write(to: file)
        #expect(#expect(throws: LedgerError.self) { try LedgerDatabase(path: path) }?.code == .notALedger)
        #expect(try Data(contentsOf: file)[63] == 99)
        try FileManager.default.removeItem(at: file)

        // A database of another program, which also keeps its journal mode.
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { try $0.execute(sql: "CREATE TABLE photo (name TEXT)") }
        try queue.close()
        let database = try Data(contentsOf: file)
        #expect(#expect(throws: LedgerError.self) { try LedgerDatabase(path: path) }?.code == .notALedger)
        #expect(try Data(contentsOf: file) == database)
    }

    @Test("A damaged ledger causes an error where the damage is noticed, and never a crash", arguments: 0..<60)
    func damagedLedgerThrows(_ place: Int) throws {
        let ledger = try LedgerDatabase(path: path)
        try ledger.saveRecords((0..<100).map { makeRecord([UInt8($0)]) })
        try ledger.close()
        let file = directory.fileURL(named: "ledger.sqlite")
        var bytes = try Data(contentsOf: file)
        let offset = place * bytes.count / 60
        for index in offset..<min(offset + 40, bytes.count) { bytes[index] = UInt8(truncatingIfNeeded: index * place) }
        try bytes.write(to: file)
        do {
            _ = try allRecords(LedgerDatabase(path: path))
        } catch let error as LedgerError {
            #expect([.unusable, .notALedger].contains(error.code))
        }
    }

    @Test("A truncated ledger is rejected")
    func truncatedLedgerIsRejected() throws {
        let ledger = try LedgerDatabase(path: path)
        try ledger.saveRecords((0..<100).map { makeRecord([UInt8($0)]) })
        try ledger.close()
        let file = directory.fileURL(named: "ledger.sqlite")
        try Data(contentsOf: file).prefix(5000).write(to: file)
        #expect(#expect(throws: LedgerError.self) { try allRecords(LedgerDatabase(path: path)) }?.code == .unusable)
    }

    @Test("A ledger that cannot be created throws an error")
    func uncreatableLedgerThrows() throws {
        let missing = Array(directory.fileURL(named: "missing/ledger.sqlite").path.utf8)
        #expect(#expect(throws: LedgerError.self) { try LedgerDatabase(path: missing) }?.code == .unusable)
    }

    #if os(Linux)  // File systems of other platforms accept only UTF-8 names.
        @Test("Its directory's name need not be UTF-8")
        func ledgerPathMayBeNonUTF8() throws {
            let name = Array(directory.url.path.utf8) + Array("/caf".utf8) + [0xE9]
            try #require(unsafe mkdir(name.map { CChar(bitPattern: $0) } + [0], 0o700) == 0)
            let path = name + Array("/ledger.sqlite".utf8)
            let ledger = try LedgerDatabase(path: path)
            try ledger.saveRecords([makeRecord([1])])
            try ledger.close()
            #expect(try allRecords(LedgerDatabase(path: path)) == [makeRecord([1])])
        }
    #endif

    @Test("A pipe or a device is not used, and SQLite creates no file beside it")
    func ledgerMustBeRegularFile() throws {
        let path = directory.fileURL(named: "pipe").path
        try #require(unsafe mkfifo(path, 0o600) == 0)
        #expect(#expect(throws: LedgerError.self) { try LedgerDatabase(path: Array(path.utf8)) }?.code == .notALedger)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["pipe"])
    }

    @Test("Its own name must be UTF-8; otherwise no file is created")
    func ledgerNameMustBeUTF8() throws {
        let path = Array(directory.fileURL(named: "ledger-").path.utf8) + [0xE9]
        #expect(#expect(throws: LedgerError.self) { try LedgerDatabase(path: path) }?.code == .unusable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).isEmpty)
    }
}
