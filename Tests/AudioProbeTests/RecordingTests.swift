import AudioProbe
import Foundation
import TestSupport
import Testing

@Suite("Audio is probed by its path or from its bytes")
struct RecordingTests {
    @Test("Both entry points find the same", arguments: [false, true])
    func pathAndBytesGiveSameRecording(isQuick: Bool) throws {
        var options = ProbeOptions()
        options.isQuick = isQuick
        for name in try FileManager.default.contentsOfDirectory(atPath: SampleMedia.goodAudioDirectory.path) {
            let url = SampleMedia.goodAudio(named: name)
            let recording = try Recording(contentsOf: url.path, options: options)
            #expect(recording.duration != nil, "\(name)")
            let bytes = [UInt8](try Data(contentsOf: url))
            #expect("\(recording)" == "\(try Recording(bytes: bytes, options: options))", "\(name)")
        }
    }

    @Test("A file that cannot be opened is an error")
    func unreadablePathsAreErrors() {
        let missing = #expect(throws: AudioError.self) { try Recording(contentsOf: "/nonexistent/a.wav") }
        #expect(missing?.code == .unreadable)
        let device = #expect(throws: AudioError.self) { try Recording(contentsOf: "/dev/null") }
        #expect(device?.code == .notARegularFile)
        #expect(throws: AudioError.self) { try AudioLevels(contentsOf: "/nonexistent/a.wav") }
    }

    @Test("Levels are measured by path and from bytes")
    func levelsOfPathAndBytesAreEqual() throws {
        let url = SampleMedia.goodAudio(named: "visit-note.flac")
        let levels = try AudioLevels(contentsOf: url.path)
        #expect(levels.frameCount > 0 && !levels.isSilent)
        #expect(try AudioLevels(bytes: [UInt8](Data(contentsOf: url))) == levels)
        var limits = AudioLimits()
        limits.decodedSamples = 10
        let error = #expect(throws: AudioError.self) { try AudioLevels(contentsOf: url.path, limits: limits) }
        #expect(error?.code == .limitExceeded)
    }
}
