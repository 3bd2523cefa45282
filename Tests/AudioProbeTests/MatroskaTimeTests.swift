import AudioProbe
import Diagnostics
import Testing

private typealias M = MatroskaBuilder

/// A file of one Opus track and `clusters`.
private func makeFile(info: [UInt8], clusters: [UInt8]..., isUnsized: Bool = false) -> [UInt8] {
    M.ebmlHeader() + M.segment(info + M.tracks(M.opusTrack()) + clusters.flatMap { $0 }, isUnsized: isUnsized)
}

@Suite("Matroska: Info and timestamps")
struct MatroskaTimeTests {
    @Test(
        "A Duration that no track has is a contradiction",
        arguments: [
            (Double?.none, false), (1000, false), (1049, false), (951, false), (1100, true), (900, true), (1e9, true),
            (0, false), (-5, false), (.nan, false), (.infinity, false),
        ])
    func wrongDeclaredDurationIsContradicted(_ stated: Double?, _ isContradicted: Bool) throws {
        let recording = try probeBytes(M.makeOpusFile(50, duration: stated))
        #expect(recording.duration == AudioDuration(ticks: 48_000, timescale: 48_000, method: .scan))
        #expect(recording.warnings.map(\.code) == (isContradicted ? [.headerContradicts] : []))
    }

    @Test("The Duration covers all tracks", arguments: [(2000.0, false), (2040, false), (1000, false), (3000, true)])
    func declaredDurationCoversAllTracks(_ stated: Double, _ isContradicted: Bool) throws {
        let tracks = M.tracks(M.track("V_VP8", number: 1, type: 1), M.opusTrack(2))
        let film = (0..<50).map { M.simpleBlock($0 * 40, track: 1, [0]) }
        let clusters = M.cluster(0, M.opusBlocks(50, track: 2) + film)
        let recording = try probeBytes(M.ebmlHeader() + M.segment(M.info(duration: stated) + tracks + clusters))
        #expect(recording.duration?.ticks == 48_000)
        #expect(recording.warnings.map(\.code) == (isContradicted ? [.headerContradicts] : []))
    }

    @Test("The length of a tick follows from TimestampScale", arguments: [1_000_000, 20_833, 0, Int.max])
    func timestampScaleIsApplied(
        _ scale: Int
    ) throws {
        // A scale of 0, or of hours for each tick, is ignored.
        let recording = try probeBytes(makeFile(info: M.info(scale: scale), clusters: M.cluster(0, M.opusBlocks(50))))
        #expect(recording.duration?.ticks == 48_000)
    }

