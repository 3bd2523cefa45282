import AudioProbe
import Diagnostics
import Testing

@Suite("The duration of WAVE follows from the size of its audio")
struct WaveTests {
    /// A file of `tag` with `count` bytes of audio.
    static func makeFile(
        _ tag: Int, channels: Int = 1, align: Int? = nil, bits: Int, more: [UInt8] = [], fact: Int? = nil, _ count: Int,
        magic: String = "RIFF"
    ) -> [UInt8] {
        var wave = WaveBuilder(magic: magic)
        wave.appendFormatChunk(tag: tag, channels: channels, align: align, bits: bits, more: more)
        if let fact {
            wave.appendChunk("fact", content: wave.encodedInteger(fact, byteCount: 4))
        }
        wave.appendDataChunk(byteCount: count)
        return wave.encoded()
    }

    struct Kind: CustomTestStringConvertible {
        let codec: AudioCodec
        let tag: Int
        var channels = 1
        var align: Int?
        let bits: Int
        var more: [UInt8] = []
        var fact: Int?
        let count: Int
        let ticks: Int
        var testDescription: String { "\(codec), \(bits) bits, \(count) bytes" }
    }

    @Test(arguments: [
        Kind(codec: .pcm, tag: 1, bits: 8, count: 800, ticks: 800),
        Kind(codec: .pcm, tag: 1, channels: 2, bits: 12, count: 800, ticks: 200),
        Kind(codec: .pcm, tag: 1, bits: 16, count: 800, ticks: 400),
        Kind(codec: .pcm, tag: 1, channels: 6, bits: 24, count: 900, ticks: 50),
        Kind(codec: .pcm, tag: 1, align: 4, bits: 24, count: 800, ticks: 200),
        Kind(codec: .pcm, tag: 1, bits: 32, count: 800, ticks: 200),
        Kind(codec: .pcmFloat, tag: 3, bits: 32, count: 800, ticks: 200),
        Kind(codec: .pcmFloat, tag: 3, channels: 2, bits: 64, count: 800, ticks: 50),
        Kind(codec: .aLaw, tag: 6, bits: 8, count: 800, ticks: 800),
        Kind(codec: .muLaw, tag: 7, channels: 2, bits: 8, count: 800, ticks: 400),
        // 256 bytes: 7 with two samples, and two in each of the others.
        Kind(codec: .adpcmMS, tag: 2, align: 256, bits: 4, more: [32, 0, 0xF4, 1], count: 1280, ticks: 2500),
        Kind(
            codec: .adpcmMS, tag: 2, align: 256, bits: 4, more: [32, 0, 0xF4, 1], fact: 2300, count: 1280, ticks: 2300),
        Kind(codec: .adpcmMS, tag: 2, align: 256, bits: 4, more: [32, 0, 0, 0], count: 1380, ticks: 2688),
        // Four bytes with one sample, and two in each of the others.
        Kind(codec: .adpcmIMA, tag: 0x11, align: 256, bits: 4, more: [2, 0, 0xF9, 1], count: 1280, ticks: 2525),
        Kind(codec: .adpcmIMA, tag: 0x11, align: 256, bits: 4, more: [2, 0, 0xF9, 1], count: 1380, ticks: 2718),
        Kind(codec: .adpcmIMA, tag: 0x11, channels: 2, align: 512, bits: 4, fact: 1000, count: 1024, ticks: 1000),
        Kind(codec: .gsm, tag: 0x31, align: 65, bits: 0, more: [2, 0, 64, 1], count: 650, ticks: 3200),
        Kind(codec: .gsm, tag: 0x31, align: 65, bits: 0, more: [2, 0, 64, 1], fact: 3100, count: 650, ticks: 3100),
        Kind(codec: AudioCodec(rawValue: "g726"), tag: 0x64, align: 1, bits: 4, count: 400, ticks: 800),
        Kind(codec: AudioCodec(rawValue: "g726"), tag: 0x64, align: 3, bits: 3, count: 300, ticks: 800),
    ])
    func everyEncodingHasExactDuration(kind: Kind) throws {
        for magic in ["RIFF", "RIFX"] where magic == "RIFF" || kind.more.isEmpty {
            let bytes = Self.makeFile(
                kind.tag, channels: kind.channels, align: kind.align, bits: kind.bits, more: kind.more, fact: kind.fact,
                kind.count, magic: magic)
            let recording = try probeBytes(bytes)
            #expect(recording.container == .wav)
            #expect(recording.mainTrack.codec == kind.codec)
            #expect(recording.mainTrack.channels == kind.channels)
            #expect(recording.duration == AudioDuration(ticks: kind.ticks, timescale: 8000, method: .header))
            #expect(recording.completeness == .complete)
            #expect(recording.warnings.isEmpty)
            #expect(recording.mediaBytes == kind.count)
        }
    }

