import Foundation
import TestSupport
import Testing

@Suite("Rules about measures of recordings in the command")
struct AudioPolicyRunTests {
    /// A workspace with a recording of a second that is clipped, but for half a second of silence in the middle.
    private func makeWorkspace(policy: String) throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        let loud: [Int16] = (0..<8000).map { (2000..<6000).contains($0) ? 0 : $0 / 20 % 2 == 0 ? 32_767 : -32_767 }
        try workspace.writeFile(makeWAV(loud), at: "in/loud.wav")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/note.wav")
        try workspace.writeFile(Data(policy.utf8), at: "policy.json")
        return workspace
    }

    private func parseJSONLines(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func audio(in workspace: TestWorkspace, forInput input: String) throws -> [String: Any] {
        let text = String(decoding: try workspace.contents(ofFileAt: "out/manifest.jsonl"), as: UTF8.self)
        let line = try parseJSONLines(text).first { $0["input"] as? String == input }
        return try #require(line?["audio"] as? [String: Any])
    }

    @Test("A rule that warns does not reject, unless --strict is given; the manifest has the measures")
    func rulesRejectOrWarn() throws {
        let workspace = try makeWorkspace(
            policy: #"""
                {"clipped": {"limit": 0.01, "action": "reject"}, "mostly-background": {"limit": 0.2, "action": "warn"}}
                """#)
        #expect(try workspace.runPrep("in", "--output", "out", "--audio-policy", "policy.json").exitStatus == 1)
        #expect(
            try workspace.manifestLines().verdictsByInput == [
                "in/loud.wav": "rejected clipped", "in/note.wav": "accepted",
            ])
        let note = try #require(try workspace.manifestLines().first { $0.input == "in/note.wav" })
        #expect(note.warnings.map(\.code) == ["mostly-background"])
        let loud = try audio(in: workspace, forInput: "in/loud.wav")
        #expect(loud["clipped_share"] as? Double == 0.5 && loud["active_share"] as? Double == 0.5)
        #expect(loud["silent_share"] as? Double == 0.5 && loud["snr_db"] is NSNull && loud["dc_offset"] as? Int == 0)
        #expect(loud["noise_floor_dbfs"] as? Int == -200 && loud["dead_channels"] as? [Int] == [])
        let strict = try workspace.runPrep(
            "in", "--output", "strict", "--audio-policy", "policy.json", "--strict")
        #expect(strict.exitStatus == 1)
        #expect(
            try workspace.manifestLines(inOutput: "strict").verdictsByInput["in/note.wav"]
                == "rejected mostly-background")
    }

    @Test("Without a rule or --levels nothing is decoded, and all measures are null")
    func measuresAreNullWithoutDecoding() throws {
        let workspace = try makeWorkspace(policy: "{}")
        #expect(try workspace.runPrep("in", "--output", "out", "--audio-policy", "policy.json").exitStatus == 0)
        let measures = try audio(in: workspace, forInput: "in/loud.wav")
        for key in [
            "peak_dbfs", "rms_dbfs", "clipped_samples", "clipped_share", "active_level_dbfs", "active_share",
            "silent_share", "noise_floor_dbfs", "snr_db", "dc_offset", "dead_channels", "silent",
        ] {
            #expect(measures[key] is NSNull, "\(key)")
        }
    }

    @Test(
        "A rule that is invalid stops the run",
        arguments: [
            (#"{"too-loud": {"limit": 0, "action": "warn"}}"#, "unknown rule: too-loud"),
            (#"{"clipped": {"limit": 50, "action": "warn"}}"#, "the limit is out of range: 50.0 (0.0 to 1.0)"),
            (
                #"{"clipped": {"limit": 0.5, "action": "drop"}}"#,
                "clipped.action: the action is unknown (known are warn and reject)\n"
            ),
            (
                #"{"clipped": {"limit": 0.5, "action": "warn", "limits": 1}}"#,
                "clipped.limits: unknown key (known are limit and action)\n"
            ),
            (#"{"max_bytes": "5"}"#, "max_bytes: the value has a wrong type\n"),
            (#"{"clipped": null}"#, "the value has a wrong type\n"),
            (#"{"max_bytes": 99999999999999999999}"#, "the JSON is invalid, or a number in it is out of range\n"),
            ("{", "the JSON is invalid, or a number in it is out of range\n"),
        ])
    func invalidRuleStopsTheRun(_ json: String, _ message: String) throws {
        let workspace = try makeWorkspace(policy: json)
        let run = try workspace.runPrep("in", "--output", "out", "--audio-policy", "policy.json")
        #expect(run.exitStatus == 2 && run.standardError.contains(message))
    }

    @Test("inspect prints a line for each measure with --levels, or if a rule needs them")
    func inspectPrintsMeasures() throws {
        let workspace = try makeWorkspace(policy: #"{"too-quiet": {"limit": -5, "action": "warn"}}"#)
        #expect(!(try workspace.runPrep("inspect", "in/note.wav").standardOutput.contains("noise floor")))
        let measured = try workspace.runPrep("inspect", "--levels", "in/loud.wav").standardOutput
        for line in [
            "clipped        50.000% of the samples", "sound          50.0% of the time above the noise floor",
            "silence        50.0% of the time", "level          0.0 dBFS", "noise floor    -200.0 dBFS",
            "signal/noise   unknown", "DC offset      ", "dead channels  none",
        ] {
            #expect(measured.contains("    \(line)"), "\(line)")
        }
        let judged = try workspace.runPrep("inspect", "--audio-policy", "policy.json", "in/note.wav")
        #expect(judged.exitStatus == 0 && judged.standardOutput.contains("noise floor"))
        #expect(judged.standardOutput.contains("warning (too-quiet): the level of the sound is too low: -9."))
        let strict = try workspace.runPrep("inspect", "--audio-policy", "policy.json", "--strict", "in/note.wav")
        #expect(strict.standardOutput.contains("rejected (too-quiet): "))
    }
}
