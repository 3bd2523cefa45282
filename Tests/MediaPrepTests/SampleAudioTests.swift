import AudioProbe
import Diagnostics
import Foundation
import MediaPrep
import TestSupport
import Testing

/// The known properties of a sample.
struct SampleAudio: Sendable, CustomTestStringConvertible {
    var fileName: String
    var format: String
    /// In samples a second of `timescale`.
    var ticks: Int
    var timescale: Int
    var method: AudioDuration.Method
    var verdict = Verdict.accepted

    var testDescription: String { fileName }
}

@Suite("The sample recordings")
struct SampleAudioTests {
    static let samples = [
        SampleAudio(fileName: "visit-note.wav", format: "wav pcm", ticks: 28_800, timescale: 16_000, method: .header),
        SampleAudio(fileName: "visit-note.caf", format: "caf pcm", ticks: 28_800, timescale: 16_000, method: .header),
        SampleAudio(fileName: "visit-note.flac", format: "flac flac", ticks: 28_800, timescale: 16_000, method: .index),
        SampleAudio(fileName: "visit-note.opus", format: "ogg opus", ticks: 86_400, timescale: 48_000, method: .scan),
        SampleAudio(
            fileName: "visit-note-vbr.mp3", format: "mpeg-audio mp3", ticks: 28_800, timescale: 16_000, method: .scan),
        SampleAudio(
            fileName: "visit-note-vbr-no-xing.mp3", format: "mpeg-audio mp3", ticks: 29_952, timescale: 16_000,
            method: .scan),
        SampleAudio(
            fileName: "visit-note-live.webm", format: "webm opus", ticks: 86_400, timescale: 48_000, method: .scan),
        SampleAudio(
            fileName: "visit-note-position.m4a", format: "m4a aac", ticks: 28_800, timescale: 16_000, method: .index,
            verdict: .cleaned),
    ]

    @Test("Each duration is exact, to the tick", arguments: samples)
    func durationsAreExactToTheTick(_ sample: SampleAudio) throws {
        let report = try AudioPreparer().inspect(contentsOf: SampleMedia.goodAudio(named: sample.fileName))
        let recording = report.recording
        #expect("\(recording.container) \(recording.mainTrack.codec)" == sample.format)
        let duration = try #require(recording.duration)
        #expect(duration.ticks == sample.ticks && duration.timescale == sample.timescale)
        #expect(duration.method == sample.method)
        #expect(report.verdict == sample.verdict && recording.completeness == .complete)
    }

    @Test("Decoded by libsndfile, those it can decode have the same length and can be heard", arguments: samples)
    func decodedDurationsAndLevelsAgree(_ sample: SampleAudio) throws {
        var options = AudioOptions()
        options.verifiesDuration = true
        options.measuresLevels = true
        let report = try AudioPreparer(options).inspect(contentsOf: SampleMedia.goodAudio(named: sample.fileName))
        #expect(!report.warnings.contains { $0.code == .decodeContradicts })
        guard AudioLevels.canMeasure(report.recording.container) else {
            #expect(report.levels == nil && report.decodedSeconds == nil)
            return
        }
        let levels = try #require(report.levels)
        #expect(!levels.isSilent && levels.peakDBFS > -30 && levels.peakDBFS <= 3 && levels.rmsDBFS < levels.peakDBFS)
        #expect(abs(try #require(report.decodedSeconds) - Double(sample.ticks) / Double(sample.timescale)) < 0.0002)
    }

    @Test("Every sample has its line above")
    func everySampleIsListed() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: SampleMedia.goodAudioDirectory.path)
        #expect(Set(names) == Set(Self.samples.map(\.fileName)))
    }

    @Test("Damaged samples have different codes")
    func damagedSamplesAreDistinguished() throws {
        let cut = try AudioPreparer().inspect(contentsOf: SampleMedia.damagedFile(named: "truncated.m4a"))
        #expect(cut.rejectionReasons.map(\.code) == [.truncated] && cut.rejectionReasons.first?.offset == 7674)
        #expect(cut.recording.duration?.seconds == 1.088)
        let lying = try AudioPreparer().inspect(
            contentsOf: SampleMedia.damagedFile(named: "voice.wav"), declaredType: "audio/wav")
        #expect(lying.verdict == .accepted && lying.mediaType.mimeType == "audio/mpeg")
        #expect(lying.warnings.map(\.code).suffix(2) == [.nameMismatch, .mediaTypeMismatch])
        var options = AudioOptions()
        options.policy.rejectsSilence = true
        #expect(
            try AudioPreparer(options).inspect(contentsOf: SampleMedia.damagedFile(named: "silent.wav"))
                .rejectionReasons.map(\.code.rawValue)
                == ["silent"])
    }
}
