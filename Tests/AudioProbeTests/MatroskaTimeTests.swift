import AudioProbe
import Testing

private typealias M = MatroskaBuilder

/// A file of one Opus track and the Clusters given.
private func file(_ info: [UInt8], _ clusters: [UInt8]..., isUnsized: Bool = false) -> [UInt8] {
    M.header() + M.segment(info + M.tracks(M.opusTrack()) + clusters.flatMap { $0 }, isUnsized: isUnsized)
}

@Suite("Matroska: what Info and timestamps say")
struct MatroskaTimeTests {
    @Test(
        "A Duration that no track has is contradicted, and never believed",
        arguments: [
            (Double?.none, false), (1000, false), (1049, false), (951, false), (1100, true), (900, true), (1e9, true),
            (0, false), (-5, false), (.nan, false), (.infinity, false),
        ])
    func contradicted(_ stated: Double?, _ isContradicted: Bool) throws {
        let recording = try probe(M.opusFile(50, duration: stated))
        #expect(recording.duration == AudioDuration(ticks: 48_000, timescale: 48_000, method: .scan))
        #expect(recording.warnings.map(\.code) == (isContradicted ? [.headerContradicts] : []))
    }

    @Test("A Duration is that of all tracks", arguments: [(2000.0, false), (2040, false), (1000, false), (3000, true)])
    func longerFilm(_ stated: Double, _ isContradicted: Bool) throws {
        let tracks = M.tracks(M.track("V_VP8", number: 1, type: 1), M.opusTrack(2))
        let film = (0..<50).map { M.simpleBlock($0 * 40, track: 1, [0]) }
        let clusters = M.cluster(0, M.opusBlocks(50, track: 2) + film)
        let recording = try probe(M.header() + M.segment(M.info(duration: stated) + tracks + clusters))
        #expect(recording.duration?.ticks == 48_000)
        #expect(recording.warnings.map(\.code) == (isContradicted ? [.headerContradicts] : []))
    }

    @Test("Ticks are as long as Info says", arguments: [1_000_000, 20_833, 0, Int.max]) func scale(_ scale: Int) throws
    {
        // Of a scale of 0, and of hours to the tick, nothing is made.
        let recording = try probe(file(M.info(scale: scale), M.cluster(0, M.opusBlocks(50))))
        #expect(recording.duration?.ticks == 48_000)
    }

    @Test("A Duration of four bytes counts in ticks, too") func shortFloat() throws {
        let info = M.element(0x1549_A966, M.uint(0x2AD7B1, 500_000) + M.float32(0x4489, 4000))
        let recording = try probe(file(info, M.cluster(0, (0..<50).map { M.simpleBlock($0 * 40, M.opus) })))
        #expect(recording.warnings.map(\.code) == [.headerContradicts])
        #expect(recording.warnings.first?.message.contains("2.000 seconds") == true)
        let quick = try #require(try probe(file(info, M.cluster(0, M.opusBlocks(50))), quick: true).duration)
        #expect(quick.seconds == 2)
    }

    @Test("A pause in the timestamps is told, and not counted") func pause() throws {
        let clusters = M.cluster(0, M.opusBlocks(50)) + M.cluster(6000, M.opusBlocks(50))
        let recording = try probe(file(M.info(duration: 7000), clusters))
        #expect(recording.duration == AudioDuration(ticks: 96_000, timescale: 48_000, method: .scan))
        #expect(recording.timelineSeconds == 7)
        #expect(recording.warnings.map(\.code) == [.timelineGap])
    }

    @Test("Timestamps that tremble by a packet leave no pause") func jitter() throws {
        let blocks = (0..<50).map { M.simpleBlock($0 * 20 + ($0 % 3) * 7, M.opus) }
        let recording = try probe(file(M.info(), M.cluster(0, blocks)))
        #expect(recording.timelineSeconds == nil && recording.warnings.isEmpty)
    }

    @Test("A quick look believes a whole file's Duration, if there is one") func quick() throws {
        let stated = try #require(try probe(M.opusFile(50, duration: 1020), quick: true).duration)
        #expect(stated.method == .estimate && stated.seconds == 1.02 && stated.errorBound > 1)
        let exact = AudioDuration(ticks: 48_000, timescale: 48_000, method: .scan)
        #expect(try probe(M.opusFile(50), quick: true).duration == exact)
        #expect(try probe(M.opusFile(50, duration: 1020, isUnsized: true), quick: true).duration == exact)
        let cut = try probe(Array(M.opusFile(50, duration: 1020).dropLast()), quick: true)
        #expect(cut.duration?.ticks == 49 * 960 && cut.duration?.isExact == true)
        // The first of two Clusters, whole, of a Segment that isn't.
        let one = M.cluster(0, M.opusBlocks(50)), two = one + M.cluster(1000, M.opusBlocks(50))
        let half = try probe(Array(file(M.info(duration: 2000), two).dropLast(two.count - one.count)), quick: true)
        #expect(half.duration == exact)
        #expect(half.completeness != .complete)
    }

