import AudioProbe
import Diagnostics
import Testing

private typealias M = MatroskaBuilder

/// A file of one track and one Cluster.
private func makeFile(track: [UInt8], blocks: [[UInt8]], duration: Double? = nil, docType: String = "webm") -> [UInt8] {
    M.ebmlHeader(docType) + M.segment(M.info(duration: duration) + M.tracks(track) + M.cluster(0, blocks))
}

@Suite("Matroska: samples per frame of each codec")
struct MatroskaCodecTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var track: [UInt8]
        var frames: [[UInt8]]
        var codec: AudioCodec
        var ticks: Int
        var timescale: Int

        init(_ name: String, _ track: [UInt8], _ frames: [[UInt8]], _ codec: AudioCodec, _ ticks: Int, _ timescale: Int)
        {
            testDescription = name
            self.track = track
            self.frames = frames
            self.codec = codec
            self.ticks = ticks
            self.timescale = timescale
        }
    }

    /// An MPEG frame's header and as many bytes as it states: layer III, 44,100 Hz, 128 kbit/s is 417.
    private static func makeMPEGFrame(_ second: UInt8, _ third: UInt8, _ length: Int) -> [UInt8] {
        [0xFF, second, third, 0x00] + [UInt8](repeating: 0, count: length - 4)
    }

    private static let zeros = [UInt8](repeating: 0, count: 100)
    private static let waveFormat: [UInt8] = [7, 0, 2, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 8, 0]

    static let cases: [Case] = [
        Case("Opus", M.opusTrack(), [M.opus, [0xFB, 3, 0], [0x80]], .opus, 960 + 2880 + 120, 48_000),
        Case(
            "Vorbis", M.track("A_VORBIS", setup: M.vorbisCodecPrivate()),
            [M.vorbisShort, M.vorbisShort, M.vorbisLong, M.vorbisLong], .vorbis, 128 + 576 + 1024, 44_100),
        Case("AAC", M.track("A_AAC", setup: [0x12, 0x10]), [zeros, zeros], .aac, 2048, 44_100),
        Case("AAC of 960", M.track("A_AAC", setup: [0x12, 0x14]), [zeros, zeros], .aac, 1920, 44_100),
        Case(
            "HE-AAC", M.track("A_AAC", setup: [0x2B, 0x92, 0x08, 0x00]), [zeros, zeros], .heAAC, 4096, 44_100),
        Case("AAC named in full", M.track("A_AAC/MPEG4/LC", rate: 44_100), [zeros, zeros], .aac, 2048, 44_100),
        Case("SBR named", M.track("A_AAC/MPEG4/LC/SBR", rate: 22_050), [zeros], .heAAC, 2048, 44_100),
        Case(
            "MP3", M.track("A_MPEG/L3", rate: 44_100),
            [makeMPEGFrame(0xFB, 0x90, 417), makeMPEGFrame(0xFB, 0x92, 418)], .mp3, 2304,
            44_100),
        Case(
            "several MP3 frames", M.track("A_MPEG/L3"),
            [makeMPEGFrame(0xFB, 0x90, 417) + makeMPEGFrame(0xFB, 0x90, 417)], .mp3, 2304,
            44_100),
        Case("MP2", M.track("A_MPEG/L2"), [makeMPEGFrame(0xFD, 0x94, 480)], .mp2, 1152, 48_000),
        Case("MP1", M.track("A_MPEG/L1"), [makeMPEGFrame(0xFF, 0x94, 240)], .mp1, 384, 48_000),
        Case("FLAC", M.track("A_FLAC", setup: M.flacSetup), [M.flac, M.flacLast], .flac, 5096, 44_100),
        Case(
            "ALAC", M.track("A_ALAC", setup: M.alacSetup), [zeros, [0x20, 0, 0x10, 0, 0, 7, 0xD0, 0]], .alac, 5096,
            44_100),
        Case("PCM", M.track("A_PCM/INT/LIT", channels: 2, bits: 16), [zeros], .pcm, 25, 48_000),
        Case("PCM of 24 bits", M.track("A_PCM/INT/BIG", channels: 2, bits: 24), [zeros, zeros], .pcm, 32, 48_000),
        Case("PCM of floats", M.track("A_PCM/FLOAT/IEEE", channels: 1, bits: 32), [zeros], .pcmFloat, 25, 48_000),
        Case("mu-law as WAVE has it", M.track("A_MS/ACM", setup: waveFormat), [zeros], .muLaw, 50, 8000),
    ]

    @Test(arguments: cases) func everyCodecHasExactDuration(_ one: Case) throws {
        let recording = try probeBytes(makeFile(track: one.track, blocks: one.frames.map { M.simpleBlock(0, $0) }))
        let duration = try #require(recording.duration)
        #expect(recording.mainTrack.codec == one.codec)
        #expect(duration == AudioDuration(ticks: one.ticks, timescale: one.timescale, method: .scan))
        #expect(recording.mainTrack.sampleRate == one.timescale)
        #expect(recording.mediaBytes == one.frames.reduce(0) { $0 + $1.count })
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.isEmpty)
    }

    @Test("An unknown codec is timed by DefaultDuration or timestamps, with an error bound")
    func unknownCodecIsTimedByTimestamps() throws {
        let blocks = (0..<10).map { M.simpleBlock($0 * 32, [0x0B, 0x77]) }
        let byDefault = try probeBytes(
            makeFile(track: M.track("A_AC3", more: M.unsignedElement(id: 0x23E383, value: 32_000_000)), blocks: blocks))
        #expect(byDefault.mainTrack.codec.rawValue == "A_AC3")
        #expect(
            byDefault.duration
                == AudioDuration(ticks: 320_000_000, timescale: 1_000_000_000, method: .scan, errorBound: 0.032))
        let bare = try #require(try probeBytes(makeFile(track: M.track("A_DTS"), blocks: blocks)).duration)
        #expect(bare.seconds == 0.32 && bare.errorBound == 0.032)
        let last = blocks.dropLast() + [M.blockGroup(288, [0], duration: 16)]
        #expect(try probeBytes(makeFile(track: M.track("A_DTS"), blocks: Array(last))).duration?.seconds == 0.304)
    }

    @Test("AAC without a configuration may have frames of 960 samples") func aacWithoutSetupMayHave960SampleFrames()
        throws
    {
        let duration = try #require(
            try probeBytes(makeFile(track: M.track("A_AAC", rate: 44_100), blocks: [M.simpleBlock(0, [1])])).duration)
        #expect(duration.ticks == 1024 && duration.errorBound >= 64.0 / 44_100)
    }

    @Test("Frames that are invalid for the codec add nothing but an error bound")
    func unreadableFramesMakeDurationInexact() throws {
        let recording = try probeBytes(
            makeFile(track: M.opusTrack(), blocks: M.opusBlocks(3) + [M.simpleBlock(60, [0xFF, 0x3F])]))
        #expect(recording.duration?.ticks == 2880)
        #expect(recording.duration?.errorBound == 0.02)
        #expect(recording.warnings.map(\.code) == [.damagedFrames])
    }

    @Test(arguments: [("webm", AudioContainer.webm), ("matroska", .matroska), ("other", .matroska)])
    func documentTypeIdentifiesContainer(_ name: String, _ container: AudioContainer) throws {
        #expect(
            try probeBytes(makeFile(track: M.opusTrack(), blocks: M.opusBlocks(1), docType: name)).container
                == container)
    }
}

