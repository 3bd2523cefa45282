import Foundation
import TestSupport
import Testing

@Suite("prep run prepares audio in the same pass as images")
struct AudioRunTests {
    private func manifestObject(in workspace: TestWorkspace, forInput input: String) throws -> [String: Any] {
        let text = String(decoding: try workspace.contents(ofFileAt: "out/manifest.jsonl"), as: UTF8.self)
        let lines = try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        return try #require(lines.first { $0["input"] as? String == input })
    }

    @Test("Valid audio is copied under its own name, beside images") func audioIsCopiedBesideImages() throws {
        let workspace = try TestWorkspace()
        let note = makeWAV(makeToneSamples(amplitude: 0.5))
        try workspace.writeFile(note, at: "in/visit/note.wav")
        try workspace.writeSmallImage(at: "in/visit/ear.png")
        let run = try workspace.runPrep("in", "--output", "out")
        #expect(run.exitStatus == 0, "\(run.standardError)")
        #expect(run.standardError.contains("2 inputs: 1 converted, 1 accepted; "))
        #expect(workspace.filePaths(below: "out") == ["manifest.jsonl", "visit/ear.png.jpg", "visit/note.wav"])
        #expect(try workspace.contents(ofFileAt: "out/visit/note.wav") == note)
        let line = try manifestObject(in: workspace, forInput: "in/visit/note.wav")
        #expect(line["kind"] as? String == "audio" && line["format"] as? String == "wav")
        #expect(line["output"] as? String == "visit/note.wav")
        #expect(line["output_bytes"] as? Int == note.count && line["image"] == nil)
        let audio = try #require(line["audio"] as? [String: Any])
        #expect(audio["duration_seconds"] as? Double == 1)
        #expect(audio["duration_ticks"] as? Int == 8000 && audio["duration_timescale"] as? Int == 8000)
        #expect(audio["duration_method"] as? String == "header" && audio["duration_exact"] as? Bool == true)
        #expect(audio["duration_error_seconds"] as? Double == 0)
        #expect(audio["sample_rate"] as? Int == 8000 && audio["channels"] as? Int == 1)
        #expect(audio["codec"] as? String == "pcm" && audio["container"] as? String == "wav")
        #expect((audio["tracks"] as? [[String: Any]])?.count == 1)
        #expect(audio["peak_dbfs"] is NSNull, "nobody decoded it")
    }

    @Test("A position is blanked in the output, and the digest is that of the output")
    func positionIsBlankedInCopiedAudio() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(
            try Data(contentsOf: SampleMedia.goodAudio(named: "visit-note-position.m4a")), at: "in/note.m4a")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        let written = try workspace.contents(ofFileAt: "out/note.m4a")
        #expect(written.range(of: Data("-025.2500".utf8)) == nil)
        let line = try #require(try workspace.manifestLines().first)
        #expect(line.verdict == "cleaned")
        #expect(line.sha256 == sha256Digest(of: written))
    }

    @Test("Incomplete audio is rejected with the available duration, or copied if allowed")
    func truncatedAudioIsRejectedUnlessAllowed() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)).prefix(4045), at: "in/cut.wav")
        try workspace.writeFile(Data([0, 0, 0, 16]) + Data("ftypM4A ".utf8) + Data([0, 0, 0, 0]), at: "in/killed.m4a")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 1)
        #expect(
            try workspace.manifestLines().verdictsByInput == [
                "in/cut.wav": "rejected truncated", "in/killed.m4a": "rejected unfinalised",
            ])
        let audio = try #require(try manifestObject(in: workspace, forInput: "in/cut.wav")["audio"] as? [String: Any])
        #expect(audio["duration_ticks"] as? Int == 2000)
        #expect(
            try #require(try manifestObject(in: workspace, forInput: "in/killed.m4a")["audio"] as? [String: Any])[
                "duration_seconds"]
                is NSNull)
        #expect(try workspace.runPrep("in", "--output", "out", "--allow-truncated").exitStatus == 1)
        #expect(try workspace.manifestLines().verdictsByInput["in/cut.wav"] == "accepted")
        #expect(workspace.filePaths(below: "out") == ["cut.wav", "manifest.jsonl"])
    }

    @Test("Audio is rejected by the rules of a policy file; an invalid policy file stops the run")
    func audioPolicyRejectsAndInvalidPolicyEndsRun() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/loud.wav")
        try workspace.writeFile(makeWAV([Int16](repeating: 3, count: 16_000)), at: "in/mute.wav")
        try workspace.writeFile(Data(#"{"max_seconds": 1.5, "rejects_silence": true}"#.utf8), at: "policy.json")
        #expect(try workspace.runPrep("in", "--output", "out", "--audio-policy", "policy.json").exitStatus == 1)
        #expect(
            try workspace.manifestLines().verdictsByInput == [
                "in/loud.wav": "accepted", "in/mute.wav": "rejected too-long silent",
            ])
        try workspace.writeFile(Data(#"{"max_secs": 1.5}"#.utf8), at: "policy.json")
        let wrong = try workspace.runPrep("in", "--output", "out", "--audio-policy", "policy.json")
        #expect(wrong.exitStatus == 2 && wrong.standardError.contains("unknown rule: max_secs"))
        #expect(try workspace.runPrep("in", "--output", "out", "--audio-policy", "none.json").exitStatus == 2)
    }

    @Test("Audio and an image collide only if their outputs have the same name")
    func audioAndImageCollideOnlyOnEqualOutputNames() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/a")
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/b.jpg")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/C.wav")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/c.wav")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 1)
        #expect(
            try workspace.manifestLines().verdictsByInput == [
                "in/C.wav": "accepted", "in/a": "accepted", "in/a.jpg": "converted", "in/b": "converted",
                "in/b.jpg": "rejected name-collision", "in/c.wav": "rejected name-collision",
            ])
    }
}
