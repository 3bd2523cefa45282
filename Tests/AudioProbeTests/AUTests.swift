import AudioProbe
import Diagnostics
import Testing

@Suite("The duration of AU follows from the size of its audio")
struct AUTests {
    static func makeFile(
        encoding: Int = 3, rate: Int = 8000, channels: Int = 1, length: Int = 28, size: Int? = nil, isBig: Bool = true,
        text: String = "", _ count: Int = 800
    ) -> [UInt8] {
        var file = ByteBuilder()
        file.append(isBig ? ".snd" : "dns.")
        for field in [length, size ?? count, encoding, rate, channels] {
            if isBig { file.appendBigEndian(field, byteCount: 4) } else { file.appendLittleEndian(field, byteCount: 4) }
        }
        file.append(text)
        file.appendZeros(count: max(length - file.count, 0))
        file.append(WaveBuilder.noiseBytes(count: count))
        return file.bytes
    }

    @Test(arguments: [
        (1, AudioCodec.muLaw, 800), (2, .pcm, 800), (3, .pcm, 400), (4, .pcm, 266), (5, .pcm, 200), (6, .pcmFloat, 200),
        (7, .pcmFloat, 100), (23, AudioCodec(rawValue: "g721"), 1600), (24, AudioCodec(rawValue: "g722"), 1600),
        (25, AudioCodec(rawValue: "g723"), 2128), (26, AudioCodec(rawValue: "g723"), 1280), (27, .aLaw, 800),
    ])
    func everyEncodingHasExactDuration(encoding: Int, codec: AudioCodec, ticks: Int) throws {
        let count = [4, 25].contains(encoding) ? 798 : 800
        for isBig in [true, false] {
            let recording = try probeBytes(Self.makeFile(encoding: encoding, isBig: isBig, count))
            #expect(recording.container == .au)
            #expect(recording.mainTrack.codec == codec)
            #expect(recording.duration == AudioDuration(ticks: ticks, timescale: 8000, method: .header))
            #expect(recording.completeness == .complete)
            #expect(recording.warnings.isEmpty)
        }
    }

    @Test(arguments: [0, 0x7FFF_F000, 0xFFFF_FFFF])
    func placeholderSizeExtendsToEndOfFile(size: Int) throws {
        let recording = try probeBytes(Self.makeFile(size: size))
        #expect(recording.duration?.ticks == 400)
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.map(\.code) == [.placeholderSize])
    }

    @Test func wrongSizesAreDetected() throws {
        for size in [1000, 0x7000_0000, 0xC000_0000] {
            #expect(try probeBytes(Self.makeFile(size: size)).completeness == .truncated(offset: 828))
        }
        let shorter = try probeBytes(Self.makeFile(size: 600))
        #expect(shorter.duration?.ticks == 300)
        #expect(shorter.warnings.map(\.code) == [.trailingBytes])
        let far = try probeBytes(Array(Self.makeFile(length: 0xFFFF, size: 1 << 31).prefix(100)))
        #expect(far.completeness == .truncated(offset: 100))
        #expect(far.duration?.ticks == 0)
        #expect(try probeBytes(Self.makeFile(0)).completeness == .noAudioFrames)
    }

    @Test(arguments: [("", false), ("a song", true), ("Processed by SoX", false)])
    func annotationTextIsMetadata(text: String, isTelling: Bool) throws {
        let recording = try probeBytes(Self.makeFile(length: 64, text: text))
        #expect(recording.metadata == (isTelling ? [MetadataItem(kind: .text, range: 24..<64)] : []))
    }

    @Test func impossibleFieldsAreDamaged() {
        #expect(probeErrorCode(Self.makeFile(length: 23)) == .damaged)
        #expect(probeErrorCode(Self.makeFile(rate: 0)) == .damaged)
        #expect(probeErrorCode(Self.makeFile(channels: 0)) == .damaged)
        #expect(probeErrorCode(Self.makeFile(encoding: 9))?.rawValue == "unsupported-au-encoding")
    }

    @Test func prefixesAndFlippedBytesAreHandled() throws {
        try HostileInputChecks.expectPrefixesAreHandled(Self.makeFile(channels: 2, text: "x", 200))
        HostileInputChecks.expectByteFlipsAreHandled(Self.makeFile(channels: 2, text: "x", 200))
    }
}