@Suite("Matroska: blocks")
struct MatroskaBlockTests {
    @Test(arguments: MatroskaBuilder.Lacing.allCases) func everyLacingIsCounted(_ lacing: MatroskaBuilder.Lacing) throws
    {
        let long = lacing == .fixed || lacing == .none ? M.opus : M.opus + [UInt8](repeating: 9, count: 600)
        let block =
            lacing == .none
            ? M.simpleBlock(0, M.opus) : M.simpleBlock(0, M.opus, long, M.opus, M.opus, lacing: lacing)
        let recording = try probeBytes(makeFile(track: M.opusTrack(), blocks: [block]))
        #expect(recording.duration?.ticks == (lacing == .none ? 960 : 3840))
        #expect(recording.duration?.isExact == true)
        #expect(recording.mediaBytes == (lacing == .none ? 8 : 24 + long.count))
    }

    @Test("A laced block of empty frames is damage") func emptyLacedFramesAreDamage() throws {
        let empty = M.element(id: 0xA3, content: [0x81, 0, 0, 0x04, 255])
        let recording = try probeBytes(makeFile(track: M.opusTrack(), blocks: M.opusBlocks(5) + [empty]))
        #expect(recording.duration?.ticks == 4800)
        #expect(recording.warnings.map(\.code) == [.damagedFrames])
    }

