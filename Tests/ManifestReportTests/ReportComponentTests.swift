import Batch
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ManifestReport

@Suite("Parts of a report")
struct ReportComponentTests {
    @Test(
        "Bytes",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (20_749, "20.7 kB"), (99_950, "100 kB"), (206_896, "207 kB"),
            (999_499, "999 kB"), (999_500, "1.0 MB"), (3_177_273, "3.2 MB"), (340_000_000_000, "340 GB"),
            (1_000_000_000_000_000, "1,000 TB"),
        ])
    func byteCountsAreFormatted(_ value: Int, _ text: String) { #expect(QuantityFormat.bytes(value) == text) }

    @Test(
        "Counts", arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (100_000, "100,000"), (1_234_567, "1,234,567")])
    func countsAreGrouped(_ value: Int, _ text: String) { #expect(QuantityFormat.count(value) == text) }

    @Test(
        "Lengths",
        arguments: [
            (0, "0.00 s"), (7.0156, "7.02 s"), (59.994, "59.99 s"), (59.996, "1:00"), (62.4, "1:02"), (3599.4, "59:59"),
            (3600, "1:00:00"), (36_000_061, "10,000:01:01"),
        ])
    func durationsAreFormatted(_ value: Double, _ text: String) { #expect(QuantityFormat.seconds(value) == text) }

    @Test(
        "Savings",
        arguments: [
            (0, 0, "0%"), (0, 10, "0%"), (100, 100, "0%"), (100, 7, "93%"), (100, 0, "100%"), (10_000, 1, "99.9%"),
            (100, 130, "\u{2212}30%"), (1, .max, "\u{2212}9,000,000,000,000,000,000%"),
        ])
    func percentSavedIsFormatted(_ before: Int, _ after: Int, _ text: String) {
        #expect(QuantityFormat.percentSaved(from: before, to: after) == text)
    }

    @Test(
        "Numbers outside the range of the format are clamped",
        arguments: [
            (0, "0.000"), (-0.0004, "0.000"), (1.0005, "1.001"), (-1.5, "-1.500"), (9e14, "900000000000000.000"),
            (9e15, "9000000000000000.000"), (0x1p63, "9000000000000000.000"), (-0x1p63, "-9000000000000000.000"),
            (.infinity, "9000000000000000.000"), (-.infinity, "-9000000000000000.000"), (.nan, "0.000"),
            (.greatestFiniteMagnitude, "9000000000000000.000"), (.leastNonzeroMagnitude, "0.000"),
        ])
    func hugeNumbersAreClamped(_ value: Double, _ text: String) {
        #expect(DecimalFormat.string(from: value, fractionDigits: 3) == text)
        #expect(!QuantityFormat.seconds(value).isEmpty)
    }

    @Test("A histogram begins and ends with a non-empty range, and has the empty ranges between")
    func histogramSpansFirstToLastValue() {
        var sizes = Histogram.ofByteSizes
        #expect(sizes.bars.isEmpty)
        for bytes in [10, 999, 1000, 4999.0] { sizes.addValue(bytes) }
        #expect(sizes.bars.map(\.label) == ["under 1 kB", "1 kB to 2 kB", "2 kB to 5 kB"])
        #expect(sizes.bars.map(\.count) == [2, 1, 1])
        var durations = Histogram.ofDurations
        for seconds in [90.0, 700, 1e6] { durations.addValue(seconds) }
        #expect(
            durations.bars.map(\.label) == [
                "1 min to 2 min", "2 min to 5 min", "5 min to 10 min", "10 min to 30 min", "30 min to 1 h",
                "1 h to 3 h",
                "3 h and more",
            ])
        #expect(durations.bars.map(\.count) == [1, 0, 0, 1, 0, 0, 1])
    }

    @Test(
        "JSON is safe inside a script",
        arguments: [
            ("plain", "\"plain\""), ("</script>", "\"\\u003c/script>\""), ("a\"b\\c", "\"a\\\"b\\\\c\""),
            ("\u{0}\n\u{7F}", "\"\\u0000\\u000a\\u007f\""), ("\u{2028}\u{2029}\u{20AC}", "\"\\u2028\\u2029\u{20AC}\""),
        ])
    func jsonIsSafeInsideScript(_ text: String, _ expected: String) {
        var json = ScriptSafeJSONWriter()
        json.append(text)
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
    }

    @Test("Lists of JSON have their commas")
    func jsonArraysHaveCommas() {
        var json = ScriptSafeJSONWriter()
        json.appendArray { json in
            json.append(1)
            json.appendArray { _ in }
            json.appendArray { json in
                json.append("a")
                json.append(nil as Int?)
            }
            json.append(ScriptSafeJSONWriter.ThreeDecimalNumber(1.0005))
        }
        #expect(String(decoding: json.bytes, as: UTF8.self) == "[1,[],[\"a\",null],1.001]")
    }

    /// A failed or a good row takes 33 or 34 bytes, and a row with a warning 53.
    @Test(
        "If rows do not fit, ready ones are left out first, then those with warnings, and the last ones of each",
        arguments: [
            (Int.max, ["bad 1", "bad 2", "odd 1", "odd 2", "good 1", "good 2"]),
            (220, ["bad 1", "bad 2", "odd 1", "odd 2", "good 1"]), (160, ["bad 1", "bad 2", "odd 1"]),
            (100, ["bad 1", "bad 2"]),
            (60, ["bad 1"]), (10, []),
        ])
    func rowListDropsLeastImportantRowsFirst(_ limit: Int, _ names: [String]) throws {
        var atOnce = ReportRowList(maxBytes: limit), later = ReportRowList(maxBytes: .max)
        for name in ["good 1", "odd 1", "bad 1", "good 2", "bad 2", "odd 2"] {
            let row = try Self.makeRow(name)
            atOnce.appendRow(row)
            later.appendRow(row)
        }
        later.shrink(toByteCount: limit)
        #expect(try Self.rowNames(in: atOnce) == names)
        #expect(try Self.rowNames(in: later) == names)
    }

    @Test("Files that are not listed are counted")
    func unlistedRowsAreCounted() throws {
        var summary = ReportSummary()
        for _ in 0..<3 { summary.addRow(try Self.makeRow("good")) }
        #expect(
            ReportHTMLSections.filesSection(for: summary, listedCount: 1).contains(
                "<p class=\"note\">2 files are not listed"))
        #expect(!ReportHTMLSections.filesSection(for: summary, listedCount: 3).contains("not listed"))
    }

    @Test("All measures have a distribution if an image has them; a gray image has no color cast")
    func measuresHaveDistributions() throws {
        let names = [
            "Sharpness", "Brightness", "5th percentile", "95th percentile", "Black", "White", "Contrast", "Noise",
            "Blocking", "Glare", "Color cast", "Detail", "Field of view", "Shorter side",
        ]
        func section(colorCasts: [String]) throws -> String {
            var summary = ReportSummary()
            for cast in colorCasts {
                let row = try Self.makeMeasuredRow(colorCast: cast)
                let measures = try #require(row.measures)
                #expect(measures.count == names.count && measures[10] == Double(cast) && measures[13] == 480)
                summary.addRow(row)
            }
            return ReportHTMLSections.measuresSection(for: summary)
        }
        let colored = try section(colorCasts: ["9.5", "null"]), gray = try section(colorCasts: ["null"])
        for name in names { #expect(colored.contains("<strong>\(name)</strong>"), "\(name)") }
        #expect(colored.contains("9.50 to 9.50") && !gray.contains("Color cast") && gray.contains("480 to 480"))
    }

    private static func makeMeasuredRow(colorCast: String) throws -> ReportRow {
        let line = """
            {"input":"a","output":null,"kind":"image","verdict":"accepted","reasons":[],"warnings":[],"format":null,
            "input_bytes":null,"output_bytes":null,"sha256":null,"image":{"width":640,"height":480,"source_width":640,
            "source_height":480,"measures":{"sharpness":0.2,"mean":100,"p05":50,"p95":150,"clipped_low":0.1,
            "clipped_high":0.1,"glare":0.1,"contrast":0.5,"noise":1,"blocking":1,"color_cast":\(colorCast),
            "detail":0.8,"field_of_view_share":0.5}}}
            """
        return ReportRow(try JSONDecoder().decode(ManifestEntry.self, from: Data(line.utf8)))
    }

    /// Returns a row that is named after its outcome.
    private static func makeRow(_ name: String) throws -> ReportRow {
        let verdict = name.hasPrefix("bad") ? "rejected" : "converted"
        let warnings = name.hasPrefix("odd") ? #"[{"code":"odd","message":"odd"}]"# : "[]"
        let line = """
            {"input":"\(name)","output":null,"kind":"image","verdict":"\(verdict)","reasons":[],"warnings":\(warnings),
            "format":null,"input_bytes":null,"output_bytes":null,"sha256":null}
            """
        return ReportRow(try JSONDecoder().decode(ManifestEntry.self, from: Data(line.utf8)))
    }

    private static func rowNames(in rows: consuming ReportRowList) throws -> [String] {
        let directory = try TemporaryDirectory()
        let count = rows.rowCount
        let file = try AtomicFile(path: FilePath(directory.fileURL(named: "rows").path), access: .sameAsInputs)
        try file.write(Array("[".utf8))
        try rows.writeJSON(to: file)
        try file.write(Array("]".utf8))
        try file.moveIntoPlace()
        let list =
            try JSONSerialization.jsonObject(with: try Data(contentsOf: directory.fileURL(named: "rows"))) as? [[Any]]
        #expect(list?.count == count)
        return try #require(list).compactMap { $0.first as? String }
    }
}
