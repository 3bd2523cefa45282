import AudioProbe
import Testing

private typealias M = MatroskaBuilder

@Suite("A file with video frames has video, whatever its container")
struct VideoTests {
    /// A track of 30 images, beside the builder's audio track.
    private static func makeVideoTrack(_ change: (inout MP4Track) -> Void = { _ in }) -> MP4Track {
        var video = MP4Track()
        (video.id, video.handler) = (2, "vide")
        video.entry = MP4Builder.box(type: "avc1", content: [UInt8](repeating: 0, count: 78))
        (video.sizes, video.times) = ([Int](repeating: 50, count: 30), [(30, 1470)])
        change(&video)
        return video
    }

    /// A table of the sizes of `count` samples.
    private static func sizes(_ count: Int) -> [UInt8] {
        MP4Builder.fullBox(type: "stsz", content: bigEndianBytes(50, count: 4) + bigEndianBytes(count, count: 4))
    }

    private static let unknownEntry = MP4Builder.box(type: "xxxx", content: [UInt8](repeating: 0, count: 78))
    private static let videoMediaHeader = MP4Builder.fullBox(type: "vmhd", flags: 1, content: [0, 0, 0, 0, 0, 0, 0, 0])

    private static func makeMovie(_ video: MP4Track, audio: MP4Track = MP4Track()) -> [UInt8] {
        var builder = MP4Builder()
        (builder.brand, builder.tracks) = ("qt  ", [audio, video])
        return builder.bytes()
    }

    private static func trackReferences(_ type: String, to track: Int) -> [UInt8] {
        MP4Builder.box(type: "tref", content: MP4Builder.box(type: type, content: bigEndianBytes(track, count: 4)))
    }

    @Test(
        "QuickTime and MP4: an image track with samples is video, unless it has chapter images",
        arguments: [
            (makeMovie(makeVideoTrack()), true),
            (makeMovie(makeVideoTrack { $0.isEnabled = false }), true),
            (makeMovie(makeVideoTrack { $0.uniformSize = 50 }), true),
            (makeMovie(makeVideoTrack { $0.compactBits = 8 }), true),
            (makeMovie(makeVideoTrack { ($0.sizes, $0.times) = ([], []) }), false),
            (makeMovie(makeVideoTrack { $0.hasTable = false }), false),
            (makeMovie(makeVideoTrack { $0.handler = "xxxx" }), true),
            (makeMovie(makeVideoTrack { $0.handler = "meta" }), true),
            (makeMovie(makeVideoTrack { ($0.handler, $0.entry) = ("xxxx", unknownEntry) }), false),
            (
                makeMovie(
                    makeVideoTrack {
                        ($0.handler, $0.entry, $0.mediaBoxes) = ("xxxx", unknownEntry, videoMediaHeader)
                    }),
                true
            ),
            (
                makeMovie(
                    makeVideoTrack { $0.handler = "xxxx" }, audio: MP4Track(boxes: trackReferences("chap", to: 2))),
                false
            ),
            (makeMovie(makeVideoTrack { $0.handler = "pict" }), true),
            (makeMovie(makeVideoTrack { $0.handler = "auxv" }), true),
            (
                makeMovie(makeVideoTrack { ($0.sizes, $0.times, $0.sizeTables) = ([], [], [sizes(0), sizes(30)]) }),
                true
            ),
            (
                makeMovie(makeVideoTrack { ($0.sizes, $0.times, $0.sizeTables) = ([], [], [sizes(30), sizes(0)]) }),
                true
            ),
            (
                makeMovie(makeVideoTrack { ($0.sizes, $0.times, $0.sizeTables) = ([], [], [sizes(0), sizes(0)]) }),
                false
            ),
            (makeMovie(makeVideoTrack(), audio: MP4Track(boxes: trackReferences("chap", to: 2))), false),
            (makeMovie(makeVideoTrack(), audio: MP4Track(boxes: trackReferences("chap", to: 3))), true),
            (makeMovie(makeVideoTrack(), audio: MP4Track(boxes: trackReferences("sync", to: 2))), true),
        ])
    func videoTrackWithSamplesIsVideoExceptChapters(_ bytes: [UInt8], _ hasVideo: Bool) throws {
        for isQuick in [false, true] {
            let recording = try probeBytes(bytes, quick: isQuick)
            #expect(recording.hasVideo == hasVideo)
            #expect(recording.duration?.seconds == 102_400.0 / 44_100)
        }
    }

