import AudioProbe
import Testing

@Suite("Codecs in Ogg")
struct OggCodecTests {
    @Test(
        "Opus, less pre-skip and end trim, wherever its positions begin", arguments: [0, 1, 4_800_000], [0, 1, 9599])
    func opus(start: Int, trim: Int) throws {
        let recording = try probe(OggBuilder.opus(pages: 3, start: start, trim: trim).bytes)
        #expect(recording.container == .ogg)
        #expect(recording.mainTrack.codec == .opus)
        #expect(recording.mainTrack.sampleRate == 48_000)
        #expect(recording.duration == AudioDuration(ticks: 28_800 - 312 - trim, timescale: 48_000, method: .scan))
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.isEmpty)
    }

    @Test("An only page of Opus may leave out more than it keeps")
    func shortOpus() throws {
        #expect(try probe(OggBuilder.opus(pages: 1, trim: 9600 - 400).bytes).duration?.ticks == 88)
        #expect(try probe(OggBuilder.opus(pages: 1, trim: 9600 - 100).bytes).duration?.ticks == 0)
    }

    @Test("No more than the last page is left out")
    func excessiveTrim() throws {
        let recording = try probe(OggBuilder.opus(pages: 3, trim: 20_000).bytes)
        #expect(recording.duration?.ticks == 19_200 - 312)
        #expect(codes(recording) == [.headerContradicts])
    }

    @Test("Pauses of Opus are told, and jitter is not")
    func pauses() throws {
        for (jump, isPause) in [(48, false), (480, false), (481, true), (960_000, true)] {
            var ogg = OggBuilder()
            let packets = Array(repeating: OggPackets.opus, count: 10)
            ogg.page([OggPackets.opusHead()], isFirst: true)
            ogg.page([OggPackets.opusTags()])
            ogg.page(packets, granule: 9600)
            ogg.page(packets, granule: 19_200 + jump, isLast: true)
            let recording = try probe(ogg.bytes)
            #expect(recording.duration?.ticks == 19_200 - 312)
            #expect(codes(recording) == (isPause ? [.timelineGap] : []))
            #expect(recording.timelineSeconds == (isPause ? Double(19_200 - 312 + jump) / 48_000 : nil))
        }
    }

    @Test("Tags of Opus are reported, the encoder's name is not")
    func tags() throws {
        let tags = ["ENCODER=x", "METADATA_BLOCK_PICTURE=" + String(repeating: "A", count: 9000), "DATE=2024"]
        let ogg = OggBuilder.opus(pages: 1, tags: tags)
        let recording = try probe(ogg.bytes)
        #expect(recording.metadata.map(\.kind) == [.image, .text])
        #expect(codes(recording) == [.carriesMetadata])
        #expect(recording.metadata.first?.range.upperBound == ogg.ends[1])
        #expect(try probe(OggBuilder.opus(pages: 1, tags: ["ENCODER=x"]).bytes).warnings.isEmpty)
    }

    @Test("Vorbis by its windows", arguments: [0, 1, 500_000], [0, 1, 1023])
    func vorbis(start: Int, trim: Int) throws {
        let recording = try probe(OggBuilder.vorbis(pages: 2, start: start, trim: trim).bytes)
        #expect(recording.mainTrack.codec == .vorbis)
        #expect(recording.mainTrack.channels == 2)
        #expect(recording.duration == AudioDuration(ticks: 19_456 - trim, timescale: 44_100, method: .scan))
        #expect(recording.warnings.isEmpty)
    }

    @Test("Vorbis leaves out samples at its beginning if the first position asks for it")
    func vorbisStart() throws {
        var ogg = OggBuilder()
        let long = OggPackets.vorbis(isLong: true), short = OggPackets.vorbis(isLong: false)
        ogg.page([OggPackets.vorbisIdentification()], isFirst: true)
        ogg.page([OggPackets.vorbisComment(["TITLE=x"]), OggPackets.vorbisSetup()])
        // 0, 576, 128, 576 and 1024 samples.
        ogg.page([long, short, short, long, long], granule: 2000)
        ogg.page([long], granule: 3000, isLast: true)
        let recording = try probe(ogg.bytes)
        #expect(recording.duration == AudioDuration(ticks: 3000, timescale: 44_100, method: .scan))
        #expect(recording.metadata.map(\.kind) == [.text])
    }

    @Test("A set-up header may span pages, and without it there is nothing to play")
    func vorbisSetup() throws {
        let setup = OggPackets.vorbisSetup(books: 255 * 300 - 7)
        func file(_ setup: [UInt8]) -> [UInt8] {
            var ogg = OggBuilder()
            ogg.page([OggPackets.vorbisIdentification()], isFirst: true)
            ogg.page([OggPackets.vorbisComment()])
            ogg.page([Array(setup[..<(255 * 200)])], granule: -1, isOpen: true)
            ogg.page([Array(setup[(255 * 200)...])], isRest: true)
            ogg.page(Array(repeating: OggPackets.vorbis(isLong: true), count: 3), granule: 2048, isLast: true)
            return ogg.bytes
        }
        #expect(try probe(file(setup)).duration?.ticks == 2048)
        #expect(refusal(file([UInt8](repeating: 0, count: 255 * 250))) == .damaged)
    }

    @Test("Speex by its frames, less the encoder's delay and what is behind the end", arguments: [1, 2, 4])
    func speex(framesPerPacket: Int) throws {
        var ogg = OggBuilder()
        let packet: [UInt8] = [1, 2, 3], size = 320 * framesPerPacket
        ogg.page([OggPackets.speexHeader(framesPerPacket: framesPerPacket, extra: 1)], isFirst: true)
        ogg.page([FLACBuilder.comment([])])
        ogg.page([[9]])
        ogg.page(Array(repeating: packet, count: 50), granule: 50 * size - 143)
        ogg.page([packet, packet], granule: 51 * size, isLast: true)
        let recording = try probe(ogg.bytes)
        #expect(recording.mainTrack.codec == .speex)
        #expect(recording.duration == AudioDuration(ticks: 51 * size, timescale: 16_000, method: .scan))
        let cut = try probe(Array(ogg.bytes[..<ogg.ends[3]]))
        #expect(cut.duration?.ticks == 50 * size - 143)
        #expect(cut.duration?.errorBound == Double(size) / 16_000)
    }

    @Test("FLAC by its frames' sizes, whatever the header says")
    func flac() throws {
        for (total, expected) in [(nil, []), (0, []), (1, [.headerContradicts])] as [(Int?, [AudioWarning.Code])] {
            var builder = FLACBuilder(20, rest: 100)
            builder.total = total
            var ogg = OggBuilder()
            ogg.page([OggPackets.flacHead(builder)], isFirst: true)
            ogg.page([[0x84, 0, 0, 0] + FLACBuilder.comment(["ENCODER=x"])])
            let sounds = builder.sounds
            ogg.page(Array(sounds[..<20]), granule: 3840)
            ogg.page(Array(sounds[20...]), granule: 3940, isLast: true)
            let recording = try probe(ogg.bytes)
            #expect(recording.mainTrack.codec == .flac)
            #expect(recording.mainTrack.bitsPerSample == 8)
            #expect(recording.duration == AudioDuration(ticks: 3940, timescale: 8000, method: .scan))
            #expect(codes(recording) == expected)
        }
    }
}
