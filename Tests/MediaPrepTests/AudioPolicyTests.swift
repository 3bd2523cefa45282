import AudioProbe
import Diagnostics
import Foundation
import MediaPrep
import TestSupport
import Testing

@Suite("Recordings that a policy accepts")
struct AudioPolicyTests {
    /// A second of 8 kHz mono.
    private func rejectionReasons(policy: AudioPolicy, data: Data = makeWAV(makeToneSamples(amplitude: 0.5))) throws
        -> [String]
    {
        var options = AudioOptions()
        options.policy = policy
        return try AudioPreparer(options).inspect(data).rejectionReasons.map(\.code.rawValue)
    }

    @Test(
        "Every rule only rejects recordings that break it",
        arguments: [
            ("{}", []),
            (#"{"containers":["wav","m4a"],"codecs":["pcm"],"min_seconds":1,"max_seconds":1}"#, []),
            (#"{"sample_rates":[8000],"channels":[1],"max_bytes":16044,"rejects_silence":true}"#, []),
            (#"{"containers":["m4a"]}"#, ["container-not-allowed"]),
            (#"{"codecs":["aac","opus"]}"#, ["codec-not-allowed"]),
            (#"{"min_seconds":1.001}"#, ["too-short"]),
            (#"{"max_seconds":0.999}"#, ["too-long"]),
            (#"{"sample_rates":[16000,48000]}"#, ["sample-rate-not-allowed"]),
            (#"{"channels":[2]}"#, ["channels-not-allowed"]),
            (#"{"max_bytes":16043}"#, ["max-bytes"]),
            (#"{"codecs":["aac"],"channels":[2]}"#, ["codec-not-allowed", "channels-not-allowed"]),
        ])
    func everyRuleRejectsOnlyItsViolations(_ json: String, _ expected: [String]) throws {
        #expect(try rejectionReasons(policy: JSONDecoder().decode(AudioPolicy.self, from: Data(json.utf8))) == expected)
    }

    @Test(
        "Audio is silent if it stays within a thousandth of full scale around its mean",
        arguments: [
            ([Int16](repeating: 0, count: 8000), true), ([Int16](repeating: 900, count: 8000), true),
            (makeToneSamples(amplitude: 0.001), true), (makeToneSamples(amplitude: 0.002), false),
            // A cough of a tenth of a second in a quiet minute is no silence.
            (
                [Int16](repeating: 0, count: 8000 * 59) + makeToneSamples(amplitude: 0.01).prefix(800)
                    + [Int16](repeating: 0, count: 7200),
                false
            ),
        ])
    func silenceIsBelowThresholdAroundMean(_ samples: [Int16], _ isSilent: Bool) throws {
        var policy = AudioPolicy()
        policy.rejectsSilence = true
        #expect(try rejectionReasons(policy: policy, data: makeWAV(samples)) == (isSilent ? ["silent"] : []))
    }

    @Test("A file that libsndfile did not decode to the end is not silent")
    func partlyDecodedAudioIsNotSilent() throws {
        var options = AudioOptions()
        options.policy.rejectsSilence = true
        // It takes a size of 0 at its word.
        let report = try AudioPreparer(options).inspect(makeWAV(makeToneSamples(amplitude: 0.5), declaredDataBytes: 0))
        #expect(report.levels == nil && report.isSilent == nil && report.rejectionReasons.isEmpty)
        #expect(report.warnings.contains { $0.code == .decodeContradicts })
    }

    @Test("Video is rejected unless a rule allows it, and before all else", arguments: [false, true])
    func videoIsRejectedUnlessAllowed(allowsVideo: Bool) throws {
        let json = #"{"allows_video": \#(allowsVideo), "max_bytes": 10}"#
        let policy = try JSONDecoder().decode(AudioPolicy.self, from: Data(json.utf8))
        #expect(policy.allowsVideo == allowsVideo)
        #expect(
            try rejectionReasons(policy: policy, data: makeQuickTimeMovie()) == (allowsVideo ? [] : ["has-video"]) + [
                "max-bytes"
            ])
        #expect(try rejectionReasons(policy: AudioPolicy(), data: makeQuickTimeMovie(videoFrameCount: 0)) == [])
    }

    @Test("Video is rejected unless it is allowed") func preparedMediaContainsVideoOnlyIfAllowed() throws {
        let error = #expect(throws: MediaError.self) { try AudioPreparer().prepare(makeQuickTimeMovie()) }
        #expect(error?.code == .hasVideo && error?.verdict == .rejected)
        let report = try AudioPreparer().inspect(makeQuickTimeMovie())
        #expect(report.verdict == .rejected && report.recording.hasVideo)
        #expect(report.durationSeconds == 1)
        var options = AudioOptions()
        options.policy.allowsVideo = true
        #expect(try AudioPreparer(options).prepare(makeQuickTimeMovie()).readAllData() == makeQuickTimeMovie())
    }

    @Test("A policy survives being kept in a file") func policyRoundTripsThroughJSON() throws {
        var policy = AudioPolicy()
        policy.codecs = ["aac"]
        policy.maxSeconds = 600
        policy.sampleRates = [44_100]
        policy.allowsVideo = true
        let json = try JSONEncoder().encode(policy)
        #expect(try JSONDecoder().decode(AudioPolicy.self, from: json) == policy)
        #expect(String(decoding: json, as: UTF8.self).contains("\"max_seconds\":600"))
    }

    @Test(
        "A misspelt rule is an error, and so is a value of the wrong kind",
        arguments: [
            #"{"max_second":600}"#, #"{"max_seconds":"600"}"#, #"{"codecs":"aac"}"#, "[]", #"{"allows_video":"yes"}"#,
            #"{"min_seconds":-1}"#, #"{"max_bytes":-1}"#, #"{"min_seconds":10,"max_seconds":5}"#,
        ])
    func unknownRuleOrWrongTypeThrows(_ json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(AudioPolicy.self, from: Data(json.utf8)) }
    }

    @Test("A file of too many bytes is rejected before it is scanned", .timeLimit(.minutes(1)))
    func oversizedFileIsRejectedBeforeScan() throws {
        // To scan it up to the limit for all files takes minutes.
        let file = try SparseFile(
            prefix: Array("#!AMR\n".utf8) + [0x3C] + [UInt8](repeating: 0xFF, count: 31), byteCount: 1 << 39)
        var options = AudioOptions()
        options.policy.maxBytes = 1000
        options.measuresLevels = true
        let report = try AudioPreparer(options).inspect(contentsOf: file.url)
        #expect(report.verdict == .rejected && report.rejectionReasons.map(\.code) == [.maxBytesExceeded])
        #expect(report.recording.container == .amr)
        #expect(report.recording.duration?.method == .estimate)
    }

    @Test("A file with too many bytes and no stated duration is rejected for its size")
    func oversizedFileWithoutDurationIsRejectedForSize() throws {
        // A live recording of Matroska: a Segment without a size, a track of Opus, and a Cluster of blocks of 20 ms.
        let head: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x80, 0x18, 0x53, 0x80, 0x67, 0xFF, 0x16, 0x54, 0xAE, 0x6B, 0x90]
        let track = [0xAE, 0x8E, 0xD7, 0x81, 1, 0x83, 0x81, 2, 0x86, 0x86] + Array("A_OPUS".utf8)
        let blocks = [[UInt8]](repeating: [0xA3, 0x86, 0x81, 0, 0, 0x80, 0xFC, 1], count: 10_000).flatMap { $0 }
        let bytes = head + track + [0x1F, 0x43, 0xB6, 0x75, 0xFF] + blocks
        let file = try SparseFile(prefix: bytes, byteCount: bytes.count)
        var options = AudioOptions()
        #expect(try AudioPreparer(options).inspect(contentsOf: file.url).durationSeconds == 200)
        options.policy.maxBytes = 1000
        options.limits.headerBytes = 40_000
        let error = #expect(throws: MediaError.self) { try AudioPreparer(options).inspect(contentsOf: file.url) }
        #expect(error?.code == .maxBytesExceeded && error?.verdict == .rejected)
    }
}
