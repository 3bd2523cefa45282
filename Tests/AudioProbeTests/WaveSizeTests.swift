import AudioProbe
import Diagnostics
import Testing

@Suite("Sizes in WAVE that are placeholders, wrong or in an RF64 header")
struct WaveSizeTests {
    @Test(arguments: [0x7FFF_EFC2, 0x7FFF_EFFC, 0x7FFF_F000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 0])
    func placeholderSizeExtendsToEndOfFile(size: Int) throws {
        var wave = WaveBuilder()
        wave.appendFormatChunk()
        wave.appendDataChunk(byteCount: 800, declaredSize: size)
        let recording = try probeBytes(wave.encoded(declaredSize: 0xFFFF_FFFF))
        #expect(recording.duration == AudioDuration(ticks: 400, timescale: 8000, method: .header))
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.map(\.code) == [.placeholderSize])

        let cut = try probeBytes(Array(wave.encoded().dropLast()))
        #expect(cut.duration?.ticks == 399)
        #expect(cut.completeness == .truncated(offset: 44 + 798))
    }

    @Test func zeroSizeIsTrueWhereChunksFollow() throws {
        var wave = WaveBuilder()
        wave.appendFormatChunk()
        wave.appendDataChunk(byteCount: 0)
        #expect(try probeBytes(wave.encoded()).completeness == .noAudioFrames)
        wave.appendChunk("LIST", content: WaveBuilder.infoListContent(items: [("IART", "me")]))
        let recording = try probeBytes(wave.encoded())
        #expect(recording.completeness == .noAudioFrames)
        #expect(recording.duration == AudioDuration(ticks: 0, timescale: 8000, method: .header))
        #expect(recording.warnings.map(\.code) == [.carriesMetadata])
    }

    @Test("The samples that SoX states into a pipe follow from its placeholder size, and are ignored")
    func factOfPlaceholderSizeIsIgnored() throws {
        var wave = WaveBuilder()
        wave.appendFormatChunk(tag: 0x11, channels: 1, align: 256, bits: 4, more: [2, 0, 0xF9, 1])
        wave.appendChunk("fact", content: wave.encodedInteger(0xFC7F_E070, byteCount: 4))
        wave.appendDataChunk(byteCount: 1280, declaredSize: 0x7FFF_F000)
        let recording = try probeBytes(wave.encoded())
        #expect(recording.duration?.ticks == 2525)
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.map(\.code) == [.placeholderSize])
    }

    @Test("A size of 2 GiB and more that is no placeholder means truncation", arguments: [0x8000_2000, 0xC000_0000])
    func largeSizeIsTruncated(size: Int) throws {
        var wave = WaveBuilder()
        wave.appendFormatChunk()
        wave.appendDataChunk(byteCount: 800, declaredSize: size)
        let recording = try probeBytes(wave.encoded(declaredSize: size + 36))
        #expect(recording.duration?.ticks == 400)
        #expect(recording.completeness == .truncated(offset: 44 + 800))
    }

    @Test func sizeBeyondEndOfFileIsTruncated() throws {
        var wave = WaveBuilder()
        wave.appendFormatChunk(channels: 2)
        wave.appendDataChunk(byteCount: 803, declaredSize: 1_000_000)
        let recording = try probeBytes(wave.encoded())
        #expect(recording.duration == AudioDuration(ticks: 201, timescale: 8000, method: .header))
        #expect(recording.completeness == .truncated(offset: 44 + 804))
        #expect(recording.mediaBytes == 804)
    }

    @Test func sizesAreReadFromDS64Chunk() throws {
        for (magic, container) in [("RF64", AudioContainer.rf64), ("BW64", .bw64)] {
            var wave = WaveBuilder(magic: magic)
            wave.appendDS64Chunk(data: 800, samples: 400, table: [("junk", 6)])
            wave.appendChunk("junk", content: [1, 2, 3, 4, 5, 6], declaredSize: 0xFFFF_FFFF)
            wave.appendFormatChunk()
            wave.appendDataChunk(byteCount: 800, declaredSize: 0xFFFF_FFFF)
            wave.appendChunk("axml", content: [0x3C, 0x3E])
            let recording = try probeBytes(wave.encoded(declaredSize: 0xFFFF_FFFF))
            #expect(recording.container == container)
            #expect(recording.duration?.ticks == 400)
            #expect(recording.completeness == .complete)
            #expect(recording.warnings.map(\.code) == [.carriesMetadata])
        }
    }

    @Test(arguments: [
        (800, Diagnostic.Code?.none, Recording.Completeness.complete), (-1, .placeholderSize, .complete),
        (0, .placeholderSize, .complete), (1 << 40, nil, .truncated(offset: 80 + 800)),
        (Int.max - 100, nil, .truncated(offset: 80 + 800)), (600, .trailingBytes, .complete),
    ])
    func wrongDS64SizesAreHandled(size: Int, warning: Diagnostic.Code?, completeness: Recording.Completeness) throws {
        var wave = WaveBuilder(magic: "RF64")
        wave.appendDS64Chunk(data: size, count: 0xFFFF_FFFF)
        wave.appendFormatChunk()
        wave.appendDataChunk(byteCount: 800, declaredSize: 0xFFFF_FFFF)
        let recording = try probeBytes(wave.encoded())
        #expect(recording.duration?.ticks == (size == 600 ? 300 : 400))
        #expect(recording.completeness == completeness)
        #expect(recording.warnings.map(\.code) == (warning.map { [$0] } ?? []))
    }

    @Test func missingDS64ExtendsToEndOfFile() throws {
        var wave = WaveBuilder(magic: "RF64")
        wave.appendFormatChunk()
        wave.appendDataChunk(byteCount: 800, declaredSize: 0xFFFF_FFFF)
        let recording = try probeBytes(wave.encoded())
        #expect(recording.duration?.ticks == 400)
        #expect(recording.warnings.map(\.code) == [.placeholderSize])
    }

    @Test func missingDataChunkIsTruncated() throws {
        var wave = WaveBuilder()
        wave.appendFormatChunk()
        #expect(try probeBytes(wave.encoded()).completeness == .truncated(offset: 36))
        #expect(try probeBytes(wave.encoded() + Array("data".utf8)).duration?.ticks == 0)
    }

    @Test(arguments: [0, 1, 3, 0x7FFF_FFFF, 0xFFFF_FFFF])
    func wrongSizesOfOtherChunksAreHandled(size: Int) throws {
        var wave = WaveBuilder()
        wave.appendFormatChunk()
        wave.appendChunk("JUNK", content: [UInt8](repeating: 0x41, count: 64), declaredSize: size)
        wave.appendDataChunk(byteCount: 800)
        _ = try probeBytes(wave.encoded())
        var list = WaveBuilder()
        list.appendFormatChunk()
        list.appendDataChunk(byteCount: 800)
        list.appendChunk("LIST", content: Array("INFOIART".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0x41], declaredSize: size)
        #expect(try probeBytes(list.encoded()).duration?.ticks == 400)
    }
}