    @Test("Recordings that follow one another are summed") func chained() throws {
        let other = M.track("A_PCM/INT/LIT", rate: 44_100, bits: 16)
        let second =
            M.header("matroska")
            + M.segment(
                M.info() + M.tracks(other) + M.cluster(0, [M.simpleBlock(0, [UInt8](repeating: 0, count: 88_200))]))
        for isUnsized in [false, true] {
            let first = M.opusFile(50, isUnsized: isUnsized)
            let recording = try probe(first + second + first)
            #expect(recording.duration?.seconds == 3)
            #expect(recording.duration?.isExact == true)
            #expect(recording.container == .webm)
            #expect(recording.completeness == .complete)
            #expect(recording.warnings.first?.code == .chainedRecordings)
        }
    }
}

@Suite("Matroska: what is there beside the sound")
struct MatroskaMetadataTests {
    private func kinds(_ parts: [UInt8], info: [UInt8] = []) throws -> [MetadataItem.Kind] {
        let bytes =
            M.header() + M.segment(M.info(more: info) + M.tracks(M.opusTrack()) + parts + M.cluster(0, M.opusBlocks(1)))
        let recording = try probe(bytes)
        #expect(recording.warnings.map(\.code) == (recording.metadata.isEmpty ? [] : [.carriesMetadata]))
        #expect(recording.metadata.allSatisfy { $0.range.upperBound <= bytes.count && !$0.isErasable })
        return recording.metadata.map(\.kind)
    }

    private func tags(_ names: String..., inside: [UInt8] = []) -> [UInt8] {
        M.element(
            0x1254_C367,
            M.element(
                0x7373,
                names.flatMap { M.element(0x67C8, M.text(0x45A3, $0) + M.text(0x4487, "+52.5+013.4/") + inside) }))
    }

    @Test func tagNames() throws {
        #expect(try kinds(tags("ENCODER", "DURATION", "_STATISTICS_TAGS", "BPS-eng", "ENCODER_OPTIONS")) == [])
        #expect(try kinds(tags("TITLE", "COMMENT")) == [.text, .text])
        #expect(
            try kinds(tags("LOCATION", "location-eng", "RECORDING_LOCATION", "GEO")) == [
                .location, .location, .location, .location,
            ])
        #expect(try kinds(tags("COM.APPLE.QUICKTIME.LOCATION.ISO6709")) == [.location])
        let inner = M.element(0x67C8, M.text(0x45A3, "GEO"))
        #expect(try kinds(tags("ARTIST", inside: inner)) == [.text, .location])
    }

    @Test func rest() throws {
        #expect(
            try kinds([], info: M.text(0x7BA9, "Talk") + M.text(0x4D80, "Chrome") + M.text(0x5741, "Chrome")) == [.text]
        )
        #expect(try kinds([], info: M.int(0x4461, 700_000_000_000_000_000)) == [.text])
        let file = { (type: String) in M.element(0x61A7, M.text(0x4660, type) + M.element(0x465C, [1, 2, 3])) }
        #expect(try kinds(M.element(0x1941_A469, file("image/jpeg") + file("font/ttf"))) == [.image, .applicationData])
        #expect(try kinds(M.element(0x1043_A770, M.element(0x45B9, []))) == [.text])
    }

    @Test("Comments of Vorbis and FLAC stand in CodecPrivate") func codecComments() throws {
        func kinds(_ track: [UInt8]) throws -> [MetadataItem.Kind] {
            try probe(M.header() + M.segment(M.tracks(track))).metadata.map(\.kind)
        }
        #expect(try kinds(M.track("A_VORBIS", setup: M.vorbisSetup(comments: ["encoder=Lavc"]))) == [])
        #expect(
            try kinds(M.track("A_VORBIS", setup: M.vorbisSetup(comments: ["TITLE=Talk", "GEO=1"]))) == [
                .text, .location,
            ])
        let picture = [0x86, 0, 0, 4, 1, 2, 3, 4] as [UInt8]
        #expect(try kinds(M.track("A_FLAC", setup: M.flacSetup + picture)) == [.image])
    }

    @Test func range() throws {
        let tag = M.element(0x67C8, M.text(0x45A3, "TITLE") + M.text(0x4487, "Talk"))
        let bytes =
            M.header()
            + M.segment(
                M.tracks(M.opusTrack()) + M.cluster(0, M.opusBlocks(1)) + M.element(0x1254_C367, M.element(0x7373, tag))
            )
        #expect(try probe(bytes).metadata.map(\.range) == [bytes.count - tag.count..<bytes.count])
    }

    @Test("Tags inside tags have an end") func nested() {
        var inner: [UInt8] = []
        for _ in 0..<10_000 { inner = M.element(0x67C8, inner, sizeLength: 4) }
        let bytes = M.header() + M.segment(M.tracks(M.opusTrack()) + M.element(0x1254_C367, M.element(0x7373, inner)))
        #expect(refusal(bytes) == .limitExceeded)
    }
}
