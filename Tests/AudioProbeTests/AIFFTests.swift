import AudioProbe
import Testing

@Suite("AIFF lasts as long as its sound takes bytes")
struct AIFFTests {
    static func file(_ type: String?, frames: Int, channels: Int = 1, bits: Int = 16, _ count: Int) -> [UInt8] {
        var aiff = AIFFBuilder(type: type)
        aiff.common(frames: frames, channels: channels, bits: bits)
        aiff.sound(count)
        return aiff.bytes
    }

    @Test(arguments: [
        (String?.none, 16, 400, AudioCodec.pcm), (nil, 12, 400, .pcm), (nil, 24, 266, .pcm), ("NONE", 8, 800, .pcm),
        ("sowt", 16, 400, .pcm), ("twos", 32, 200, .pcm), ("in24", 16, 266, .pcm), ("in32", 16, 200, .pcm),
        ("fl32", 16, 200, .pcmFloat), ("FL32", 16, 200, .pcmFloat), ("fl64", 16, 100, .pcmFloat),
        ("FL64", 16, 100, .pcmFloat), ("alaw", 16, 800, .aLaw), ("ALAW", 16, 800, .aLaw), ("ulaw", 16, 800, .muLaw),
        ("ULAW", 16, 800, .muLaw), ("raw ", 8, 800, .pcm),
    ])
    func everyKindIsExact(type: String?, bits: Int, frames: Int, codec: AudioCodec) throws {
        let count = bits == 24 || type == "in24" ? 798 : 800
        let recording = try probe(Self.file(type, frames: frames, bits: bits, count))
        #expect(recording.container == (type == nil ? .aiff : .aifc))
        #expect(recording.mainTrack.codec == codec)
        #expect(recording.duration == AudioDuration(ticks: frames, timescale: 8000, method: .header))
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.isEmpty)
    }

    @Test(arguments: [
        ("ima4", 34, 64, AudioCodec.adpcmIMA), ("MAC3", 2, 6, AudioCodec(rawValue: "mace3")),
        ("MAC6", 1, 6, AudioCodec(rawValue: "mace6")), ("GSM ", 33, 160, .gsm),
        ("G722", 1, 2, AudioCodec(rawValue: "g722")),
    ])
    func packetsHoldSeveralFrames(type: String, bytes: Int, samples: Int, codec: AudioCodec) throws {
        let recording = try probe(Self.file(type, frames: 20, channels: 2, bytes * 2 * 20))
        #expect(recording.mainTrack.codec == codec)
        #expect(recording.duration?.ticks == 20 * samples)
        #expect(recording.warnings.isEmpty)
        // Some writers count frames; the last packet is then played in part.
        let counted = try probe(Self.file(type, frames: 20 * samples - 1, channels: 2, bytes * 2 * 20))
        #expect(counted.duration?.ticks == 20 * samples - 1)
        #expect(counted.warnings.isEmpty)
    }

    @Test(arguments: [(300, false), (500, true)])
    func theCountOfFramesIsOnlyCompared(frames: Int, isExact: Bool) throws {
        let recording = try probe(Self.file(nil, frames: frames, 800))
        #expect(recording.duration?.ticks == 400)
        #expect(recording.duration?.isExact == isExact)
        #expect(recording.warnings.map(\.code) == [.headerContradicts])
    }

    @Test(arguments: [0, 0x7FFF_FFFF, 0xFFFF_FFFF])
    func theCountOfFramesMayBeMissing(frames: Int) throws {
        let recording = try probe(Self.file(nil, frames: frames, 800))
        #expect(recording.duration?.ticks == 400)
        #expect(recording.warnings.map(\.code) == [.placeholderSize])
    }

    /// The first is what SoX writes into a pipe.
    @Test(arguments: [(0x7F00_0008, 0x3F80_0000), (0xFFFF_FFFF, 0xFFFF_FFFF), (0, 0), (8, 0)])
    func aSizeThatIsNoneMeansToTheEnd(size: Int, frames: Int) throws {
        var aiff = AIFFBuilder()
        aiff.common(frames: frames)
        aiff.sound(800, size: size)
        let recording = try probe(aiff.bytes)
        #expect(recording.duration?.ticks == 400)
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.map(\.code) == [.placeholderSize])
    }

    @Test func aSizeBeyondTheFileIsTruncated() throws {
        var aiff = AIFFBuilder()
        aiff.common(frames: 5000)
        aiff.sound(801, size: 10_008)
        let recording = try probe(aiff.bytes)
        #expect(recording.duration?.ticks == 401)
        #expect(recording.completeness == .truncated(offset: aiff.bytes.count))
    }

    @Test func orderIsFreeAndSoundMayBeAligned() throws {
        var aiff = AIFFBuilder()
        aiff.chunk("NAME", Array("a name".utf8))
        aiff.sound(800, offset: 100)
        aiff.chunk("ANNO", Array("Processed by SoX".utf8))
        aiff.common(frames: 400)
        aiff.chunk("APPL", [1, 2, 3, 4])
        let recording = try probe(aiff.bytes)
        #expect(recording.duration?.ticks == 400)
        #expect(recording.metadata.map(\.kind) == [.text, .applicationData])
        #expect(recording.warnings.map(\.code) == [.carriesMetadata])
    }

    @Test func anOffsetBeyondTheFileIsTruncated() throws {
        var aiff = AIFFBuilder()
        aiff.common(frames: 400)
        aiff.chunk("SSND", [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 1, 2, 3, 4])
        let recording = try probe(aiff.bytes)
        #expect(recording.duration?.ticks == 0)
        #expect(recording.completeness == .truncated(offset: aiff.bytes.count))
    }

    /// 22,254.5 and 44,100 Hz, and what is none.
    @Test func ratesHave80Bits() throws {
        var aiff = AIFFBuilder()
        aiff.common(frames: 400, exponent: 0x400D, significand: 0xADDD << 48)
        aiff.sound(800)
        let recording = try probe(aiff.bytes)
        #expect(recording.mainTrack.sampleRate == 22_255)
        let half = AudioDuration(ticks: 400 * 65_536, timescale: 22_254 * 65_536 + 32_768 + 8192 * 0, method: .header)
        #expect(abs((recording.duration?.seconds ?? 0) - half.seconds) < 1e-4)
        #expect(recording.duration?.isExact == true)

        var common = AIFFBuilder()
        common.common(frames: 400, exponent: 0x400E, significand: 0xAC44 << 48)
        common.sound(800)
        #expect(try probe(common.bytes).duration == AudioDuration(ticks: 400, timescale: 44_100, method: .header))

        for exponent in [0, 0x3FFE, 0x401F, 0x7FFF, 0xC00E] {
            var broken = AIFFBuilder()
            broken.common(frames: 400, exponent: exponent)
            broken.sound(800)
            #expect(refusal(broken.bytes) == .damaged)
        }
    }

    @Test func otherCodecsAreEstimated() throws {
        let recording = try probe(Self.file("QDM2", frames: 4000, 800))
        #expect(recording.mainTrack.codec.rawValue == "QDM2")
        #expect(recording.duration?.method == .estimate)
        #expect(recording.duration?.isExact == false)
        #expect(try probe(Self.file("QDM2", frames: 0, 800)).completeness == .unfinalized)
    }

    @Test func withoutFramesItIsEmpty() throws {
        let recording = try probe(Self.file(nil, frames: 0, 0))
        #expect(recording.completeness == .noAudioFrames)
        #expect(recording.warnings.isEmpty)
    }

    @Test func impossibleFieldsAreRefused() {
        #expect(refusal(Self.file(nil, frames: 1, channels: 0, 800)) == .damaged)
        #expect(refusal(Self.file(nil, frames: 1, bits: 0, 800)) == .damaged)
        #expect(refusal(Self.file(nil, frames: 1, bits: 0xFFFF, 800)) == .damaged)
        var aiff = AIFFBuilder()
        aiff.sound(800)
        #expect(refusal(aiff.bytes) == .damaged)
    }

    @Test func prefixesAndChangedBytesHold() throws {
        for type in [nil, "ima4"] {
            var aiff = AIFFBuilder(type: type)
            aiff.common(frames: type == nil ? 102 : 6)
            aiff.chunk("NAME", Array("a name".utf8))
            aiff.sound(204)
            aiff.chunk("ANNO", Array("a note".utf8))
            try HostileBytes.expectPrefixesToHold(aiff.bytes)
            HostileBytes.flip(aiff.bytes)
        }
    }
}
