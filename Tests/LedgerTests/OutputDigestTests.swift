import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import Ledger

@Suite("The digests of outputs of one state of an input")
struct OutputDigestTests {
    private let directory: TemporaryDirectory
    private let ledger: LedgerDatabase
    private static let input = Array("a.jpg".utf8)
    /// The same options in the first version and in the second, and other options.
    private static let first: [UInt8] = [1], second: [UInt8] = [2], other: [UInt8] = [9]

    init() throws {
        directory = try TemporaryDirectory()
        ledger = try LedgerDatabase(path: Array(directory.url.appending(path: "ledger.sqlite").path.utf8))
    }

    /// Records an output of the input, as in a run that keeps its outputs or in one that does not.
    private func keep(
        _ sha256: String, _ fingerprint: [UInt8], changed: Int64 = 1, inode: UInt64 = 1, size: Int64 = 1,
        modified: Int64 = 1, keepsOutputs: Bool
    ) throws {
        let record = InputRecord(
            inputPath: Self.input,
            fileVersion: FileVersion(
                size: size, modifiedNanoseconds: modified, changedNanoseconds: changed, inode: inode),
            fingerprint: fingerprint, output: nil, verdict: "converted", reasonCode: nil,
            manifestLine: Array(#"{"sha256":"\#(sha256)"}"#.utf8))
        let equivalents: Set = fingerprint == Self.other ? [Self.other] : [Self.first, Self.second]
        if keepsOutputs {
            try ledger.saveRecords([record], equivalentFingerprints: equivalents)
        } else {
            try ledger.saveDigests(of: [record], equivalentFingerprints: equivalents)
        }
    }

    private func earlier(_ sha256: String) throws -> [String] {
        try ledger.earlierDigests(forInput: Self.input, currentDigest: sha256).sorted()
    }

    private func groups() throws -> DigestGroups {
        var groups = DigestGroups()
        try ledger.addDigestGroups(to: &groups)
        return groups
    }

    @Test("of a result without a record count for the first record, but not for that of another state")
    func recordAfterDigest() throws {
        try keep("preliminary", Self.first, keepsOutputs: false)
        try keep("final", Self.first, keepsOutputs: true)
        #expect(try earlier("final") == ["preliminary"])
        try keep("changed", Self.first, size: 2, keepsOutputs: true)
        #expect(try earlier("changed") == [])
    }

    @Test(
        "stay after an upgrade, also if the input was copied or its permissions were changed since",
        arguments: [true, false])
    func upgrade(_ keepsOutputs: Bool) throws {
        try keep("one", Self.first, keepsOutputs: keepsOutputs)
        try keep("two", Self.second, changed: 2, inode: 2, keepsOutputs: keepsOutputs)
        #expect(try earlier("two") == ["one"])
        // The inode changes again. The same output is prepared, so the input is the same.
        try keep("two", Self.second, changed: 3, inode: 3, keepsOutputs: keepsOutputs)
        try keep("two", Self.second, changed: 3, inode: 3, keepsOutputs: keepsOutputs)
        #expect(try earlier("two") == ["one"])
        #expect(try groups().otherDigests(for: "one") == ["two"])
        #expect(try groups().otherDigests(for: "two") == ["one"])
    }

    @Test("are dropped if the same version prepares another output from a changed input", arguments: [true, false])
    func change(_ keepsOutputs: Bool) throws {
        try keep("one", Self.first, keepsOutputs: keepsOutputs)
        try keep("two", Self.second, keepsOutputs: keepsOutputs)
        // A tool can change a file in place and restore its modification time.
        try keep("three", Self.second, changed: 2, keepsOutputs: keepsOutputs)
        #expect(try earlier("three") == [])
    }

    @Test("are dropped after an upgrade if the size or the date differs", arguments: [true, false], [true, false])
    func otherFile(_ hasOtherSize: Bool, _ keepsOutputs: Bool) throws {
        try keep("one", Self.first, keepsOutputs: keepsOutputs)
        try keep(
            "two", Self.second, size: hasOtherSize ? 2 : 1, modified: hasOtherSize ? 1 : 2, keepsOutputs: keepsOutputs)
        #expect(try earlier("two") == [])
        #expect(try groups().otherDigests(for: "one").isEmpty)
        #expect(try groups().otherDigests(for: "two").isEmpty)
    }

    @Test("stay while the input is prepared with other options", arguments: [true, false])
    func otherOptions(_ keepsOutputs: Bool) throws {
        try keep("one", Self.first, keepsOutputs: keepsOutputs)
        try keep("two", Self.second, keepsOutputs: keepsOutputs)
        try keep("small", Self.other, changed: 2, keepsOutputs: keepsOutputs)
        #expect(try earlier("small") == [])
        try keep("two", Self.second, changed: 2, keepsOutputs: keepsOutputs)
        #expect(try earlier("two") == ["one"])
    }
}
