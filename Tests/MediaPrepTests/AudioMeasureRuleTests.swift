import AudioProbe
import Diagnostics
import Foundation
import MediaPrep
import TestSupport
import Testing

@Suite("Rules about measures of audio")
struct AudioMeasureRuleTests {
    private func decode(_ json: String) throws -> AudioPolicy {
        try JSONDecoder().decode(AudioPolicy.self, from: Data(json.utf8))
    }

    private func inspect(_ data: Data, policy: AudioPolicy) throws -> AudioReport {
        var options = AudioOptions()
        options.policy = policy
        return try AudioPreparer(options).inspect(data)
    }

    /// A square wave of 4 kHz at a level, with half a second of silence in the middle of a second.
    private static func makeBurst(_ level: Int16) -> [Int16] {
        (0..<8000).map { (2000..<6000).contains($0) ? 0 : $0 % 2 == 0 ? level : -level }
    }

    /// Codes, limits, samples, numbers of channels, and messages.
    static let rules: [(String, Double, [Int16], Int, String)] = [
        ("clipped", 0.1, makeBurst(32_767), 1, "the share of clipped samples is too high: 0.5 (at most 0.1)"),
        ("too-quiet", -40, makeBurst(33), 1, "the level of the sound is too low: -59.94 dBFS (at least -40.0 dBFS)"),
        ("mostly-silent", 0.4, makeBurst(100), 1, "the share of silence is too high: 0.5 (at most 0.4)"),
        (
            "mostly-background", 0.6, makeBurst(100), 1,
            "the share of time with sound above the noise floor is too low: 0.5 (at least 0.6)"
        ),
        (
            // Four times the power of the other square wave, of 2 kHz.
            "too-noisy", 20, makeBurst(1000).enumerated().map { $1 + ($0 / 2 % 2 == 0 ? 500 : -500) }, 1,
            "the signal-to-noise ratio is too low: 6.02 dB (at least 20.0 dB)"
        ),
        (
            "dc-offset", 0.01, makeBurst(1000).map { $0 + 8192 }, 1,
            "the DC offset as a share of full scale is too high: 0.25 (at most 0.01)"
        ),
        (
            "dead-channel", 0, makeBurst(1000).flatMap { [$0, 0] }, 2,
            "the number of dead channels is too high: 1.0 (at most 0.0)"
        ),
    ]

