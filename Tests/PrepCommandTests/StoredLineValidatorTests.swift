import Foundation
import Ledger
import SystemSupport
import TestSupport
import Testing

@testable import Batch

@Suite("Stored lines are reported again only if a run wrote them")
struct StoredLineValidatorTests {
    private func makeRecord(_ line: String, input: String = "in/a.jpg", output: String? = "a.jpg") -> InputRecord {
        InputRecord(
            inputPath: Array(input.utf8),
            fileVersion: FileVersion(size: 1, modifiedNanoseconds: 2, changedNanoseconds: 3, inode: 4), fingerprint: [],
            output: output.map { InputRecord.OutputFile(path: Array($0.utf8), size: 1, modifiedNanoseconds: 2) },
            verdict: "converted",
            reasonCode: nil, manifestLine: Array(line.utf8))
    }

    private static let remainingMembers =
        #""input_bytes":1,"kind":"image","output_bytes":1,"reasons":[],"sha256":"00","verdict":"converted","#
        + #""warnings":[],"format":"jpeg""#

    private static func makeLine(input: String = "in/a.jpg", output: String = #""a.jpg""#, more: String = "") -> String
    {
        #"{"input":"\#(input)","output":\#(output),\#(remainingMembers)\#(more)}"#
    }

    @Test(
        "A line with the record's own input, output and verdict is accepted",
        arguments: [
            makeLine(), makeLine(more: #","image":{"a":[1,0,-0.5,-2.5e+3,7E-1,true,false,null,[],{}]}"#),
            makeLine(more: #","x":"\"\\\u001b""#),
            makeLine(input: #"in\/a.jpg"#),
        ])
    func consistentLineIsAccepted(_ line: String) {
        #expect(StoredLineValidator.lineMatchesRecord(makeRecord(line)))
    }

    @Test("Names with quotes and other letters, and no output")
    func escapedNamesAndMissingOutputAreAccepted() {
        #expect(
            StoredLineValidator.lineMatchesRecord(
                makeRecord(Self.makeLine(input: #"in\/\"é\"\n"#), input: "in/\"é\"\n")))
        #expect(StoredLineValidator.lineMatchesRecord(makeRecord(Self.makeLine(output: "null"), output: nil)))
    }

    @Test(
        "Anything else",
        arguments: [
            "", "{}", "[]", "null", makeLine() + "\n", makeLine() + makeLine(), " " + makeLine(),
            String(makeLine().dropLast()),
            makeLine(input: "in/b.jpg"), makeLine(output: #""../a.jpg""#), makeLine(output: "null"),
            makeLine(more: #","input":"in/a.jpg""#), makeLine(more: ",\"x\":\"\n\""), makeLine(more: ",\"x\":\"\\\n\""),
            makeLine(more: #","x":.e-+"#), makeLine(more: #","x":nulll"#), makeLine(more: #","x":01"#),
            makeLine(more: #","x":-"#), makeLine(more: #","x":1."#), makeLine(more: #","x":1e"#),
            makeLine(more: #","x":tru"#),
            makeLine(more: #","x":"\q""#), makeLine(more: #","x":"\u00G0""#), makeLine(more: #","x":"\u12""#),
            makeLine(more: #","x":"#), makeLine(more: #","x":}"#), makeLine(more: #","input_base64":"AAAA""#),
            makeLine(more: #","x":"# + String(repeating: "[", count: 100) + String(repeating: "]", count: 100)),
            makeLine().replacing("\"converted\"", with: "\"failed\""),
            makeLine().replacing("\"converted\"", with: "null"),
        ])
    func inconsistentLineIsRejected(_ line: String) {
        #expect(!StoredLineValidator.lineMatchesRecord(makeRecord(line)))
    }

    @Test("Bytes that are not UTF-8, and every prefix")
    func nonUTF8AndTruncatedLinesAreRejected() {
        let line = Array(Self.makeLine().utf8)
        var broken = makeRecord("")
        broken.manifestLine = Array(line.dropLast(2)) + [0xFF] + line.suffix(2)
        #expect(!StoredLineValidator.lineMatchesRecord(broken))
        for count in line.indices {
            broken.manifestLine = Array(line[..<count])
            #expect(!StoredLineValidator.lineMatchesRecord(broken))
        }
    }

    @Test("An input whose stored line was changed is prepared again")
    func inputWithTamperedLineIsReprocessed() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b.jpg")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        let first = try workspace.manifestLines()
        let ledger = try LedgerDatabase(path: Array(workspace.fileURL(at: "out/.prep/ledger.sqlite").path.utf8))
        var records: [InputRecord] = []
        try ledger.forEachRecord { records.append($0) }
        records[0].manifestLine = Array("{}\n{\"input\":\"\u{1B}[2J\"}".utf8)
        try ledger.saveRecords(records)
        try ledger.close()
        let run = try workspace.runPrep("in", "--output", "out")
        #expect(run.exitStatus == 0)
        #expect(try workspace.manifestLines().withoutElapsedTimes == first.withoutElapsedTimes)
    }
}
