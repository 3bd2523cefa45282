import AudioProbe
import Diagnostics
import Testing

@Suite("The duration of AIFF follows from the size of its audio")
struct AIFFTests {
    static func makeFile(_ type: String?, frames: Int, channels: Int = 1, bits: Int = 16, _ count: Int) -> [UInt8] {
        var aiff = AIFFBuilder(type: type)
        aiff.appendCommonChunk(frames: frames, channels: channels, bits: bits)
        aiff.appendSoundDataChunk(byteCount: count)
        return aiff.bytes
    }

    @Test(arguments: [
        (String?.none, 16, 400, AudioCodec.pcm), (nil, 12, 400, .pcm), (nil, 24, 266, .pcm), ("NONE", 8, 800, .pcm),
        ("sowt", 16, 400, .pcm), ("twos", 32, 200, .pcm), ("in24", 16, 266, .pcm), ("in32", 16, 200, .pcm),
        ("fl32", 16, 200, .pcmFloat), ("FL32", 16, 200, .pcmFloat), ("fl64", 16, 100, .pcmFloat),
        ("FL64", 16, 100, .pcmFloat), ("alaw", 16, 800, .aLaw), ("ALAW", 16, 800, .aLaw), ("ulaw", 16, 800, .muLaw),
        ("ULAW", 16, 800, .muLaw), ("raw ", 8, 800, .pcm),
    ])
    func everyPCMEncodingHasExactDuration(type: String?, bits: Int, frames: Int, codec: AudioCodec) throws {
        let count = bits == 24 || type == "in24" ? 798 : 800
        let recording = try probeBytes(Self.makeFile(type, frames: frames, bits: bits, count))
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
    func compressedPacketsHoldSeveralFrames(type: String, bytes: Int, samples: Int, codec: AudioCodec) throws {
        let recording = try probeBytes(Self.makeFile(type, frames: 20, channels: 2, bytes * 2 * 20))
        #expect(recording.mainTrack.codec == codec)
        #expect(recording.duration?.ticks == 20 * samples)
        #expect(recording.warnings.isEmpty)
        // Some writers count frames. The last packet is then played in part.
        let counted = try probeBytes(Self.makeFile(type, frames: 20 * samples - 1, channels: 2, bytes * 2 * 20))
        #expect(counted.duration?.ticks == 20 * samples - 1)
        #expect(counted.warnings.isEmpty)
    }

    @Test(arguments: [(300, false), (500, true)])
    func declaredFrameCountIsOnlyCompared(frames: Int, isExact: Bool) throws {
        let recording = try probeBytes(Self.makeFile(nil, frames: frames, 800))
        #expect(recording.duration?.ticks == 400)
        #expect(recording.duration?.isExact == isExact)
        #expect(recording.warnings.map(\.code) == [.headerContradicts])
    }

    @Test(arguments: [0, 0x7FFF_FFFF, 0xFFFF_FFFF])
    func missingFrameCountIsTolerated(frames: Int) throws {
        let recording = try probeBytes(Self.makeFile(nil, frames: frames, 800))
        #expect(recording.duration?.ticks == 400)
        #expect(recording.warnings.map(\.code) == [.placeholderSize])
    }

    /// The first value is the one that SoX writes into a pipe.
    @Test(arguments: [(0x7F00_0008, 0x3F80_0000), (0xFFFF_FFFF, 0xFFFF_FFFF), (0, 0), (8, 0)])
    func placeholderSizeExtendsToEndOfFile(size: Int, frames: Int) throws {
        var aiff = AIFFBuilder()
        aiff.appendCommonChunk(frames: frames)
        aiff.appendSoundDataChunk(byteCount: 800, declaredSize: size)
        let recording = try probeBytes(aiff.bytes)
        #expect(recording.duration?.ticks == 400)
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.map(\.code) == [.placeholderSize])
    }