    @Test("Each rule rejects or warns with its code, the measure and the limit", arguments: rules)
    func ruleRejectsOrWarns(
        _ code: String, _ limit: Double, _ samples: [Int16], _ channels: Int, _ message: String
    ) throws {
        let data = makeWAV(samples, channels: channels)
        let policy = try decode(#"{"\#(code)": {"limit": \#(limit), "action": "warn"}}"#)
        let warned = try inspect(data, policy: policy)
        #expect(warned.rejectionReasons.isEmpty && warned.verdict == .accepted)
        #expect(warned.warnings == [Diagnostic(.init(rawValue: code), message: message)])
        let rejected = try inspect(data, policy: policy.settingAction(.reject))
        #expect(rejected.verdict == .rejected && rejected.warnings.isEmpty)
        #expect(rejected.rejectionReasons.map(\.code.rawValue) == [code])
        #expect(rejected.rejectionReasons.first?.message == message)
    }

    @Test("The limit itself is allowed, and another fault breaks no rule")
    func limitItselfIsAllowed() throws {
        var policy = AudioPolicy()
        policy.measureRules = [
            .clipped: .init(limit: 0.5, action: .reject), .mostlySilent: .init(limit: 0.5, action: .reject),
            .mostlyBackground: .init(limit: 0.5, action: .reject),
        ]
        #expect(try inspect(makeWAV(Self.makeBurst(.max)), policy: policy).verdict == .accepted)
    }

    @Test("Reasons come after those of other rules, in a fixed order")
    func reasonsHaveAFixedOrder() throws {
        let policy = try decode(
            """
            {"mostly-silent": {"limit": 0, "action": "reject"}, "too-quiet": {"limit": 0, "action": "reject"}, \
            "rejects_silence": true, "max_seconds": 0.5}
            """)
        let reasons = try inspect(makeWAV([Int16](repeating: 5, count: 8000)), policy: policy).rejectionReasons
        #expect(reasons.map(\.code.rawValue) == ["too-long", "silent", "too-quiet", "mostly-silent"])
    }

    @Test("An unknown ratio breaks no rule: digital silence has no noise")
    func unknownMeasureIsAllowed() throws {
        let policy = try decode(#"{"too-noisy": {"limit": 200, "action": "reject"}}"#)
        let report = try inspect(makeWAV(Self.makeBurst(1000)), policy: policy)
        #expect(report.verdict == .accepted && report.warnings.isEmpty)
        #expect(report.levels?.signalToNoiseDB == nil && report.levels?.activeShare == 0.5)
    }

    @Test("Audio that libsndfile cannot decode to its end is accepted with a warning")
    func unmeasuredAudioHasWarning() throws {
        let policy = try decode(#"{"too-quiet": {"limit": 0, "action": "reject"}}"#)
        let aac = try inspect(
            Data(contentsOf: SampleMedia.goodAudio(named: "visit-note-position.m4a")), policy: policy)
        #expect(aac.verdict == .cleaned && aac.warnings.contains { $0.code == .notMeasured })
        // libsndfile takes a size of 0 at its word.
        let part = try inspect(makeWAV(Self.makeBurst(1), declaredDataBytes: 0), policy: policy)
        #expect(part.rejectionReasons.isEmpty && part.warnings.contains { $0.code == .notMeasured })
        #expect(part.levels == nil)
        var both = policy
        both.codecs = ["opus"]
        let rejected = try inspect(
            Data(contentsOf: SampleMedia.goodAudio(named: "visit-note-position.m4a")), policy: both)
        #expect(rejected.verdict == .rejected && !rejected.warnings.contains { $0.code == .notMeasured })
    }

    @Test(
        "An invalid rule is an error that names it",
        arguments: [
            (#"{"too-loud": {"limit": 1, "action": "warn"}}"#, "unknown rule: too-loud"),
            (#"{"clipped": {"limit": 1.5, "action": "warn"}}"#, "the limit is out of range: 1.5 (0.0 to 1.0)"),
            (#"{"clipped": {"limit": -0.1, "action": "warn"}}"#, "the limit is out of range"),
            (#"{"too-quiet": {"limit": 3, "action": "warn"}}"#, "the limit is out of range: 3.0 (-200.0 to 0.0)"),
            (#"{"clipped": {"action": "warn"}}"#, "limit"), (#"{"clipped": {"limit": 0}}"#, "action"),
            (#"{"clipped": {"limit": 0, "action": "delete"}}"#, "action"), (#"{"clipped": 0.1}"#, "clipped"),
            (#"{"dc-offset": {"limit": "0.1", "action": "warn"}}"#, "dc-offset"),
        ])
    func invalidRuleIsAnError(_ json: String, _ message: String) {
        let error = #expect(throws: DecodingError.self) { try decode(json) }
        #expect(error.map { "\($0)".contains(message) } == true)
    }

    @Test("Rules are stored and read again; a policy without them is stored as before")
    func rulesRoundTrip() throws {
        var policy = AudioPolicy()
        for fault in AudioFault.allCases { policy.measureRules[fault] = .init(limit: 0, action: .warn) }
        #expect(try JSONDecoder().decode(AudioPolicy.self, from: JSONEncoder().encode(policy)) == policy)
        let plain = try JSONSerialization.jsonObject(with: JSONEncoder().encode(AudioPolicy())) as? [String: Any]
        #expect(plain?.keys.sorted() == ["allows_video", "rejects_silence"])
    }

    @Test("Audio is decoded only if levels are requested, or a rule needs them")
    func rulesImplyDecoding() throws {
        let data = makeWAV(Self.makeBurst(1000))
        #expect(try inspect(data, policy: AudioPolicy()).levels == nil)
        let policy = try decode(#"{"dc-offset": {"limit": 1, "action": "warn"}}"#)
        #expect(try inspect(data, policy: policy).levels != nil)
    }
}