    @Test(arguments: ["RIFF", "RIFX"], [(1, AudioCodec.pcm, 20, 24), (3, .pcmFloat, 32, 32), (7, .muLaw, 8, 8)])
    func extensibleFormatIsIdentifiedByGUID(magic: String, kind: (tag: Int, codec: AudioCodec, valid: Int, bits: Int))
        throws
    {
        var wave = WaveBuilder(magic: magic)
        wave.appendExtensibleFormatChunk(tag: kind.tag, channels: 2, bits: kind.bits, validBits: kind.valid)
        wave.appendDataChunk(byteCount: kind.bits / 8 * 2 * 50)
        let recording = try probeBytes(wave.encoded())
        #expect(recording.mainTrack.codec == kind.codec)
        #expect(recording.mainTrack.bitsPerSample == (kind.tag == 1 ? 20 : kind.tag == 3 ? 32 : nil))
        #expect(recording.duration?.ticks == 50)
    }

    @Test func incompleteLastFrameIsReported() throws {
        let recording = try probeBytes(Self.makeFile(1, channels: 2, bits: 16, 803))
        #expect(recording.duration?.ticks == 200)
        #expect(recording.warnings.map(\.code) == [.trailingBytes])
        #expect(recording.warnings.first?.offset == 44 + 800)
    }

    @Test(arguments: [(0, 400), (1, 400), (4, 400), (7, 400)])
    func wrongBlockAlignIsDerivedFromBits(align: Int, ticks: Int) throws {
        let recording = try probeBytes(Self.makeFile(1, align: align, bits: 16, 800))
        #expect(recording.duration?.ticks == ticks)
        #expect(recording.warnings.map(\.code) == [.headerContradicts])
    }

    @Test func factChunkIsOnlyCompared() throws {
        for (fact, codes) in [
            (1000, [Diagnostic.Code.headerContradicts]), (3000, [.headerContradicts]), (0, []), (0xFFFF_FFFF, []),
        ] {
            let recording = try probeBytes(
                Self.makeFile(2, align: 256, bits: 4, more: [32, 0, 0xF4, 1], fact: fact, 1280))
            #expect(recording.duration?.ticks == 2500)
            #expect(recording.warnings.map(\.code) == codes)
        }
        #expect(try probeBytes(Self.makeFile(1, bits: 16, fact: 399, 800)).duration?.ticks == 400)
    }

    @Test func mpegAudioFramesInWaveAreCounted() throws {
        // Layer III, 32 kbit/s at 32 kHz: 144 bytes for 1152 samples.
        let frame: [UInt8] = [0xFF, 0xFB, 0x18, 0xC0] + [UInt8](repeating: 0, count: 140)
        var wave = WaveBuilder()
        wave.appendFormatChunk(tag: 0x55, rate: 32_000, byteRate: 0, align: 144, bits: 0)
        wave.appendChunk("data", content: Array(repeatElement(frame, count: 10).joined()))
        let recording = try probeBytes(wave.encoded())
        #expect(recording.mainTrack.codec == .mp3)
        #expect(recording.duration == AudioDuration(ticks: 11_520, timescale: 32_000, method: .scan))
        let cut = try probeBytes(Array(wave.encoded().dropLast()))
        #expect(cut.duration?.ticks == 10_368)
        #expect(cut.completeness == .truncated(offset: wave.encoded().count - 144))
    }

    @Test func unknownCodecDurationIsEstimated() throws {
        let recording = try probeBytes(Self.makeFile(0x161, align: 100, bits: 1, 800))
        #expect(recording.mainTrack.codec.rawValue == "0x161")
        let duration = try #require(recording.duration)
        #expect(duration.method == .estimate)
        #expect(!duration.isExact)
    }

    @Test(arguments: [
        (1, 0, 8000, 16), (1, 1, 0, 16), (1, 1, 8000, 0), (1, 1, 8000, 65), (2, 2, 8000, 4), (0x11, 200, 8000, 4),
    ])
    func impossibleFieldsAreDamaged(tag: Int, channels: Int, rate: Int, bits: Int) {
        var wave = WaveBuilder()
        wave.appendFormatChunk(tag: tag, channels: channels, rate: rate, align: 4, bits: bits)
        wave.appendDataChunk(byteCount: 800)
        #expect(probeErrorCode(wave.encoded()) == .damaged)
    }

    @Test func prefixesAreHandled() throws {
        var wave = WaveBuilder(magic: "RF64")
        wave.appendDS64Chunk(data: 200, table: [("junk", 6)])
        wave.appendFormatChunk(channels: 2)
        wave.appendChunk("LIST", content: WaveBuilder.infoListContent(items: [("IART", "somebody")]))
        wave.appendDataChunk(byteCount: 200, declaredSize: 0xFFFF_FFFF)
        wave.appendChunk("LIST", content: WaveBuilder.infoListContent(items: [("IART", "somebody")]))
        try HostileInputChecks.expectPrefixesAreHandled(wave.encoded())
        try HostileInputChecks.expectPrefixesAreHandled(
            Self.makeFile(2, align: 32, bits: 4, more: [32, 0, 52, 0], fact: 200, 128))
        HostileInputChecks.expectByteFlipsAreHandled(wave.encoded())
    }

    @Test func flippedBytesAreHandled() {
        HostileInputChecks.expectByteFlipsAreHandled(Self.makeFile(1, bits: 16, 200))
        HostileInputChecks.expectByteFlipsAreHandled(
            Self.makeFile(2, align: 32, bits: 4, more: [32, 0, 52, 0], fact: 200, 128))
        HostileInputChecks.expectByteFlipsAreHandled(
            Self.makeFile(0x55, align: 32, bits: 4, more: [32, 0, 52, 0], fact: 200, 128))
    }
}
