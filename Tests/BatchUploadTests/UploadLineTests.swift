import Batch
import Diagnostics
import Foundation
import MediaPrep
import SystemPackage
import Testing

@testable import BatchUpload
@testable import HTTPCalls
@testable import Uploading

@Suite("The manifest line of an upload")
struct UploadLineTests {
    private static let result = UploadResult(
        status: .acknowledged, serverID: "17", attemptCount: 2, bytesSent: 1234, isFromEarlierRun: false)

    private func makeLine() throws -> ManifestLine {
        var line = ManifestLine(input: try #require(FilePath(bytes: [0x61, 0xE9])), kind: .audio)
        line.output = "b/a.wav"
        line.verdict = .accepted
        line.warnings = [Diagnostic(.trailingBytes, offset: 3, message: "m/\"")]
        line.format = "wav"
        line.inputBytes = 44
        line.outputBytes = 44
        line.sha256 = String(repeating: "0", count: 64)
        line.elapsedMilliseconds = 1.25
        return line
    }

    @Test("A result of this run is printed like the same line of a manifest", arguments: [true, false])
    func resultAndStoredLineAreEqual(keepsOutput: Bool) throws {
        let line = try makeLine()
        let stored = UploadLine.stored(Array(try line.jsonLine().dropLast()))
        let printed = try UploadLine.result(line).json(addingUpload: Self.result, keepsOutput: keepsOutput)
        #expect(try stored.json(addingUpload: Self.result, keepsOutput: keepsOutput) == printed)
        let text = String(decoding: printed, as: UTF8.self)
        #expect(text.contains(#""upload":{"attempts":2,"bytes_sent":1234,"id":"17","status":"acknowledged"}"#))
        #expect(text.contains(keepsOutput ? #""output":"b/a.wav""# : #""output":null"#))
    }

    @Test("Members that are not known are kept")
    func unknownMembersAreKept() throws {
        let line = UploadLine.stored(Array(#"{"input":"a","later":[1,{"b":null}],"output":"c"}"#.utf8))
        let json = try line.json(addingUpload: Self.result, keepsOutput: true)
        #expect(String(decoding: json, as: UTF8.self).contains(#""later":[1,{"b":null}]"#))
    }

    @Test("A line without an upload is printed as it is")
    func lineWithoutUploadIsUnchanged() throws {
        let line = try makeLine()
        #expect(try UploadLine.result(line).json() == Array(try line.jsonLine().dropLast()))
        #expect(try UploadLine.stored([1, 2]).json() == [1, 2])
    }
}
