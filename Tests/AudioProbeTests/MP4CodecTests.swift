import AudioProbe
import Testing

@Suite("MP4: codecs")
struct MP4CodecTests {
    /// Probes a file of 100 samples.
    struct Case: Sendable, CustomTestStringConvertible {
        var entry: [UInt8]
        var delta: Int
        var timescale = 44_100
        var size = 10
        var uniform: Int?
        var content: [UInt8]?
        var isQuickTime = false
        var codec: AudioCodec
        var rate = 44_100
        var channels = 2
        var bits: Int?
        var ticks: Int
        var testDescription: String { "\(codec) \(rate) \(ticks)" }
    }

    static let mpegFrame: [UInt8] = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 6)
    static let halfRateFrame: [UInt8] = [0xFF, 0xF3, 0x90, 0x64] + [UInt8](repeating: 0, count: 6)
    /// Opus packets of 20 ms, in one frame, and of 60 ms, in three.
    static let shortPacket: [UInt8] = [0xFC] + [UInt8](repeating: 0, count: 9)
    static let longPacket: [UInt8] = [0xFF, 3] + [UInt8](repeating: 0, count: 8)

    static func repeatedBytes(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        Array([[UInt8]](repeating: bytes, count: count).joined())
    }

    static let cases: [Case] = [
        Case(entry: MP4SampleEntry.aacEntry(), delta: 1024, codec: .aac, ticks: 102_400),
        Case(
            entry: MP4SampleEntry.aacEntry(isQuickTime: true), delta: 1024, isQuickTime: true, codec: .aac,
            ticks: 102_400),
        // 960 samples a frame.
        Case(entry: MP4SampleEntry.aacEntry(config: [0x12, 0x14]), delta: 960, codec: .aac, ticks: 96_000),
        // SBR is signalled explicitly at 22.05 kHz, and counted in units of either rate.
        Case(
            entry: MP4SampleEntry.aacEntry(config: [0x2B, 0x92, 0x08, 0x00]), delta: 2048, codec: .heAAC, ticks: 204_800
        ),
        Case(
            entry: MP4SampleEntry.aacEntry(rate: 22_050, config: [0x2B, 0x92, 0x08, 0x00]), delta: 1024,
            timescale: 22_050,
            codec: .heAAC, ticks: 204_800),
        // SBR is signalled implicitly: the rate of the sample entry or the track is twice that of the core.
        Case(
            entry: MP4SampleEntry.aacEntry(rate: 44_100, config: [0x13, 0x90]), delta: 1024, timescale: 22_050,
            codec: .heAAC,
            ticks: 204_800),
        Case(
            entry: MP4SampleEntry.aacEntry(rate: 22_050, config: [0x13, 0x90]), delta: 2048, codec: .heAAC,
            ticks: 204_800),
        Case(
            entry: MP4SampleEntry.aacEntry(rate: 22_050, config: [0x13, 0x90]), delta: 1024, timescale: 22_050,
            codec: .aac,
            rate: 22_050, ticks: 102_400),
        Case(
            entry: MP4SampleEntry.aacEntry(objectType: 0x6B), delta: 1152, content: repeatedBytes(mpegFrame, 100),
            codec: .mp3, ticks: 115_200),
        Case(
            entry: MP4SampleEntry.audioEntry(".mp3", rate: 22_050), delta: 576, timescale: 22_050,
            content: repeatedBytes(halfRateFrame, 100), codec: .mp3, rate: 22_050, ticks: 57_600),
        // Extended HE-AAC: object type 42, index 4, two channels.
        Case(entry: MP4SampleEntry.aacEntry(config: [0xF9, 0x48, 0x40]), delta: 2048, codec: .usac, ticks: 204_800),
        Case(
            entry: MP4SampleEntry.aacEntry(objectType: 0xA5), delta: 1536, codec: AudioCodec(rawValue: "ac-3"),
            ticks: 153_600),
        Case(entry: MP4SampleEntry.alacEntry(), delta: 4096, codec: .alac, bits: 24, ticks: 409_600),
        Case(
            entry: MP4SampleEntry.alacEntry(rate: 96_000), delta: 4096, timescale: 96_000, codec: .alac, rate: 96_000,
            bits: 24,
            ticks: 409_600),
        Case(
            entry: MP4SampleEntry.flacEntry(), delta: 4096, timescale: 48_000, codec: .flac, rate: 48_000, bits: 24,
            ticks: 409_600
        ),
        // Blocks of different sizes are counted by their durations.
        Case(
            entry: MP4SampleEntry.flacEntry(smallest: 16), delta: 1000, timescale: 48_000, codec: .flac, rate: 48_000,
            bits: 24,
            ticks: 100_000),
        Case(
            entry: MP4SampleEntry.amrEntry(isWide: false, framesPerSample: 1), delta: 160, timescale: 8000,
            codec: .amrNB,
            rate: 8000,
            channels: 1, ticks: 16_000),
        Case(
            entry: MP4SampleEntry.amrEntry(isWide: true, framesPerSample: 1), delta: 320, timescale: 16_000,
            codec: .amrWB,
            rate: 16_000, channels: 1, ticks: 32_000),
        // Two frames of 13 bytes in each sample.
        Case(
            entry: MP4SampleEntry.amrEntry(isWide: false, framesPerSample: 2), delta: 320, timescale: 8000, size: 26,
            codec: .amrNB,
            rate: 8000, channels: 1, ticks: 32_000),
        Case(
            entry: MP4SampleEntry.opusEntry(), delta: 960, timescale: 48_000, content: repeatedBytes(shortPacket, 100),
            codec: .opus, rate: 48_000, ticks: 96_000),
        // The packets state their own length, whatever the table of times states.
        Case(
            entry: MP4SampleEntry.opusEntry(), delta: 2880, timescale: 48_000,
            content: repeatedBytes(shortPacket, 50) + repeatedBytes(longPacket, 50), codec: .opus, rate: 48_000,
            ticks: 50 * 960 + 50 * 2880),
        Case(entry: MP4SampleEntry.audioEntry("sowt"), delta: 1, size: 4, codec: .pcm, bits: 16, ticks: 100),
        Case(
            entry: MP4SampleEntry.audioEntry("twos"), delta: 1, size: 4, uniform: 4, codec: .pcm, bits: 16, ticks: 100),
        Case(
            entry: MP4SampleEntry.audioEntry("raw ", bits: 8), delta: 1, size: 2, uniform: 2, codec: .pcm, bits: 8,
            ticks: 100),
        Case(
            entry: MP4SampleEntry.audioEntry("in24"), delta: 1, size: 6, uniform: 6, codec: .pcm, bits: 24, ticks: 100),
        Case(
            entry: MP4SampleEntry.audioEntry("fl64"), delta: 1, size: 16, uniform: 16, codec: .pcmFloat, bits: 64,
            ticks: 100),
        Case(
            entry: MP4SampleEntry.quickTimeVersion2Entry("lpcm", rate: 192_000, channels: 6, bits: 32, flags: 1),
            delta: 1,
            timescale: 192_000, size: 24, uniform: 24, isQuickTime: true, codec: .pcmFloat, rate: 192_000, channels: 6,
            bits: 32, ticks: 100),
        Case(
            entry: MP4SampleEntry.audioEntry("ipcm", boxes: MP4Builder.fullBox(type: "pcmC", content: [1, 24])),
            delta: 10, size: 60, codec: .pcm,
            bits: 24, ticks: 1000),
        Case(
            entry: MP4SampleEntry.audioEntry("ulaw", packet: (1, 2)), delta: 1, size: 2, uniform: 1, codec: .muLaw,
            ticks: 100),
        Case(entry: MP4SampleEntry.audioEntry("alaw"), delta: 1, size: 2, uniform: 2, codec: .aLaw, ticks: 100),
        Case(
            entry: MP4SampleEntry.audioEntry("ima4", packet: (64, 68)), delta: 64, size: 68, codec: .adpcmIMA,
            ticks: 6400),
        Case(entry: MP4SampleEntry.audioEntry("zzzz"), delta: 500, codec: AudioCodec(rawValue: "zzzz"), ticks: 50_000),
        Case(
            entry: MP4SampleEntry.audioEntry(
                "enca",
                boxes: MP4Builder.box(
                    type: "sinf", content: MP4Builder.box(type: "frma", content: asciiBytes("Opus")))),
            delta: 960,
            timescale: 48_000, codec: .opus, rate: 48_000, ticks: 96_000),
    ]

    @Test(arguments: cases)
    func everyCodecIsIdentifiedAndCounted(_ expected: Case) throws {
        var builder = MP4Builder()
        builder.brand = expected.isQuickTime ? "qt  " : "isom"
        var track = MP4Track()
        track.entry = expected.entry
        track.timescale = expected.timescale
        track.times = [(100, expected.delta)]
        track.sizes = [Int](repeating: expected.size, count: 100)
        track.uniformSize = expected.uniform
        track.content = expected.content
        builder.tracks = [track]
        let recording = try probeBytes(builder.bytes())
        #expect(recording.mainTrack.codec == expected.codec)
        #expect(recording.mainTrack.sampleRate == expected.rate)
        #expect(recording.mainTrack.channels == expected.channels)
        #expect(recording.mainTrack.bitsPerSample == expected.bits)
        #expect(recording.duration == AudioDuration(ticks: expected.ticks, timescale: expected.rate, method: .index))
        #expect(recording.completeness == .complete)
    }

    @Test("QuickTime counts audio samples of size 1 where packets have a constant size")
    func quickTimeSingleSampleCountingIsConverted() throws {
        var builder = MP4Builder()
        builder.brand = "qt  "
        builder.tracks[0].entry = MP4SampleEntry.audioEntry("ima4", packet: (64, 68))
        // 10 packets in one chunk.
        builder.tracks[0].sizes = [680]
        (builder.tracks[0].uniformSize, builder.tracks[0].count) = (1, 640)
        builder.tracks[0].times = [(640, 1)]
        let file = builder.bytes()
        #expect(try probeBytes(file).duration == AudioDuration(ticks: 640, timescale: 44_100, method: .index))
        let cut = try probeBytes(Array(file.dropLast(100)))
        #expect(cut.duration?.ticks == 8 * 64)
        #expect(cut.completeness == .truncated(offset: file.count - 136))
    }

    @Test("Without an edit list, the pre-skip of Opus counts")
    func opusPreSkipAppliesWithoutEditList() throws {
        var builder = MP4Builder()
        builder.tracks[0].entry = MP4SampleEntry.opusEntry(preSkip: 312)
        builder.tracks[0].timescale = 48_000
        builder.tracks[0].content = Self.repeatedBytes(Self.shortPacket, 100)
        builder.tracks[0].times = [(99, 960), (1, 500)]
        #expect(try probeBytes(builder.bytes()).duration?.ticks == 99 * 960 + 500 - 312)
        builder.tracks[0].edits = [(1984, 312)]
        #expect(try probeBytes(builder.bytes()).duration?.ticks == 99 * 960 + 500 - 312)
        #expect(try probeBytes(builder.bytes()).duration?.isExact == true)
        // An edit list that plays from the beginning includes what decoders discard, so players differ.
        builder.tracks[0].edits = [(1990, 0)]
        let duration = try #require(try probeBytes(builder.bytes()).duration)
        #expect(duration.ticks == 99 * 960 + 500 - 312 && duration.errorBound == 312.0 / 48_000)
    }
}
