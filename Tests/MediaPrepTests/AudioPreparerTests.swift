import AudioProbe
import Diagnostics
import Foundation
import MediaPrep
import TestSupport
import Testing

@Suite("Recordings are inspected and made ready")
struct AudioPreparerTests {
    @Test("A valid file is accepted unchanged, with the facts for an upload request")
    func goodAudioIsAcceptedWithUploadFacts() throws {
        let data = makeWAV(makeToneSamples(amplitude: 0.5))
        let audio = try AudioPreparer().prepare(data)
        #expect(audio.report.verdict == .accepted)
        #expect(audio.report.durationSeconds == 1)
        #expect(audio.report.mediaType.mimeType == "audio/wav" && audio.report.mediaType.fileExtension == "wav")
        #expect(audio.report.levels == nil)
        #expect(audio.byteCount == data.count)
        #expect(try audio.readAllData() == data)
        #expect(try audio.readAllData() == data, "and again")
    }

    @Test("One that is cut is rejected with the seconds so far and the byte, unless that is allowed")
    func truncatedAudioIsRejectedUnlessAllowed()
        throws
    {
        let data = makeWAV(makeToneSamples(amplitude: 0.5)).prefix(44 + 8001)
        let report = try AudioPreparer().inspect(data)
        #expect(report.verdict == .rejected)
        #expect(report.recording.duration?.ticks == 4000)
        #expect(report.rejectionReasons.map(\.code) == [.truncated])
        #expect(report.rejectionReasons.first?.offset == 44 + 8000)
        let error = #expect(throws: MediaError.self) { try AudioPreparer().prepare(data) }
        #expect(error?.code == .truncated && error?.verdict == .rejected)
        var options = AudioOptions()
        options.allowsTruncated = true
        let allowed = try AudioPreparer(options).prepare(data)
        #expect(allowed.report.verdict == .accepted)
        #expect(allowed.report.warnings.contains { $0.code == .truncated })
    }

    @Test("A header without audio has no audio") func headerWithoutSamplesIsRejectedAsEmpty() throws {
        #expect(try AudioPreparer().inspect(makeWAV([])).rejectionReasons.map(\.code) == [.noAudio])
    }

    @Test(
        "A file that is not audio throws an error with its format",
        arguments: [
            (Data(), MediaError.Code.empty, ""),
            (Data("Dear Sir".utf8), MediaError.Code(rawValue: "not-audio"), "text"),
            (Data("%PDF-1.7\n".utf8), MediaError.Code(rawValue: "not-audio"), "PDF"),
            (Data([0xFF, 0xD8, 0xFF, 0xE0]), MediaError.Code(rawValue: "not-audio"), "JPEG"),
            (Data("MThd\0\0\0\u{6}".utf8), MediaError.Code(rawValue: "unsupported-midi"), "MIDI"),
        ])
    func nonAudioThrowsItsCode(_ data: Data, _ code: MediaError.Code, _ name: String) throws {
        let error = #expect(throws: MediaError.self) { try AudioPreparer().inspect(data) }
        #expect(error?.code == code)
        #expect(error?.message.contains(name) == true || name.isEmpty)
    }