    @Test(
        "The delay and the padding are excluded",
        arguments: [
            (312, 0, 4800 - 312), (312, 10_000_000, 4800 - 312 - 480), (0, 208_333, 4790), (0, -10_000_000, 4320),
            (0, 3_000_000_000, 3840), (0, Int.min, 3840), (5000, 0, 0),
        ])
    func delayAndPaddingAreTrimmed(_ preSkip: Int, _ padding: Int, _ ticks: Int) throws {
        let blocks = M.opusBlocks(4) + [M.blockGroup(80, M.opus, discard: padding)]
        let duration = try #require(
            try probeBytes(makeFile(track: M.opusTrack(preSkip: preSkip), blocks: blocks)).duration)
        #expect(duration == AudioDuration(ticks: ticks, timescale: 48_000, method: .scan))
    }

    @Test("CodecDelay applies to every codec") func codecDelayAppliesToAnyCodec() throws {
        let track = M.track("A_AAC", setup: [0x12, 0x10], more: M.unsignedElement(id: 0x56AA, value: 23_219_955))
        #expect(
            try probeBytes(makeFile(track: track, blocks: [M.simpleBlock(0, [1]), M.simpleBlock(23, [1])])).duration?
                .ticks == 1024)
    }

    @Test("If the Opus header and CodecDelay differ, the header counts, with an error bound")
    func contradictoryOpusDelaysAreNotExact()
        throws
    {
        let track = M.track("A_OPUS", setup: M.opusHead(preSkip: 312))
        let duration = try #require(try probeBytes(makeFile(track: track, blocks: M.opusBlocks(5))).duration)
        #expect(duration.ticks == 4488 && duration.errorBound == 0.0065)
    }

    @Test("Stripped frame headers are restored") func strippedHeadersAreRestored() throws {
        let compression = M.unsignedElement(id: 0x4254, value: 3) + M.element(id: 0x4255, content: [0xFC])
        let encodings = M.element(
            id: 0x6D80, content: M.element(id: 0x6240, content: M.element(id: 0x5034, content: compression)))
        let blocks = (0..<5).map { M.simpleBlock($0 * 20, [1, 2, 3]) }
        let recording = try probeBytes(makeFile(track: M.opusTrack(more: encodings), blocks: blocks))
        #expect(recording.duration == AudioDuration(ticks: 4800, timescale: 48_000, method: .scan))
    }

    @Test("An overlong stripped header is not prepended to every frame")
    func oversizedStrippedHeadersAreNotRepeated() throws {
        let frames = [[UInt8]](repeating: [0xFF, 0xF3, 0x14, 0xC0] + [UInt8](repeating: 0, count: 20), count: 5000)
        let compression =
            M.unsignedElement(id: 0x4254, value: 3) + M.element(id: 0x4255, content: frames.flatMap { $0 })
        let encodings = M.element(
            id: 0x6D80, content: M.element(id: 0x6240, content: M.element(id: 0x5034, content: compression)))
        let blocks = (0..<5).map { M.simpleBlock($0 * 20, [1, 2, 3]) }
        let recording = try probeBytes(makeFile(track: M.track("A_MPEG/L3", more: encodings), blocks: blocks))
        #expect(recording.duration?.seconds == 0.1 && recording.duration?.isExact == false)
    }

    @Test("Compressed and encrypted frames are timed by their timestamps", arguments: [0, 1])
    func compressedAndEncryptedFramesAreTimedByTimestamps(_ type: Int) throws {
        let encoding = M.element(
            id: 0x6240,
            content: M.unsignedElement(id: 0x5033, value: type)
                + M.element(id: 0x5034, content: M.unsignedElement(id: 0x4254, value: 0)))
        let track = M.opusTrack(more: M.element(id: 0x6D80, content: encoding))
        let recording = try probeBytes(makeFile(track: track, blocks: M.opusBlocks(5)))
        #expect(recording.mainTrack.codec == .opus)
        #expect(recording.duration?.seconds == 0.1)
        #expect(recording.duration?.errorBound == 0.02)
    }

    @Test func encryptedBlockIsTimedByTimestamps() throws {
        let hidden = M.element(id: 0xAF, content: M.block(timestamp: 40, track: 1, frames: [[9, 9, 9]], lacing: .none))
        let recording = try probeBytes(makeFile(track: M.opusTrack(), blocks: M.opusBlocks(2) + [hidden]))
        #expect(recording.duration?.ticks == 1920)
        #expect(recording.duration?.errorBound == 0.02)
    }

    @Test("Void, CRC-32 and unknown elements are skipped") func unknownElementsAreIgnored() throws {
        let others =
            M.element(id: 0xEC, content: [1, 2, 3]) + M.element(id: 0xBF, content: [0, 0, 0, 0])
            + M.element(id: 0x4FFF, content: [5])
        let cluster = M.cluster(0, M.opusBlocks(1) + [others] + M.opusBlocks(1, from: 20))
        let cues = M.element(id: 0x1C53_BB6B, content: [0xBB, 0x80])
        let bytes = M.ebmlHeader() + M.segment(others + M.info() + M.tracks(M.opusTrack()) + others + cluster + cues)
        #expect(try probeBytes(bytes).duration?.ticks == 1920)
        #expect(try probeBytes(bytes).warnings.isEmpty)
    }
}

@Suite("Matroska: tracks")
struct MatroskaTrackTests {
    private static let video = M.track("V_VP8", number: 1, type: 1)

