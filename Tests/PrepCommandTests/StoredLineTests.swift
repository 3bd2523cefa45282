import Foundation
import Ledger
import TestSupport
import Testing

@testable import prep

@Suite("Lines that a ledger holds are repeated only if they are what a run wrote")
struct StoredLineTests {
    private func record(_ line: String, input: String = "in/a.jpg", output: String? = "a.jpg") -> InputRecord {
        InputRecord(
            inputPath: Array(input.utf8),
            fileStamp: FileStamp(size: 1, modifiedNanoseconds: 2, changedNanoseconds: 3, inode: 4), fingerprint: [],
            output: output.map { InputRecord.OutputFile(path: Array($0.utf8), size: 1, modifiedNanoseconds: 2) },
            verdict: "converted",
            reasonCode: nil, manifestLine: Array(line.utf8))
    }

    private static let rest =
        #""input_bytes":1,"kind":"image","output_bytes":1,"reasons":[],"sha256":"00","verdict":"converted","warnings":[],"format":"jpeg""#

    private static func line(input: String = "in/a.jpg", output: String = #""a.jpg""#, more: String = "") -> String {
        #"{"input":"\#(input)","output":\#(output),\#(rest)\#(more)}"#
    }

    @Test(
        "A line of the record's own input, output and verdict",
        arguments: [
            line(), line(more: #","image":{"a":[1,0,-0.5,-2.5e+3,7E-1,true,false,null,[],{}]}"#),
            line(more: #","x":"\"\\\u001b""#),
            line(input: #"in\/a.jpg"#),
        ])
    func intact(_ line: String) { #expect(StoredLineValidator.isLineConsistent(in: record(line))) }

    @Test("Names with quotes and other letters, and no output")
    func names() {
        #expect(
            StoredLineValidator.isLineConsistent(in: record(Self.line(input: #"in\/\"é\"\n"#), input: "in/\"é\"\n")))
        #expect(StoredLineValidator.isLineConsistent(in: record(Self.line(output: "null"), output: nil)))
    }

    @Test(
        "Anything else",
        arguments: [
            "", "{}", "[]", "null", line() + "\n", line() + line(), " " + line(), String(line().dropLast()),
            line(input: "in/b.jpg"), line(output: #""../a.jpg""#), line(output: "null"),
            line(more: #","input":"in/a.jpg""#), line(more: ",\"x\":\"\n\""), line(more: ",\"x\":\"\\\n\""),
            line(more: #","x":.e-+"#), line(more: #","x":nulll"#), line(more: #","x":01"#),
            line(more: #","x":-"#), line(more: #","x":1."#), line(more: #","x":1e"#), line(more: #","x":tru"#),
            line(more: #","x":"\q""#),
            line(more: #","x":"#), line(more: #","x":}"#), line(more: #","input_base64":"AAAA""#),
            line(more: #","x":"# + String(repeating: "[", count: 100) + String(repeating: "]", count: 100)),
            line().replacing("\"converted\"", with: "\"failed\""), line().replacing("\"converted\"", with: "null"),
        ])
    func other(_ line: String) { #expect(!StoredLineValidator.isLineConsistent(in: record(line))) }

    @Test("Bytes that are not UTF-8, and every prefix")
    func bytes() {
        let line = Array(Self.line().utf8)
        var broken = record("")
        broken.manifestLine = Array(line.dropLast(2)) + [0xFF] + line.suffix(2)
        #expect(!StoredLineValidator.isLineConsistent(in: broken))
        for count in line.indices {
            broken.manifestLine = Array(line[..<count])
            #expect(!StoredLineValidator.isLineConsistent(in: broken))
        }
    }

    @Test("A run does an input again whose stored line was changed")
    func run() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b.jpg")
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        let first = try workspace.manifest()
        let ledger = try LedgerDatabase(path: Array(workspace.file("out/.prep/ledger.sqlite").path.utf8))
        var records: [InputRecord] = []
        try ledger.forEachRecord { records.append($0) }
        records[0].manifestLine = Array("{}\n{\"input\":\"\u{1B}[2J\"}".utf8)
        try ledger.saveRecords(records)
        try ledger.close()
        let run = try workspace.prep("in", "--output", "out")
        #expect(run.status == 0)
        #expect(try workspace.manifest().timeless == first.timeless)
    }
}
