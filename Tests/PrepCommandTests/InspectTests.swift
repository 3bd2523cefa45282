import Foundation
import TestSupport
import Testing

@Suite("prep inspect")
struct InspectTests {
    private func parseJSONLines(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test("JSON Lines are in the order of the arguments, with the manifest's keys, and no file is written")
    func jsonLinesKeepArgumentOrderAndManifestKeys()
        throws
    {
        let workspace = try TestWorkspace()
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "z.wav")
        try workspace.writeSmallImage(at: "a.jpg")
        let before = workspace.filePaths()
        let run = try workspace.runPrep("inspect", "--json", "z.wav", "a.jpg")
        #expect(run.exitStatus == 0 && run.standardError.isEmpty, "\(run.standardError)")
        let lines = try parseJSONLines(run.standardOutput)
        #expect(lines.map { $0["input"] as? String } == ["z.wav", "a.jpg"])
        #expect(lines.map { $0["kind"] as? String } == ["audio", "image"])
        #expect((lines[0]["audio"] as? [String: Any])?["duration_seconds"] as? Double == 1)
        #expect(lines[0]["verdict"] as? String == "accepted" && lines[1]["verdict"] is NSNull)
        #expect((lines[1]["image"] as? [String: Any])?["width"] as? Int == 96)
        #expect(lines.allSatisfy { $0["output"] is NSNull && $0["sha256"] is NSNull })
        #expect(workspace.filePaths() == before)
    }