    @Test("A Duration of four bytes is read") func fourByteDurationIsRead() throws {
        let info = M.element(
            id: 0x1549_A966,
            content: M.unsignedElement(id: 0x2AD7B1, value: 500_000) + M.floatElement(id: 0x4489, value: 4000))
        let recording = try probeBytes(
            makeFile(info: info, clusters: M.cluster(0, (0..<50).map { M.simpleBlock($0 * 40, M.opus) })))
        #expect(recording.warnings.map(\.code) == [.headerContradicts])
        #expect(recording.warnings.first?.message.contains("2.000 seconds") == true)
        let quick = try #require(
            try probeBytes(makeFile(info: info, clusters: M.cluster(0, M.opusBlocks(50))), quick: true).duration)
        #expect(quick.seconds == 2)
    }

    @Test("A gap in the timestamps is reported and not counted") func timestampPauseIsReportedNotCounted() throws {
        let clusters = M.cluster(0, M.opusBlocks(50)) + M.cluster(6000, M.opusBlocks(50))
        let recording = try probeBytes(makeFile(info: M.info(duration: 7000), clusters: clusters))
        #expect(recording.duration == AudioDuration(ticks: 96_000, timescale: 48_000, method: .scan))
        #expect(recording.timelineSeconds == 7)
        #expect(recording.warnings.map(\.code) == [.timelineGap])
    }

    @Test("Timestamp jitter of a packet is not a gap") func timestampJitterIsNotAPause() throws {
        let blocks = (0..<50).map { M.simpleBlock($0 * 20 + ($0 % 3) * 7, M.opus) }
        let recording = try probeBytes(makeFile(info: M.info(), clusters: M.cluster(0, blocks)))
        #expect(recording.timelineSeconds == nil && recording.warnings.isEmpty)
    }

    @Test("A quick probe uses the Duration of a complete file") func quickProbeReturnsDeclaredDuration()
        throws
    {
        let stated = try #require(try probeBytes(M.makeOpusFile(50, duration: 1020), quick: true).duration)
        #expect(stated.method == .estimate && stated.seconds == 1.02 && stated.errorBound > 1)
        let exact = AudioDuration(ticks: 48_000, timescale: 48_000, method: .scan)
        #expect(try probeBytes(M.makeOpusFile(50), quick: true).duration == exact)
        #expect(try probeBytes(M.makeOpusFile(50, duration: 1020, isUnsized: true), quick: true).duration == exact)
        let cut = try probeBytes(Array(M.makeOpusFile(50, duration: 1020).dropLast()), quick: true)
        #expect(cut.duration?.ticks == 49 * 960 && cut.duration?.isExact == true)
        // The first of two Clusters is complete, and the Segment is not.
        let one = M.cluster(0, M.opusBlocks(50)), two = one + M.cluster(1000, M.opusBlocks(50))
        let half = try probeBytes(
            Array(makeFile(info: M.info(duration: 2000), clusters: two).dropLast(two.count - one.count)), quick: true)
        #expect(half.duration == exact)
        #expect(half.completeness != .complete)
    }

    @Test("The durations of joined Segments are added") func chainedSegmentsAreSummed() throws {
        let other = M.track("A_PCM/INT/LIT", rate: 44_100, bits: 16)
        let second =
            M.ebmlHeader("matroska")
            + M.segment(
                M.info() + M.tracks(other) + M.cluster(0, [M.simpleBlock(0, [UInt8](repeating: 0, count: 88_200))]))
        for isUnsized in [false, true] {
            let first = M.makeOpusFile(50, isUnsized: isUnsized)
            let recording = try probeBytes(first + second + first)
            #expect(recording.duration?.seconds == 3)
            #expect(recording.duration?.isExact == true)
            #expect(recording.container == .webm)
            #expect(recording.completeness == .complete)
            #expect(recording.warnings.first?.code == .chainedRecordings)
        }
    }

    @Test("Blocks of a Segment without Tracks cannot be counted, which makes the file incomplete")
    func segmentWithoutTracksMakesFileIncomplete() throws {
        let first = M.makeOpusFile(50), cluster = M.cluster(0, M.opusBlocks(50))
        let second = M.segment(M.info() + cluster)
        for isQuick in [false, true] {
            let recording = try probeBytes(first + second, quick: isQuick)
            #expect(recording.duration?.seconds == 1)
            #expect(recording.completeness == .truncated(offset: first.count + second.count - cluster.count))
            #expect(warningCodes(recording) == [.chainedRecordings, .damagedFrames])
        }
        #expect(try probeBytes(first + M.segment(M.info())).completeness == .complete)
    }
}

@Suite("Matroska: metadata")
struct MatroskaMetadataTests {
    private func metadataKinds(_ parts: [UInt8], info: [UInt8] = []) throws -> [MetadataItem.Kind] {
        let bytes =
            M.ebmlHeader()
            + M.segment(M.info(more: info) + M.tracks(M.opusTrack()) + parts + M.cluster(0, M.opusBlocks(1)))
        let recording = try probeBytes(bytes)
        #expect(recording.warnings.map(\.code) == (recording.metadata.isEmpty ? [] : [.carriesMetadata]))
        #expect(recording.metadata.allSatisfy { $0.range.upperBound <= bytes.count && !$0.isErasable })
        return recording.metadata.map(\.kind)
    }

    private func makeTags(_ names: String..., inside: [UInt8] = []) -> [UInt8] {
        M.element(
            id: 0x1254_C367,
            content: M.element(
                id: 0x7373,
                content: names.flatMap {
                    M.element(
                        id: 0x67C8,
                        content: M.stringElement(id: 0x45A3, text: $0)
                            + M.stringElement(id: 0x4487, text: "+52.5+013.4/") + inside)
                }))
    }

