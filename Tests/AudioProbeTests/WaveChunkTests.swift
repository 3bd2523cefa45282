import AudioProbe
import Diagnostics
import Testing

@Suite("Chunks of WAVE besides the audio, and bytes after it")
struct WaveChunkTests {
    @Test(arguments: [true, false])
    func oddChunkMayBePaddedOrNot(isPadded: Bool) throws {
        var wave = WaveBuilder()
        wave.appendChunk("note", content: [1, 2, 3], isPadded: isPadded)
        wave.appendFormatChunk(bits: 8)
        wave.appendDataChunk(byteCount: 801, isPadded: isPadded)
        wave.appendChunk("LIST", content: WaveBuilder.infoListContent(items: [("INAM", "x")]))
        let recording = try probeBytes(wave.encoded())
        #expect(recording.duration?.ticks == 801)
        #expect(recording.warnings.map(\.code) == [.carriesMetadata])
        #expect(recording.metadata.map(\.kind) == [.text])
    }

    @Test func otherChunksAreIgnored() throws {
        var wave = WaveBuilder()
        for index in 0..<2000 { wave.appendChunk("JUNK", content: [UInt8](repeating: 0, count: index % 7)) }
        wave.appendDataChunk(byteCount: 800)
        for id in ["cue ", "smpl", "PEAK"] { wave.appendChunk(id, content: [0, 0, 0, 0]) }
        wave.appendFormatChunk()
        let recording = try probeBytes(wave.encoded(declaredSize: 7))
        #expect(recording.duration?.ticks == 400)
        #expect(recording.warnings.isEmpty)
        #expect(recording.metadata.isEmpty)
    }

    @Test func tooManyChunksAreRejected() throws {
        var wave = WaveBuilder()
        for _ in 0..<20 { wave.appendChunk("JUNK", content: []) }
        var options = ProbeOptions()
        options.limits.elements = 10
        #expect { try Recording(bytes: wave.encoded(), options: options) } throws: {
            ($0 as? AudioError)?.code == .limitExceeded
        }
    }

    @Test func bytesAfterDataChunkAreTrailing() throws {
        var wave = WaveBuilder()
        wave.appendFormatChunk()
        wave.appendDataChunk(byteCount: 800)
        let whole = wave.encoded()
        for (more, codes) in [
            (WaveBuilder.noiseBytes(count: 100), [Diagnostic.Code.trailingBytes]), (whole, [.trailingBytes]),
            ([0], []),
            ([0, 0], [.trailingBytes]), (Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125), [.carriesMetadata]),
        ] {
            let recording = try probeBytes(whole + more)
            #expect(recording.duration?.ticks == 400)
            #expect(recording.completeness == .complete)
            #expect(recording.warnings.map(\.code) == codes)
        }
        wave.appendDataChunk(byteCount: 800)
        #expect(try probeBytes(wave.encoded()).duration?.ticks == 400)
    }

    @Test func metadataIsListed() throws {
        var wave = WaveBuilder()
        wave.appendFormatChunk()
        wave.appendChunk("LIST", content: WaveBuilder.infoListContent(items: [("ISFT", "Lavf59")]))
        wave.appendDataChunk(byteCount: 800)
        #expect(try probeBytes(wave.encoded()).metadata.isEmpty)
        let start = wave.encoded().count
        wave.appendChunk("bext", content: [UInt8](repeating: 0, count: 602))
        wave.appendChunk("iXML", content: [0x3C, 0x3E])
        wave.appendChunk("_PMX", content: [0x3C, 0x3E])
        wave.appendChunk("id3 ", content: Array("ID3".utf8))
        let recording = try probeBytes(wave.encoded())
        #expect(
            recording.metadata == [
                MetadataItem(kind: .text, range: start..<start + 620),
                MetadataItem(kind: .xmp, range: start + 620..<start + 630),
                MetadataItem(kind: .text, range: start + 630..<start + 641),
            ])
        #expect(recording.warnings.map(\.code) == [.carriesMetadata])
    }

    @Test func leadingID3TagIsSkipped() throws {
        let tag = buildMPEGAudio { $0.appendID3v2Tag([("TIT2", [0, 65])]) }
        let recording = try probeBytes(tag + WaveTests.makeFile(1, bits: 16, 800))
        #expect(recording.duration?.ticks == 400)
        #expect(recording.metadata == [MetadataItem(kind: .text, range: 0..<tag.count)])
    }

    @Test func missingFormatChunkIsDamaged() {
        var wave = WaveBuilder()
        wave.appendDataChunk(byteCount: 800)
        #expect(probeErrorCode(wave.encoded()) == .damaged)
        wave.appendChunk("fmt ", content: [1, 0, 1])
        #expect(probeErrorCode(wave.encoded()) == .damaged)
    }

    @Test(.timeLimit(.minutes(1)))
    func manyOddChunksUseConstantStack() throws {
        var wave = WaveBuilder()
        wave.appendFormatChunk()
        for _ in 0..<100_000 { wave.appendChunk("ABCD", content: [0x41], isPadded: false) }
        wave.appendDataChunk(byteCount: 800)
        #expect(try probeBytes(wave.encoded()).duration?.ticks == 400)
    }
}