    @Test("The frames that SoX states into a pipe need not fill its placeholder size")
    func placeholderFrameCountIsRoundedDown() throws {
        var aiff = AIFFBuilder()
        aiff.appendCommonChunk(frames: 0x7F00_0000 / 6, channels: 2, bits: 24)
        aiff.appendSoundDataChunk(byteCount: 600, declaredSize: 0x7F00_0008)
        let recording = try probeBytes(aiff.bytes)
        #expect(recording.duration?.ticks == 100)
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.map(\.code) == [.placeholderSize])
    }

    @Test(
        "A size of nearly 2 GiB and more that is no placeholder means truncation",
        arguments: [0x7F80_0008, 0xC000_0008])
    func largeSizeIsTruncated(size: Int) throws {
        var aiff = AIFFBuilder()
        aiff.appendCommonChunk(frames: (size - 8) / 2)
        aiff.appendSoundDataChunk(byteCount: 800, declaredSize: size)
        let recording = try probeBytes(aiff.bytes)
        #expect(recording.duration?.ticks == 400)
        #expect(recording.completeness == .truncated(offset: aiff.bytes.count))
    }

    @Test func sizeBeyondEndOfFileIsTruncated() throws {
        var aiff = AIFFBuilder()
        aiff.appendCommonChunk(frames: 5000)
        aiff.appendSoundDataChunk(byteCount: 801, declaredSize: 10_008)
        let recording = try probeBytes(aiff.bytes)
        #expect(recording.duration?.ticks == 401)
        #expect(recording.completeness == .truncated(offset: aiff.bytes.count))
    }

    @Test func chunkOrderIsFreeAndDataMayBeAligned() throws {
        var aiff = AIFFBuilder()
        aiff.appendChunk("NAME", content: Array("a name".utf8))
        aiff.appendSoundDataChunk(byteCount: 800, offset: 100)
        aiff.appendChunk("ANNO", content: Array("Processed by SoX".utf8))
        aiff.appendCommonChunk(frames: 400)
        aiff.appendChunk("APPL", content: [1, 2, 3, 4])
        let recording = try probeBytes(aiff.bytes)
        #expect(recording.duration?.ticks == 400)
        #expect(recording.metadata.map(\.kind) == [.text, .applicationData])
        #expect(recording.warnings.map(\.code) == [.carriesMetadata])
    }

    @Test func dataOffsetBeyondEndOfFileIsTruncated() throws {
        var aiff = AIFFBuilder()
        aiff.appendCommonChunk(frames: 400)
        aiff.appendChunk("SSND", content: [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 1, 2, 3, 4])
        let recording = try probeBytes(aiff.bytes)
        #expect(recording.duration?.ticks == 0)
        #expect(recording.completeness == .truncated(offset: aiff.bytes.count))
    }

    /// 22,254.5 and 44,100 Hz, and invalid rates.
    @Test func sampleRateIsReadAs80BitFloat() throws {
        var aiff = AIFFBuilder()
        aiff.appendCommonChunk(frames: 400, exponent: 0x400D, significand: 0xADDD << 48)
        aiff.appendSoundDataChunk(byteCount: 800)
        let recording = try probeBytes(aiff.bytes)
        #expect(recording.mainTrack.sampleRate == 22_255)
        let half = AudioDuration(ticks: 400 * 65_536, timescale: 22_254 * 65_536 + 32_768 + 8192 * 0, method: .header)
        #expect(abs((recording.duration?.seconds ?? 0) - half.seconds) < 1e-4)
        #expect(recording.duration?.isExact == true)

        var common = AIFFBuilder()
        common.appendCommonChunk(frames: 400, exponent: 0x400E, significand: 0xAC44 << 48)
        common.appendSoundDataChunk(byteCount: 800)
        #expect(try probeBytes(common.bytes).duration == AudioDuration(ticks: 400, timescale: 44_100, method: .header))

        for exponent in [0, 0x3FFE, 0x401F, 0x7FFF, 0xC00E] {
            var broken = AIFFBuilder()
            broken.appendCommonChunk(frames: 400, exponent: exponent)
            broken.appendSoundDataChunk(byteCount: 800)
            #expect(probeErrorCode(broken.bytes) == .damaged)
        }
    }

    @Test func unknownCodecDurationIsEstimated() throws {
        let recording = try probeBytes(Self.makeFile("QDM2", frames: 4000, 800))
        #expect(recording.mainTrack.codec.rawValue == "QDM2")
        #expect(recording.duration?.method == .estimate)
        #expect(recording.duration?.isExact == false)
        #expect(try probeBytes(Self.makeFile("QDM2", frames: 0, 800)).completeness == .unfinalized)
    }

    @Test func fileWithoutFramesIsEmpty() throws {
        let recording = try probeBytes(Self.makeFile(nil, frames: 0, 0))
        #expect(recording.completeness == .noAudioFrames)
        #expect(recording.warnings.isEmpty)
    }

    @Test func impossibleFieldsAreDamaged() {
        #expect(probeErrorCode(Self.makeFile(nil, frames: 1, channels: 0, 800)) == .damaged)
        #expect(probeErrorCode(Self.makeFile(nil, frames: 1, bits: 0, 800)) == .damaged)
        #expect(probeErrorCode(Self.makeFile(nil, frames: 1, bits: 0xFFFF, 800)) == .damaged)
        var aiff = AIFFBuilder()
        aiff.appendSoundDataChunk(byteCount: 800)
        #expect(probeErrorCode(aiff.bytes) == .damaged)
    }

    @Test func prefixesAndFlippedBytesAreHandled() throws {
        for type in [nil, "ima4"] {
            var aiff = AIFFBuilder(type: type)
            aiff.appendCommonChunk(frames: type == nil ? 102 : 6)
            aiff.appendChunk("NAME", content: Array("a name".utf8))
            aiff.appendSoundDataChunk(byteCount: 204)
            aiff.appendChunk("ANNO", content: Array("a note".utf8))
            try HostileInputChecks.expectPrefixesAreHandled(aiff.bytes)
            HostileInputChecks.expectByteFlipsAreHandled(aiff.bytes)
        }
    }
}
