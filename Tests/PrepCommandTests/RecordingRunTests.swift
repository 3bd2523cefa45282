import Foundation
import TestSupport
import Testing

@Suite("prep run takes recordings in the same pass as images")
struct RecordingRunTests {
    private func object(_ workspace: Workspace, _ input: String) throws -> [String: Any] {
        let text = String(decoding: try workspace.contents("out/manifest.jsonl"), as: UTF8.self)
        let lines = try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        return try #require(lines.first { $0["input"] as? String == input })
    }

    @Test("Good ones are copied under their own names, beside images") func copied() throws {
        let workspace = try Workspace()
        let note = wave(tone(0.5))
        try workspace.write(note, "in/visit/note.wav")
        try workspace.writePhotos("in/visit/ear.png")
        let run = try workspace.prep("in", "--output", "out")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("2 inputs: 1 converted, 1 accepted; "))
        #expect(workspace.files(below: "out") == ["manifest.jsonl", "visit/ear.png.jpg", "visit/note.wav"])
        #expect(try workspace.contents("out/visit/note.wav") == note)
        let line = try object(workspace, "in/visit/note.wav")
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

    @Test("A position is blanked in what is written, and the digest is that of what was written") func cleaned() throws
    {
        let workspace = try Workspace()
        try workspace.write(try Data(contentsOf: Samples.recording("visit-note-position.m4a")), "in/note.m4a")
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        let written = try workspace.contents("out/note.m4a")
        #expect(written.range(of: Data("-025.2500".utf8)) == nil)
        let line = try #require(try workspace.manifest().first)
        #expect(line.verdict == "cleaned")
        #expect(line.sha256 == digest(of: written))
    }

    @Test("What is incomplete is refused with what is there; allowed, it is copied") func truncated() throws {
        let workspace = try Workspace()
        try workspace.write(wave(tone(0.5)).prefix(4045), "in/cut.wav")
        try workspace.write(Data([0, 0, 0, 16]) + Data("ftypM4A ".utf8) + Data([0, 0, 0, 0]), "in/killed.m4a")
        #expect(try workspace.prep("in", "--output", "out").status == 1)
        #expect(
            try workspace.manifest().outcomes == [
                "in/cut.wav": "rejected truncated", "in/killed.m4a": "rejected unfinalised",
            ])
        let audio = try #require(try object(workspace, "in/cut.wav")["audio"] as? [String: Any])
        #expect(audio["duration_ticks"] as? Int == 2000)
        #expect(
            try #require(try object(workspace, "in/killed.m4a")["audio"] as? [String: Any])["duration_seconds"]
                is NSNull)
        #expect(try workspace.prep("in", "--output", "out", "--allow-truncated").status == 1)
        #expect(try workspace.manifest().outcomes["in/cut.wav"] == "accepted")
        #expect(workspace.files(below: "out") == ["cut.wav", "manifest.jsonl"])
    }

    @Test("A policy file refuses by its rules; one that is wrong stops the run") func policy() throws {
        let workspace = try Workspace()
        try workspace.write(wave(tone(0.5)), "in/loud.wav")
        try workspace.write(wave([Int16](repeating: 3, count: 16_000)), "in/mute.wav")
        try workspace.write(Data(#"{"max_seconds": 1.5, "rejects_silence": true}"#.utf8), "policy.json")
        #expect(try workspace.prep("in", "--output", "out", "--audio-policy", "policy.json").status == 1)
        #expect(
            try workspace.manifest().outcomes == [
                "in/loud.wav": "accepted", "in/mute.wav": "rejected too-long silent",
            ])
        try workspace.write(Data(#"{"max_secs": 1.5}"#.utf8), "policy.json")
        let wrong = try workspace.prep("in", "--output", "out", "--audio-policy", "policy.json")
        #expect(wrong.status == 2 && wrong.errors.contains("there is no rule max_secs"))
        #expect(try workspace.prep("in", "--output", "out", "--audio-policy", "none.json").status == 2)
    }

    @Test("A recording and an image collide only if their outputs have one name") func collisions() throws {
        let workspace = try Workspace()
        try workspace.write(wave(tone(0.5)), "in/a")
        try workspace.writePhotos("in/a.jpg", "in/b")
        try workspace.write(wave(tone(0.5)), "in/b.jpg")
        try workspace.write(wave(tone(0.5)), "in/C.wav")
        try workspace.write(wave(tone(0.5)), "in/c.wav")
        #expect(try workspace.prep("in", "--output", "out").status == 1)
        #expect(
            try workspace.manifest().outcomes == [
                "in/C.wav": "accepted", "in/a": "accepted", "in/a.jpg": "converted", "in/b": "converted",
                "in/b.jpg": "rejected name-collision", "in/c.wav": "rejected name-collision",
            ])
    }
}