    @Test("Levels are those of the samples") func levelsMatchSamples() throws {
        var options = AudioOptions()
        options.measuresLevels = true
        let square = try #require(
            try AudioPreparer(options).inspect(makeWAV((0..<8000).map { $0 % 2 == 0 ? 16_384 : -16_384 })).levels)
        #expect(abs(square.peakDBFS + 6.0206) < 0.001 && abs(square.rmsDBFS + 6.0206) < 0.001)
        #expect(square.clippedSampleCount == 0 && !square.isSilent && square.frameCount == 8000)
        let clipped = try #require(
            try AudioPreparer(options).inspect(makeWAV([0, 32_767, -32_768, 100, 32_766])).levels)
        #expect(clipped.clippedSampleCount == 2 && clipped.peakDBFS == 0)
        let zeros = try #require(try AudioPreparer(options).inspect(makeWAV([0, 0, 0])).levels)
        #expect(zeros.peakDBFS == AudioLevels.floorDBFS && zeros.rmsDBFS == AudioLevels.floorDBFS && zeros.isSilent)
    }

    @Test("A decoded length that agrees is no warning") func matchingDecodedDurationGivesNoWarning() throws {
        var options = AudioOptions()
        options.verifiesDuration = true
        let report = try AudioPreparer(options).inspect(makeWAV(makeToneSamples(amplitude: 0.5)))
        #expect(report.decodedSeconds == 1)
        #expect(report.warnings.isEmpty)
        #expect(report.levels == nil, "nobody asked for them")
    }

    @Test(
        "A declared type, or a name, that is another's is a warning",
        arguments: [
            ("a.wav", "audio/wav", []), ("a.WAV", "audio/x-wav; codecs=1", []), ("a.dat", nil, []),
            ("a.wav", "application/octet-stream", []), ("a.mp3", nil, ["name-mismatch"]),
            ("photo.jpg", "image/jpeg", ["name-mismatch", "mime-type-mismatch"]),
            ("a.wav", "audio/mp4", ["mime-type-mismatch"]),
        ])
    func declaredTypeOrNameMismatchIsWarned(_ name: String, _ type: String?, _ expected: [String]) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = directory.appending(path: name)
        try makeWAV(makeToneSamples(amplitude: 0.5)).write(to: url)
        let report = try AudioPreparer().inspect(contentsOf: url, declaredType: type)
        #expect(report.warnings.map(\.code.rawValue) == expected)
        #expect(report.verdict == .accepted)
    }

    @Test("A file that was written to after it was looked at is not sent") func audioChangedAfterInspectionIsNotSent()
        async throws
    {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".wav")
        defer { try? FileManager.default.removeItem(at: url) }
        try makeWAV(makeToneSamples(amplitude: 0.5)).write(to: url)
        let audio = try await AudioPreparer().prepare(contentsOf: url)
        #expect(try audio.readAllData() == makeWAV(makeToneSamples(amplitude: 0.5)))
        try makeWAV(makeToneSamples(amplitude: 0.4)).write(to: url)
        let error = #expect(throws: MediaError.self) { try audio.readAllData() }
        #expect(error?.code == .changedWhileRead && error?.verdict == .failed)
    }

    @Test("A file that is modified while it is read is not prepared", arguments: [1, 40])
    func audioChangedWhileReadIsNotSent(_ seconds: Int) throws {
        func tones(_ seconds: Int) -> [Int16] { (0..<seconds).flatMap { _ in makeToneSamples(amplitude: 0.5) } }
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".wav")
        defer { try? FileManager.default.removeItem(at: url) }
        // Of several windows, so that some of it is read before and some behind.
        try makeWAV(tones(40)).write(to: url)
        let audio = try AudioPreparer().prepare(contentsOf: url)
        let error = #expect(throws: MediaError.self) {
            try audio.forEachChunk { _ in try makeWAV(tones(seconds)).write(to: url) }
        }
        #expect(error?.code == .changedWhileRead && error?.verdict == .failed)
    }

    @Test("A position in an M4A is blanked in place, and its audio is unchanged")
    func positionInM4AIsBlankedInPlace() throws {
        let url = SampleMedia.repositoryURL.appending(path: "Samples/recordings/visit-note-position.m4a")
        let source = try Data(contentsOf: url)
        #expect(source.range(of: Data("-025.2500".utf8)) != nil, "the sample states its position")
        let audio = try AudioPreparer().prepare(contentsOf: url)
        #expect(audio.report.verdict == .cleaned)
        let clean = try audio.readAllData()
        #expect(clean.count == source.count)
        #expect(clean.range(of: Data("-025.2500".utf8)) == nil && clean.range(of: Data("-00.5000".utf8)) == nil)
        let again = try AudioPreparer().inspect(clean)
        #expect(again.verdict == .accepted)
        #expect(again.recording.duration == audio.report.recording.duration)
        // Only the boxes differ, and each is a free box now.
        let erased = audio.report.recording.metadata.filter(\.isErasable).map(\.range)
        for index in source.indices where source[index] != clean[index] {
            #expect(erased.contains { $0.contains(index) })
        }
        for range in erased { #expect(clean[range].dropFirst(4).prefix(4) == Data("free".utf8)) }
    }
}
