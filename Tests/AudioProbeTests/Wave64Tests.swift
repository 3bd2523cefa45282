import AudioProbe
import Diagnostics
import Testing

@Suite("Wave64 is WAVE with longer sizes")
struct Wave64Tests {
    @Test func durationIsExact() throws {
        var wave = Wave64Builder()
        wave.appendFormatChunk()
        wave.appendChunk("fact", content: [0, 0, 0, 0, 0, 0, 0, 0])
        wave.appendChunk("data", content: WaveBuilder.noiseBytes(count: 802))
        wave.appendChunk("bext", content: [1, 2, 3])
        let recording = try probeBytes(wave.file.bytes)
        #expect(recording.container == .w64)
        #expect(recording.duration == AudioDuration(ticks: 401, timescale: 8000, method: .header))
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.map(\.code) == [.carriesMetadata])
    }

    @Test(arguments: [(0, true), (-1, true), (24, true), (1 << 62, false), (Int.max - 1, false), (1000, false)])
    func wrongSizesAreHandled(size: Int, isPlaceholder: Bool) throws {
        var wave = Wave64Builder()
        wave.appendFormatChunk()
        wave.appendChunk("data", content: WaveBuilder.noiseBytes(count: 800), declaredSize: size)
        let recording = try probeBytes(wave.file.bytes)
        #expect(recording.duration?.ticks == 400)
        #expect(recording.completeness == (isPlaceholder ? .complete : .truncated(offset: wave.file.count)))
        #expect(recording.warnings.map(\.code) == (isPlaceholder ? [.placeholderSize] : []))
    }

    @Test func prefixesAndFlippedBytesAreHandled() throws {
        var wave = Wave64Builder()
        wave.appendFormatChunk()
        wave.appendChunk("data", content: WaveBuilder.noiseBytes(count: 200))
        wave.appendChunk("list", content: [1, 2, 3])
        try HostileInputChecks.expectPrefixesAreHandled(wave.file.bytes)
        HostileInputChecks.expectByteFlipsAreHandled(wave.file.bytes)
    }
}
