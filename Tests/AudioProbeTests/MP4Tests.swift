import AudioProbe
import Diagnostics
import Testing

@Suite("MP4: sample tables")
struct MP4Tests {
    /// A file of one track with 100 frames of AAC, modified by `change`.
    static func makeFile(_ change: (inout MP4Track) -> Void) -> [UInt8] {
        var builder = MP4Builder()
        change(&builder.tracks[0])
        return builder.bytes()
    }

    @Test func aacFramesAreCounted() throws {
        let recording = try probeBytes(MP4Builder().bytes())
        #expect(recording.container == .m4a)
        #expect(recording.mainTrack.codec == .aac)
        #expect(recording.mainTrack.sampleRate == 44_100)
        #expect(recording.mainTrack.channels == 2)
        #expect(recording.duration == AudioDuration(ticks: 102_400, timescale: 44_100, method: .index))
        #expect(recording.completeness == .complete)
        #expect(recording.mediaBytes == 1000)
        #expect(recording.warnings.isEmpty)
        #expect(recording.metadata.isEmpty)
    }

    @Test(
        "The brand determines the container",
        arguments: [
            ("M4A ", [], .m4a), ("M4B ", [], .m4a), ("M4P ", ["isom"], .m4a), ("3gp4", [], .threeGP),
            ("3g2a", [], .threeGP), ("3ge6", ["isom"], .threeGP), ("qt  ", [], .mov), (nil, [], .mov),
            ("isom", [], .mp4),
            ("mp42", ["M4A "], .mp4), ("abcd", [], .mp4), ("abcd", ["zzzz", "M4A "], .m4a), ("abcd", ["qt  "], .mov),
        ] as [(String?, [String], AudioContainer)])
    func containerIsIdentifiedByBrand(major: String?, compatible: [String], container: AudioContainer) throws {
        var builder = MP4Builder()
        (builder.brand, builder.compatibleBrands) = (major, compatible)
        #expect(try probeBytes(builder.bytes()).container == container)
    }