    @Test("The audio of a video file is counted, and all tracks are listed")
    func videoFileAudioIsCountedAndTracksListed()
        throws
    {
        let tracks = M.tracks(Self.video, M.opusTrack(2), M.track("S_TEXT/UTF8", number: 3, type: 17), M.opusTrack(4))
        let blocks = (0..<5).flatMap { i in
            [M.simpleBlock(i * 40, track: 1, [1, 2, 3])] + M.opusBlocks(2, from: i * 40, track: 2)
                + M.opusBlocks(1, from: i * 40, track: 4)
        }
        let recording = try probeBytes(
            M.ebmlHeader() + M.segment(M.info(duration: 200) + tracks + M.cluster(0, blocks)))
        #expect(recording.tracks.map(\.id) == [1, 2, 3, 4])
        #expect(recording.tracks.map(\.kind) == [.video, .audio, .other, .audio])
        #expect(recording.tracks[0].codec.rawValue == "V_VP8")
        #expect(recording.mainTrackIndex == 1)
        #expect(recording.duration?.ticks == 9600)
        #expect(recording.mediaBytes == 80)
        #expect(recording.warnings.isEmpty)
    }

    @Test("The first enabled track counts, whether or not it is the default") func firstEnabledTrackIsCounted()
        throws
    {
        let notDefault = M.unsignedElement(id: 0x88, value: 0)
        let tracks = M.tracks(
            M.opusTrack(1, more: M.unsignedElement(id: 0xB9, value: 0)), M.opusTrack(2, more: notDefault),
            M.opusTrack(3))
        let blocks = M.opusBlocks(9, track: 1) + M.opusBlocks(5, track: 2) + M.opusBlocks(7, track: 3)
        let recording = try probeBytes(M.ebmlHeader() + M.segment(M.info() + tracks + M.cluster(0, blocks)))
        #expect(recording.mainTrackIndex == 1)
        #expect(recording.duration?.ticks == 4800)
        #expect(recording.tracks.map(\.isEnabled) == [false, true, true])
    }

    @Test(
        "A codec's name is short and printable",
        arguments: [
            (Array("A_X\u{1B}[2J\u{7}".utf8), "A_X?[2J?"), (Array("A_\u{202E}\u{85}é".utf8), "A_???"),
            (Array("A_".utf8) + [0xFF, 0xC0], "A_??"), ([UInt8](repeating: 0x41, count: 64), nil),
            ([UInt8](repeating: 0x41, count: 65), nil), ((0...255).map { UInt8(255 - $0) }, nil), ([], "unknown"),
        ] as [([UInt8], String?)])
    func codecNamesAreShortAndPrintable(bytes: [UInt8], name: String?) throws {
        for type in [2, 17] {
            let entry = M.element(
                id: 0xAE,
                content: M.unsignedElement(id: 0xD7, value: 2) + M.unsignedElement(id: 0x83, value: type)
                    + M.element(id: 0x86, content: bytes))
            let tracks = M.tracks(M.opusTrack(), entry)
            let recording = try probeBytes(
                M.ebmlHeader() + M.segment(M.info() + tracks + M.cluster(0, M.opusBlocks(5))))
            let codec = recording.tracks[1].codec.rawValue
            #expect((1...64).contains(codec.utf8.count) && codec.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
            #expect(name == nil || codec == name)
        }
    }

    @Test func fileWithoutAudioTrackIsRejected() {
        func code(_ tracks: [UInt8]) -> AudioError.Code? {
            probeErrorCode(M.ebmlHeader() + M.segment(M.info() + tracks))
        }
        #expect(code(M.tracks(Self.video)) == .videoOnly)
        #expect(code(M.tracks(M.track("S_TEXT/UTF8", type: 17))) == .noAudioTrack)
        #expect(code(M.tracks()) == .noAudioTrack)
        #expect(code([]) == .noAudioTrack)
        #expect(probeErrorCode(M.ebmlHeader()) == .damaged)
    }

    @Test("Tracks may follow the Clusters") func tracksMayFollowClusters() throws {
        let bytes = M.ebmlHeader() + M.segment(M.info() + M.cluster(0, M.opusBlocks(5)) + M.tracks(M.opusTrack()))
        #expect(try probeBytes(bytes).duration?.ticks == 4800)
    }

    @Test(arguments: [(0x42F7, 2), (0x42F2, 5), (0x42F3, 9)]) func unsupportedEBMLVersionIsRejected(
        _ id: Int, _ value: Int
    ) {
        let bytes = M.ebmlHeader(more: M.unsignedElement(id: id, value: value)) + M.segment(M.tracks(M.opusTrack()))
        #expect(probeErrorCode(bytes)?.rawValue == "unsupported-ebml")
    }
}