    @Test("The table lists every file with its duration or size, and its warnings") func tableListsFilesAndDiagnostics()
        throws
    {
        let workspace = try TestWorkspace()
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "voice.mp3")
        try workspace.writeSmallImage(at: "a.jpg")
        let run = try workspace.runPrep("inspect", "voice.mp3", "a.jpg")
        #expect(run.exitStatus == 0)
        let lines = run.standardOutput.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true)
        }
        #expect(lines[0].starts(with: ["FILE", "FORMAT"]))
        #expect(lines[1].starts(with: ["voice.mp3", "wav", "pcm", "1.000", "s"]))
        #expect(lines[2].starts(with: ["warning", "(name-mismatch):"]))
        #expect(lines[3].starts(with: ["a.jpg", "jpeg", "96x73"]) || lines[3].starts(with: ["a.jpg", "jpeg"]))
    }

    @Test("A file that is not media gives status 1, and the others are listed")
    func unrecognizedFileGivesStatusOneAndOthersAreInspected() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(Data("Dear Sir".utf8), at: "letter.txt")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "voice.wav")
        let run = try workspace.runPrep("inspect", "--json", "letter.txt", "missing.wav", "voice.wav")
        #expect(run.exitStatus == 1)
        let lines = try parseJSONLines(run.standardOutput)
        #expect(lines.count == 3)
        let codes = lines.map { (($0["reasons"] as? [[String: Any]]) ?? []).map { $0["code"] as? String ?? "" } }
        #expect(codes == [["unrecognized-format"], ["unreadable"], []])
        #expect(lines[0]["kind"] as? String == "other")
    }

    @Test(
        "A result that cannot be written gives status 2",
        arguments: [#""$PREP" inspect a.jpg >&-"#, #""$PREP" inspect --json a.jpg >&-"#])
    func unwrittenResultGivesStatusTwo(_ script: String) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "a.jpg")
        let run = try workspace.runShellScript(script)
        #expect(run.exitStatus == 2)
        #expect(run.standardError.hasPrefix("prep: standard output can't be written: "))
    }

    @Test("The message for unknown bytes does not assume an image, whatever their name")
    func unknownContentIsNotCalledAnInvalidImage() throws {
        let workspace = try TestWorkspace()
        let message = "the content is not a known image or audio format"
        for name in ["voice.mp3", "photo.jpg", "other"] {
            try workspace.writeFile(Data([1, 2, 3, 4, 0, 0xEE, 5, 6, 7, 8]), at: "in/\(name)")
            let line = try #require(
                try parseJSONLines(try workspace.runPrep("inspect", "--json", "in/\(name)").standardOutput).first)
            let reason = (line["reasons"] as? [[String: Any]])?.first
            #expect(reason?["message"] as? String == message && reason?["code"] as? String == "unrecognized-format")
        }
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 1)
        #expect(try workspace.manifestLines().map { $0.reasons.map(\.message) } == [[message], [message], [message]])
    }

    @Test("Images that only the image decoders recognize, and empty files, are rejected by their names")
    func unsupportedImagesAndEmptyFilesAreNamed() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(Data("BM".utf8 + Array(repeating: 0, count: 12) + [40, 0, 0, 0, 0]), at: "a")
        try workspace.writeFile(Data([0xFF, 0x0A, 0xFA, 0]), at: "b")
        try workspace.writeFile(Data(), at: "c")
        let lines = try parseJSONLines(try workspace.runPrep("inspect", "--json", "a", "b", "c").standardOutput)
        let codes = lines.map { (($0["reasons"] as? [[String: Any]]) ?? []).map { $0["code"] as? String ?? "" } }
        #expect(codes == [["unsupported-bmp"], ["unsupported-jxl"], ["empty"]])
    }

    @Test("Levels and a verification of the duration are optional") func levelsAndVerificationAreOptional() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "voice.wav")
        let run = try workspace.runPrep("inspect", "--json", "--levels", "--verify", "voice.wav")
        let audio = try #require(try parseJSONLines(run.standardOutput).first?["audio"] as? [String: Any])
        let peak = try #require(audio["peak_dbfs"] as? Double)
        #expect(abs(peak + 6.02) < 0.01)
        #expect(audio["silent"] as? Bool == false && audio["clipped_samples"] as? Int == 0)
        #expect(audio["decoded_seconds"] as? Double == 1)
    }

    @Test("Truncated files are recognized, distinguished and measured")
    func truncatedFilesAreRecognizedAndMeasured() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)).prefix(4045), at: "cut.wav")
        let run = try workspace.runPrep("inspect", "--json", "cut.wav")
        #expect(run.exitStatus == 0)
        let line = try #require(try parseJSONLines(run.standardOutput).first)
        #expect(line["verdict"] as? String == "rejected")
        let audio = try #require(line["audio"] as? [String: Any])
        #expect(audio["duration_ticks"] as? Int == 2000 && audio["completeness"] as? String == "truncated")
    }

    @Test("An RF64 of 112 bytes that claims 2^63 samples at 1 Hz is damaged") func rf64WithHugeSampleCountIsDamaged()
        throws
    {
        func little(_ value: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let sizes = Array("ds64".utf8) + little(28, 4) + little(0, 8) + little(.max >> 1, 8) + little(.max >> 1, 8)
        let fields = little(0x45, 2) + little(1, 2) + little(1, 4) + little(1, 4) + little(1, 2) + little(7, 2)
        let format = Array("fmt ".utf8) + little(16, 4) + fields
        let fact = Array("fact".utf8) + little(4, 4) + little(.max, 4)
        let bytes = Array("RF64".utf8) + little(.max, 4) + Array("WAVE".utf8) + sizes + little(0, 4) + format + fact
        let sound = Array("data".utf8) + little(20, 4) + [UInt8](repeating: 0, count: 20)
        let workspace = try TestWorkspace()
        try workspace.writeFile(Data(bytes + sound), at: "a.wav")
        let run = try workspace.runPrep("inspect", "a.wav")
        #expect(run.exitStatus == 1)
        #expect(
            run.standardOutput.contains("rejected (damaged): the duration is invalid"),
            "\(run.standardOutput)\(run.standardError)")
    }

    #if os(Linux)
        @Test("A Matroska file of thousands of segments with many tracks each takes little memory")
        func matroskaWithManyTracksUsesLittleMemory() throws {
            // 10,000 Segments of 130 tracks took 330 MB when all were kept. The limit applies to writable memory.
            let empty = [[UInt8]](repeating: [0xAE, 0x80], count: 129).flatMap { $0 }
            let tracks = empty + [0xAE, 0x83, 0x83, 0x81, 2]
            func head(_ id: [UInt8], _ count: Int) -> [UInt8] { id + [0x40 | UInt8(count >> 8), UInt8(count & 0xFF)] }
            let content = head([0x16, 0x54, 0xAE, 0x6B], tracks.count) + tracks
            let segment = head([0x18, 0x53, 0x80, 0x67], content.count) + content
            let segments = [[UInt8]](repeating: segment, count: 10_000).flatMap { $0 }
            let workspace = try TestWorkspace()
            try workspace.writeFile(Data([0x1A, 0x45, 0xDF, 0xA3, 0x80] + segments), at: "a.mkv")
            let run = try PrepProcess(script: #"ulimit -d 150000; exec "$PREP" inspect a.mkv"#, in: workspace.url)
            #expect(run.exitStatus == 1 || run.exitStatus == 0, "\(run.standardError)")
            #expect(run.standardOutput.contains("warning (chained)"), "\(run.standardOutput)\(run.standardError)")
        }
    #endif
}