    @Test(
        "A single still image in a track is an attached image; several are video",
        arguments: [("jpeg", 1, false), ("png ", 1, false), ("avc1", 1, true), ("jpeg", 2, true)])
    func coverArt(_ type: String, samples: Int, hasVideo: Bool) throws {
        func cover(_ change: (inout MP4Track) -> Void = { _ in }) -> MP4Track {
            Self.makeVideoTrack {
                ($0.sizes, $0.times) = ([Int](repeating: 50, count: samples), [(samples, 1470)])
                $0.entry = MP4Builder.box(type: type, content: [UInt8](repeating: 0, count: 78))
                change(&$0)
            }
        }
        let recording = try probeBytes(Self.makeMovie(cover()))
        #expect(recording.hasVideo == hasVideo)
        #expect(recording.tracks[1].kind == (hasVideo ? .video : .other))
        #expect(recording.metadata.map(\.kind) == (hasVideo ? [] : [.image]))
        #expect(try probeBytes(Self.makeMovie(cover { $0.sizeTables = [Self.sizes(1), Self.sizes(2)] })).hasVideo)
        // Tracks with an image each may be the frames of a video, except a track of chapter images.
        for (reference, isVideo) in [("chap", hasVideo), ("sync", true)] {
            var several = MP4Builder()
            several.tracks = [MP4Track(boxes: Self.trackReferences(reference, to: 3)), cover(), cover { $0.id = 3 }]
            let recording = try probeBytes(several.bytes())
            #expect(recording.hasVideo == isVideo)
            #expect((recording.tracks[1].kind == .video) == isVideo)
        }
        // More images may follow in fragments.
        var builder = MP4Builder()
        (builder.tracks, builder.movieBoxes) = ([MP4Track(), cover()], MP4Builder.box(type: "mvex", content: []))
        let movie = builder.bytes()
        #expect(try probeBytes(movie).hasVideo == hasVideo)
        #expect(
            try probeBytes(movie + MP4Fragment(track: 2, decodeTime: 0, count: 1).encoded(at: movie.count)).hasVideo)
    }

    @Test("The number of track references is limited", .timeLimit(.minutes(1)))
    func excessiveTrackReferencesAreBounded() throws {
        let references = MP4Builder.box(
            type: "tref",
            content: MP4Builder.box(type: "chap", content: (0..<1_000_000).flatMap { bigEndianBytes($0 + 3, count: 4) })
        )
        #expect(try probeBytes(Self.makeMovie(Self.makeVideoTrack(), audio: MP4Track(boxes: references))).hasVideo)
    }

    @Test("Fragments: a sample run of an image track is video", arguments: [0, 10], [false, true])
    func fragmentedVideoTrackIsVideo(samples: Int, isQuick: Bool) throws {
        var builder = MP4Builder()
        builder.brand = "iso5"
        let audio = MP4Track(sizes: [], times: [])
        builder.tracks = [audio, Self.makeVideoTrack { ($0.sizes, $0.times) = ([], []) }]
        builder.movieBoxes = MP4Builder.box(type: "mvex", content: [])
        var file = builder.fileType + builder.movieBox(mediaStart: 0)
        for track in [1, 2] {
            file += MP4Fragment(track: track, decodeTime: 0, count: track == 1 ? 10 : samples).encoded(at: file.count)
        }
        let recording = try probeBytes(file, quick: isQuick)
        #expect(recording.duration?.ticks == 10_240)
        #expect(recording.hasVideo == (samples > 0))
        // If the header's duration is used, the fragments are not read.
        builder.movieDuration = 1000
        builder.movieBoxes = MP4Builder.box(
            type: "mvex", content: MP4Builder.fullBox(type: "mehd", content: bigEndianBytes(1000, count: 4)))
        #expect(try probeBytes(builder.fileType + builder.movieBox(mediaStart: 0) + file, quick: true).hasVideo)
    }

    @Test("Matroska and WebM: a block of a video track is video", arguments: ["webm", "matroska"], [false, true])
    func matroskaVideoBlockIsVideo(_ type: String, hasBlocks: Bool) throws {
        let tracks = M.tracks(
            M.track("V_VP8", number: 1, type: 1, more: M.unsignedElement(id: 0xB9, value: 0)), M.opusTrack(2))
        let blocks = M.opusBlocks(5, track: 2) + (hasBlocks ? [M.blockGroup(40, track: 1, [1, 2, 3])] : [])
        let film = M.segment(M.info() + tracks + M.cluster(0, blocks))
        #expect(try probeBytes(M.ebmlHeader(type) + film).hasVideo == hasBlocks)
        #expect(try probeBytes(M.makeOpusFile(3) + film).hasVideo == hasBlocks, "the second of two that were joined")
        let stated = M.segment(M.info(duration: 100) + tracks + M.cluster(0, blocks))
        #expect(try probeBytes(M.ebmlHeader(type) + stated, quick: true).hasVideo, "no block was looked at")
        let silent = M.segment(
            M.info() + M.tracks(M.track("V_VP8", type: 1)) + M.cluster(0, [M.simpleBlock(0, [1])]))
        #expect(try probeBytes(M.makeOpusFile(3) + silent).hasVideo)
    }

    @Test("Matroska: a video track in a second Tracks element counts", arguments: [false, true])
    func matroskaFurtherTracksAreRead(isLate: Bool) throws {
        let audio = M.tracks(M.opusTrack(2)), video = M.tracks(M.track("V_VP8", number: 1, type: 1))
        func segment(_ further: [UInt8]) -> [UInt8] {
            let cluster = M.cluster(0, M.opusBlocks(5, track: 2) + [M.simpleBlock(40, track: 1, [1, 2, 3])])
            return M.segment(M.info() + audio + (isLate ? cluster + further : further + cluster))
        }
        let film = try probeBytes(M.ebmlHeader() + segment(video))
        #expect(film.hasVideo)
        #expect(film.tracks.map(\.kind) == [.audio, .video])
        #expect(film.duration?.ticks == 5 * 960)
        let copied = try probeBytes(M.ebmlHeader() + segment(audio))
        #expect(!copied.hasVideo)
        #expect(copied.tracks.map(\.kind) == [.audio], "the copy of a track is no track of its own")
        let reversed = M.segment(M.info() + video + audio + M.cluster(0, M.opusBlocks(5, track: 2)))
        #expect(try probeBytes(M.ebmlHeader() + reversed).duration?.ticks == 5 * 960)
    }

    @Test("Matroska: the number of track numbers in blocks is limited") func matroskaTrackNumbersAreBounded() {
        let blocks = (0..<10_001).map { index in
            M.element(id: 0xA3, content: M.variableLengthInteger(index + 2, byteCount: 3) + [0, 0, 0x80, 1])
        }
        let bytes = M.ebmlHeader() + M.segment(M.info() + M.tracks(M.opusTrack()) + M.cluster(0, blocks))
        #expect(probeErrorCode(bytes) == .limitExceeded)
    }

    @Test("Matroska: a single still image in a track is an attached image; several are video")
    func coverTrack() throws {
        func segment(_ images: [[UInt8]], _ codec: String = "V_MJPEG", more: [UInt8] = []) -> [UInt8] {
            let tracks = M.tracks(M.track(codec, number: 1, type: 1) + more, M.opusTrack(2))
            return M.segment(M.info() + tracks + M.cluster(0, M.opusBlocks(5, track: 2) + images))
        }
        let image = M.simpleBlock(0, [1, 2, 3])
        let cover = try probeBytes(M.ebmlHeader() + segment([image]))
        #expect(!cover.hasVideo)
        #expect(cover.metadata.map(\.kind) == [.image])
        #expect(cover.tracks.map(\.kind) == [.other, .audio])
        let videos = [
            segment([image, image]), segment([image], "V_VP8"), segment([M.simpleBlock(0, [1], [2], lacing: .xiph)]),
            segment([image], more: M.track("V_VP8", number: 1, type: 1)), segment([image]) + segment([image]),
        ]
        for video in videos { #expect(try probeBytes(M.ebmlHeader() + video).hasVideo) }
        let two = try probeBytes(
            M.ebmlHeader()
                + segment([image, M.simpleBlock(40, track: 3, [1])], more: M.track("V_MJPEG", number: 3, type: 1)))
        #expect(two.hasVideo, "tracks with an image each may be the frames of a video")
        #expect(two.tracks.map(\.kind) == [.video, .video, .audio])
    }

    @Test("An attached image is not video")
    func attachedImageIsNotVideo() throws {
        let image = M.element(
            id: 0x61A7,
            content: M.stringElement(id: 0x466E, text: "cover.jpg") + M.stringElement(id: 0x4660, text: "image/jpeg"))
        let bytes =
            M.ebmlHeader()
            + M.segment(
                M.info() + M.tracks(M.opusTrack()) + M.element(id: 0x1941_A469, content: image)
                    + M.cluster(0, M.opusBlocks(5)))
        let recording = try probeBytes(bytes)
        #expect(recording.metadata.map(\.kind) == [.image])
        #expect(!recording.hasVideo)
    }

    @Test(
        "Ogg: a packet after the headers of a video stream is video, whatever its position",
        arguments: [
            ("\u{80}theora", 3), ("\u{80}daala", 3), ("BBCD", 1), ("KW-DIRAC", 1), ("OVP80", 2), ("\u{1}video", 2),
            ("\u{1}Direct Show Samples embedded in Ogg", 2),
        ], [-1, 0, 1 << 40])
    func oggVideoFrameIsVideo(codec: (signature: String, headerCount: Int), granule: Int) throws {
        for hasFrame in [false, true] {
            var video = OggBuilder(serial: 1)
            video.appendPage([asciiBytes(codec.signature) + [UInt8](repeating: 0, count: 35)], isFirst: true)
            let head = video.bytes
            for header in 1..<codec.headerCount { video.appendPage([[0x80 + UInt8(header), 1]]) }
            video.appendPage(hasFrame ? [[1, 2, 3]] : [], granule: granule, isLast: true)
            let audio = OggBuilder.makeOpusStream(pages: 3), first = audio.ends[0]
            let film = head + audio.bytes[..<first] + video.bytes[head.count...] + audio.bytes[first...]
            #expect(try probeBytes(film).hasVideo == hasFrame)
            #expect(try probeBytes(film, quick: true).hasVideo, "few pages were looked at")
            #expect(try probeBytes(audio.bytes + film).hasVideo == hasFrame, "the second link of a chain")
            #expect(try !probeBytes(audio.bytes).hasVideo)
        }
    }
}
