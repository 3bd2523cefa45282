import AudioProbe
import Diagnostics
import Testing

@Suite("Codecs in Ogg")
struct OggCodecTests {
    @Test(
        "Opus, less pre-skip and end trim, wherever its positions begin", arguments: [0, 1, 4_800_000], [0, 1, 9599])
    func opusIsTrimmedByPreSkipAndEnd(start: Int, trim: Int) throws {
        let recording = try probeBytes(OggBuilder.makeOpusStream(pages: 3, start: start, trim: trim).bytes)
        #expect(recording.container == .ogg)
        #expect(recording.mainTrack.codec == .opus)
        #expect(recording.mainTrack.sampleRate == 48_000)
        #expect(recording.duration == AudioDuration(ticks: 28_800 - 312 - trim, timescale: 48_000, method: .scan))
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.isEmpty)
    }

    @Test("A single page of Opus may discard most of its samples")
    func singleOpusPageMayBeTrimmedMostly() throws {
        #expect(try probeBytes(OggBuilder.makeOpusStream(pages: 1, trim: 9600 - 400).bytes).duration?.ticks == 88)
        #expect(try probeBytes(OggBuilder.makeOpusStream(pages: 1, trim: 9600 - 100).bytes).duration?.ticks == 0)
    }

    @Test("At most the last page is discarded")
    func endTrimIsLimitedToLastPage() throws {
        let recording = try probeBytes(OggBuilder.makeOpusStream(pages: 3, trim: 20_000).bytes)
        #expect(recording.duration?.ticks == 19_200 - 312)
        #expect(warningCodes(recording) == [.headerContradicts])
    }

    @Test("Gaps in Opus are reported, and jitter is not")
    func opusPausesAreReported() throws {
        for (jump, isPause) in [(48, false), (480, false), (481, true), (960_000, true)] {
            var ogg = OggBuilder()
            let packets = Array(repeating: OggPackets.opus, count: 10)
            ogg.appendPage([OggPackets.opusHead()], isFirst: true)
            ogg.appendPage([OggPackets.opusTags()])
            ogg.appendPage(packets, granule: 9600)
            ogg.appendPage(packets, granule: 19_200 + jump, isLast: true)
            let recording = try probeBytes(ogg.bytes)
            #expect(recording.duration?.ticks == 19_200 - 312)
            #expect(warningCodes(recording) == (isPause ? [.timelineGap] : []))
            #expect(recording.timelineSeconds == (isPause ? Double(19_200 - 312 + jump) / 48_000 : nil))
        }
    }

    @Test("Tags of Opus are reported, except the encoder's name")
    func opusTagsAreReportedWithoutEncoder() throws {
        let tags = ["ENCODER=x", "METADATA_BLOCK_PICTURE=" + String(repeating: "A", count: 9000), "DATE=2024"]
        let ogg = OggBuilder.makeOpusStream(pages: 1, tags: tags)
        let recording = try probeBytes(ogg.bytes)
        #expect(recording.metadata.map(\.kind) == [.image, .text])
        #expect(warningCodes(recording) == [.carriesMetadata])
        #expect(recording.metadata.first?.range.upperBound == ogg.ends[1])
        #expect(try probeBytes(OggBuilder.makeOpusStream(pages: 1, tags: ["ENCODER=x"]).bytes).warnings.isEmpty)
    }

    @Test("Vorbis packets are counted by their block sizes", arguments: [0, 1, 500_000], [0, 1, 1023])
    func vorbisIsCountedByWindows(start: Int, trim: Int) throws {
        let recording = try probeBytes(OggBuilder.makeVorbisStream(pages: 2, start: start, trim: trim).bytes)
        #expect(recording.mainTrack.codec == .vorbis)
        #expect(recording.mainTrack.channels == 2)
        #expect(recording.duration == AudioDuration(ticks: 19_456 - trim, timescale: 44_100, method: .scan))
        #expect(recording.warnings.isEmpty)
    }

    @Test("Vorbis discards samples at the beginning if the first position requires it")
    func vorbisStartIsTrimmedByFirstPosition() throws {
        var ogg = OggBuilder()
        let long = OggPackets.vorbisAudio(isLongWindow: true), short = OggPackets.vorbisAudio(isLongWindow: false)
        ogg.appendPage([OggPackets.vorbisIdentification()], isFirst: true)
        ogg.appendPage([OggPackets.vorbisComment(["TITLE=x"]), OggPackets.vorbisSetup()])
        // 0, 576, 128, 576 and 1024 samples.
        ogg.appendPage([long, short, short, long, long], granule: 2000)
        ogg.appendPage([long], granule: 3000, isLast: true)
        let recording = try probeBytes(ogg.bytes)
        #expect(recording.duration == AudioDuration(ticks: 3000, timescale: 44_100, method: .scan))
        #expect(recording.metadata.map(\.kind) == [.text])
    }

    @Test("A setup header may span pages, and is required")
    func vorbisSetupMaySpanPagesAndIsRequired() throws {
        let setup = OggPackets.vorbisSetup(books: 255 * 300 - 7)
        func file(_ setup: [UInt8]) -> [UInt8] {
            var ogg = OggBuilder()
            ogg.appendPage([OggPackets.vorbisIdentification()], isFirst: true)
            ogg.appendPage([OggPackets.vorbisComment()])
            ogg.appendPage([Array(setup[..<(255 * 200)])], granule: -1, isOpen: true)
            ogg.appendPage([Array(setup[(255 * 200)...])], isRest: true)
            ogg.appendPage(
                Array(repeating: OggPackets.vorbisAudio(isLongWindow: true), count: 3), granule: 2048, isLast: true)
            return ogg.bytes
        }
        #expect(try probeBytes(file(setup)).duration?.ticks == 2048)
        #expect(probeErrorCode(file([UInt8](repeating: 0, count: 255 * 250))) == .damaged)
    }

    @Test("Speex frames are counted, less the samples that are discarded at both ends", arguments: [1, 2, 4])
    func speexIsCountedByFrames(framesPerPacket: Int) throws {
        var ogg = OggBuilder()
        let packet: [UInt8] = [1, 2, 3], size = 320 * framesPerPacket
        ogg.appendPage([OggPackets.speexHeader(framesPerPacket: framesPerPacket, extra: 1)], isFirst: true)
        ogg.appendPage([FLACBuilder.vorbisCommentBlock(entries: [])])
        ogg.appendPage([[9]])
        ogg.appendPage(Array(repeating: packet, count: 50), granule: 50 * size - 143)
        ogg.appendPage([packet, packet], granule: 51 * size, isLast: true)
        let recording = try probeBytes(ogg.bytes)
        #expect(recording.mainTrack.codec == .speex)
        #expect(recording.duration == AudioDuration(ticks: 51 * size, timescale: 16_000, method: .scan))
        let cut = try probeBytes(Array(ogg.bytes[..<ogg.ends[3]]))
        #expect(cut.duration?.ticks == 50 * size - 143)
        #expect(cut.duration?.errorBound == Double(size) / 16_000)
    }

    @Test("FLAC frames are counted, whatever the header states")
    func flacIsCountedByFrameSizes() throws {
        for (total, expected) in [(nil, []), (0, []), (1, [.headerContradicts])] as [(Int?, [Diagnostic.Code])] {
            var builder = FLACBuilder(frameCount: 20, lastFrameSamples: 100)
            builder.total = total
            var ogg = OggBuilder()
            ogg.appendPage([OggPackets.flacMappingHeader(builder)], isFirst: true)
            ogg.appendPage([[0x84, 0, 0, 0] + FLACBuilder.vorbisCommentBlock(entries: ["ENCODER=x"])])
            let frames = builder.encodedFrames
            ogg.appendPage(Array(frames[..<20]), granule: 3840)
            ogg.appendPage(Array(frames[20...]), granule: 3940, isLast: true)
            let recording = try probeBytes(ogg.bytes)
            #expect(recording.mainTrack.codec == .flac)
            #expect(recording.mainTrack.bitsPerSample == 8)
            #expect(recording.duration == AudioDuration(ticks: 3940, timescale: 8000, method: .scan))
            #expect(warningCodes(recording) == expected)
        }
    }
}