    @Test("The order and the size of boxes make no difference", arguments: 0..<7)
    func boxLayoutDoesNotMatter(variant: Int) throws {
        var builder = MP4Builder()
        switch variant {
        case 0: builder.isMovieFirst = false
        case 1: builder.hasLongMediaSize = true
        case 2: builder.tracks[0].hasLongOffsets = true
        case 3: builder.tracks[0].uniformSize = 10
        case 4: builder.tracks[0].compactBits = 4
        case 5: builder.tracks[0].compactBits = 16
        default: (builder.isMovieFirst, builder.firstBoxes) = (false, MP4Builder.box(type: "wide", content: []))
        }
        let recording = try probeBytes(builder.bytes())
        #expect(recording.duration == AudioDuration(ticks: 102_400, timescale: 44_100, method: .index))
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.isEmpty)
    }

    @Test func mediaDataMayExtendToEndOfFile() throws {
        var builder = MP4Builder()
        builder.mediaSize = 0
        #expect(try probeBytes(builder.bytes()).duration?.ticks == 102_400)
    }

    @Test func firstEnabledAudioTrackIsCounted() throws {
        var builder = MP4Builder()
        var video = MP4Track(), disabled = MP4Track(), enabled = MP4Track()
        (video.handler, video.entry) = ("vide", MP4Builder.box(type: "avc1", content: [UInt8](repeating: 0, count: 78)))
        (disabled.id, disabled.isEnabled) = (2, false)
        (enabled.id, enabled.sizes, enabled.times) = (3, [Int](repeating: 10, count: 50), [(50, 1024)])
        builder.tracks = [video, disabled, enabled]
        let recording = try probeBytes(builder.bytes())
        #expect(recording.mainTrackIndex == 2)
        #expect(recording.duration?.ticks == 51_200)
        #expect(recording.tracks.map(\.kind) == [.video, .audio, .audio])
        #expect(recording.tracks.map(\.codec.rawValue) == ["avc1", "aac", "aac"])
        #expect(recording.tracks.map(\.isEnabled) == [true, false, true])
        #expect(recording.tracks.map(\.id) == [1, 2, 3])
        builder.tracks = [video, disabled]
        #expect(try probeBytes(builder.bytes()).mainTrackIndex == 1)
    }

    @Test func fileWithoutAudioTrackIsRejected() {
        var builder = MP4Builder()
        builder.tracks[0].handler = "vide"
        #expect(probeErrorCode(builder.bytes()) == .videoOnly)
        builder.tracks[0].handler = "text"
        #expect(probeErrorCode(builder.bytes()) == .noAudioTrack)
        builder.tracks = []
        #expect(probeErrorCode(builder.bytes()) == .noAudioTrack)
    }

    @Test func trackWithoutSamplesIsEmpty() throws {
        let recording = try probeBytes(Self.makeFile { ($0.sizes, $0.times) = ([], []) })
        #expect(recording.completeness == .noAudioFrames)
        #expect(recording.duration?.ticks == 0)
    }

    @Test("The table of times may shorten the last frame by the padding")
    func timeTableShortensLastFrame() throws {
        #expect(try probeBytes(Self.makeFile { $0.times = [(99, 1024), (1, 100)] }).duration?.ticks == 99 * 1024 + 100)
        // A duration of 0 means unknown.
        #expect(try probeBytes(Self.makeFile { $0.times = [(99, 1024), (1, 0)] }).duration?.ticks == 102_400)
        // Inside the track, the frames count.
        #expect(try probeBytes(Self.makeFile { $0.times = [(50, 1000), (50, 1024)] }).duration?.ticks == 102_400)
    }

    @Test func pausesAreNotCounted() throws {
        let recording = try probeBytes(Self.makeFile { $0.times = [(49, 1024), (1, 1024 + 44_100), (50, 1024)] })
        #expect(recording.duration?.ticks == 102_400)
        #expect(recording.duration?.isExact == true)
        #expect(recording.timelineSeconds == 146_500.0 / 44_100)
        #expect(recording.warnings.map(\.code) == [.timelineGap])
    }

    @Test("Jitter and rounding to milliseconds are not gaps")
    func timestampJitterIsNotAPause() throws {
        let jittering = try probeBytes(Self.makeFile { $0.times = (0..<50).flatMap { _ in [(1, 1020), (1, 1028)] } })
        #expect(jittering.timelineSeconds == nil)
        #expect(jittering.duration?.ticks == 102_400)
        let coarse = try probeBytes(
            Self.makeFile {
                $0.timescale = 1000
                $0.times = [(22, 23), (1, 24), (77, 23)]
            })
        #expect(coarse.timelineSeconds == nil)
        #expect(coarse.duration == AudioDuration(ticks: 102_400, timescale: 44_100, method: .index))
    }

    @Test("False durations in headers are contradictions")
    func wrongHeaderDurationIsContradicted() throws {
        for stated in [0, 1, 441_000, 0xFFFF_FFFE] {
            let recording = try probeBytes(Self.makeFile { $0.duration = stated })
            #expect(recording.duration?.ticks == 102_400)
            #expect(recording.warnings.map(\.code) == [.headerContradicts])
        }
        var builder = MP4Builder()
        for stated in [0, 50_000] {
            builder.movieDuration = stated
            let recording = try probeBytes(builder.bytes())
            #expect(recording.duration?.ticks == 102_400)
            #expect(recording.warnings.map(\.code) == [.headerContradicts])
        }
        // All ones mean unknown.
        builder.movieDuration = 0xFFFF_FFFF
        builder.tracks[0].duration = 0xFFFF_FFFF
        #expect(try probeBytes(builder.bytes()).warnings.isEmpty)
    }

    @Test("A quick probe uses the header")
    func quickProbeReturnsHeaderDuration() throws {
        let lying = try probeBytes(Self.makeFile { $0.duration = 441_000 }, quick: true)
        #expect(lying.duration?.ticks == 441_000)
        #expect(lying.duration?.method == .estimate)
        #expect(lying.duration?.isExact == false)
        // No header states a duration, so the frames are counted.
        let silent = try probeBytes(Self.makeFile { $0.duration = 0 }, quick: true)
        #expect(silent.duration == AudioDuration(ticks: 102_400, timescale: 44_100, method: .index))
    }

    @Test func missingMovieBoxIsUnfinalized() throws {
        let media = MP4Builder.box(type: "mdat", content: [UInt8](repeating: 7, count: 500))
        let fileType = MP4Builder().fileType
        for (bytes, mediaBytes) in [
            (fileType, 0), (fileType + media, 500), (fileType + media.dropLast(100), 400),
            // The recorder writes the size at the end.
            (fileType + MP4Builder.box(type: "mdat", content: []) + [UInt8](repeating: 0xF1, count: 500), 500),
            (fileType + media + MP4Builder().movieBox(mediaStart: 0).dropLast(10), 500),
            (MP4Builder.box(type: "styp", content: asciiBytes("msdh")) + MP4Fragment().encoded(at: 12), 100),
        ] {
            let recording = try probeBytes(bytes)
            #expect(recording.completeness == .unfinalized)
            #expect(recording.duration == nil)
            #expect(recording.mediaBytes == mediaBytes)
            #expect(recording.tracks.map(\.codec.rawValue) == ["unknown"])
        }
        // The tracks exist, but not yet their tables.
        let recording = try probeBytes(Self.makeFile { $0.hasTable = false })
        #expect(recording.completeness == .unfinalized)
        #expect(recording.mainTrack.codec == .aac)
        #expect(recording.mediaBytes == 1000)
    }

    @Test func trailingBytesAreReported() throws {
        let file = MP4Builder().bytes()
        let recording = try probeBytes(file + [UInt8](repeating: 0, count: 100))
        #expect(recording.duration?.ticks == 102_400)
        #expect(recording.completeness == .complete)
        let warning = Diagnostic(.trailingBytes, offset: file.count, message: "100 bytes follow the last box")
        #expect(recording.warnings == [warning])
    }

    @Test("Text after the movie is not a truncated box, but a known box that ends too early is")
    func appendedTextIsNotTruncation() throws {
        let file = MP4Builder().bytes()
        let recording = try probeBytes(file + asciiBytes("recorded with a phone"))
        #expect(recording.duration?.ticks == 102_400)
        #expect(recording.completeness == .complete)
        let warning = Diagnostic(.trailingBytes, offset: file.count, message: "21 bytes follow the last box")
        #expect(recording.warnings == [warning])
        let truncated = try probeBytes(file + asciiBytes("recofree"))
        #expect(truncated.completeness == .truncated(offset: file.count))
    }

    @Test("A tag of an MP3 tagger is not a box, and not damage")
    func id3TagsAroundBoxesAreSkipped() throws {
        let tag = asciiBytes("TAG") + asciiBytes("Title") + [UInt8](repeating: 0, count: 120)
        let recording = try probeBytes(MP4Builder().bytes() + tag)
        #expect(recording.duration?.ticks == 102_400)
        #expect(recording.completeness == .complete)
        #expect(recording.metadata.map(\.kind) == [.text])
        #expect(recording.warnings.map(\.code) == [.carriesMetadata])
    }

    @Test("Samples beyond the end of the file do not count")
    func missingSamplesAreNotCounted() throws {
        let file = MP4Builder().bytes()
        let recording = try probeBytes(Array(file.dropLast(505)))
        #expect(recording.duration == AudioDuration(ticks: 49 * 1024, timescale: 44_100, method: .index))
        #expect(recording.completeness == .truncated(offset: file.count - 510))
        #expect(recording.mediaBytes == 490)
        #expect(recording.warnings.isEmpty)
    }
}