    @Test func userTagsAreReportedAndTechnicalTagsAreNot() throws {
        #expect(
            try metadataKinds(makeTags("ENCODER", "DURATION", "_STATISTICS_TAGS", "BPS-eng", "ENCODER_OPTIONS")) == [])
        #expect(try metadataKinds(makeTags("TITLE", "COMMENT")) == [.text, .text])
        #expect(
            try metadataKinds(makeTags("LOCATION", "location-eng", "RECORDING_LOCATION", "GEO")) == [
                .location, .location, .location, .location,
            ])
        #expect(try metadataKinds(makeTags("COM.APPLE.QUICKTIME.LOCATION.ISO6709")) == [.location])
        let inner = M.element(id: 0x67C8, content: M.stringElement(id: 0x45A3, text: "GEO"))
        #expect(try metadataKinds(makeTags("ARTIST", inside: inner)) == [.text, .location])
    }

    @Test func otherMetadataIsReported() throws {
        #expect(
            try metadataKinds(
                [],
                info: M.stringElement(id: 0x7BA9, text: "Talk") + M.stringElement(id: 0x4D80, text: "Chrome")
                    + M.stringElement(id: 0x5741, text: "Chrome")) == [.text]
        )
        #expect(try metadataKinds([], info: M.signedElement(id: 0x4461, value: 700_000_000_000_000_000)) == [.text])
        let file = { (type: String) in
            M.element(
                id: 0x61A7,
                content: M.stringElement(id: 0x4660, text: type) + M.element(id: 0x465C, content: [1, 2, 3]))
        }
        #expect(
            try metadataKinds(M.element(id: 0x1941_A469, content: file("image/jpeg") + file("font/ttf"))) == [
                .image, .applicationData,
            ])
        #expect(try metadataKinds(M.element(id: 0x1043_A770, content: M.element(id: 0x45B9, content: []))) == [.text])
    }

    @Test("Comments of Vorbis and FLAC in CodecPrivate are reported") func codecPrivateCommentsAreReported() throws {
        func kinds(_ track: [UInt8]) throws -> [MetadataItem.Kind] {
            try probeBytes(M.ebmlHeader() + M.segment(M.tracks(track))).metadata.map(\.kind)
        }
        #expect(try kinds(M.track("A_VORBIS", setup: M.vorbisCodecPrivate(comments: ["encoder=Lavc"]))) == [])
        #expect(
            try kinds(M.track("A_VORBIS", setup: M.vorbisCodecPrivate(comments: ["TITLE=Talk", "GEO=1"]))) == [
                .text, .location,
            ])
        let image = [0x86, 0, 0, 4, 1, 2, 3, 4] as [UInt8]
        #expect(try kinds(M.track("A_FLAC", setup: M.flacSetup + image)) == [.image])
    }

    @Test func metadataRangeCoversElement() throws {
        let tag = M.element(
            id: 0x67C8, content: M.stringElement(id: 0x45A3, text: "TITLE") + M.stringElement(id: 0x4487, text: "Talk"))
        let bytes =
            M.ebmlHeader()
            + M.segment(
                M.tracks(M.opusTrack()) + M.cluster(0, M.opusBlocks(1))
                    + M.element(id: 0x1254_C367, content: M.element(id: 0x7373, content: tag))
            )
        #expect(try probeBytes(bytes).metadata.map(\.range) == [bytes.count - tag.count..<bytes.count])
    }

    @Test("The nesting of tags is limited") func nestedTagsAreBounded() {
        var inner: [UInt8] = []
        for _ in 0..<10_000 { inner = M.element(id: 0x67C8, content: inner, sizeLength: 4) }
        let bytes =
            M.ebmlHeader()
            + M.segment(
                M.tracks(M.opusTrack()) + M.element(id: 0x1254_C367, content: M.element(id: 0x7373, content: inner)))
        #expect(probeErrorCode(bytes) == .limitExceeded)
    }
}
