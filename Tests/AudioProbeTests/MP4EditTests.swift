import AudioProbe
import Testing

@Suite("MP4: edit lists and the delay of iTunes")
struct MP4EditTests {
    /// Probes 100 frames of 1024 samples at 44.1 kHz with an edit list. The last frame has `last` samples.
    struct Case: Sendable {
        var edits: [(length: Int, start: Int)]
        var movieTimescale = 1000
        var last = 1024
        var ticks: Int
        var errorBound = 0.0
        var timelineSeconds: Double?
    }

    static let cases = [
        // The whole track, once rounded up and once down.
        Case(edits: [(2322, 0)], ticks: 102_400),
        Case(edits: [(2321, 0)], ticks: 102_400, errorBound: 0.001),
        // The encoder's delay, and an end that only the table of times states to the sample.
        Case(edits: [(2298, 1024)], last: 1000, ticks: 101_352),
        Case(edits: [(2299, 1024)], last: 1000, ticks: 101_352),
        // The movie's time units are samples.
        Case(edits: [(88_200, 1024)], movieTimescale: 44_100, ticks: 88_200),
        Case(edits: [(88_199, 1024)], movieTimescale: 44_100, last: 1000, ticks: 88_199),
        // The movie's time units are coarser.
        Case(edits: [(2000, 1024)], ticks: 88_200, errorBound: 0.001),
        Case(edits: [(1200, 1024)], movieTimescale: 600, ticks: 88_200, errorBound: 1.0 / 600),
        // An edit to the end.
        Case(edits: [(0, 2112)], ticks: 100_288),
        // An edit beyond the end.
        Case(edits: [(90_000, 1024)], ticks: 101_376),
        Case(edits: [(90_000, 1024)], last: 500, ticks: 100_852),
        Case(edits: [(1000, 200_000)], ticks: 0),
        // Initial silence is on the timeline, and is not audio.
        Case(edits: [(500, -1), (0, 1024)], ticks: 101_376, timelineSeconds: 0.5 + 101_376.0 / 44_100),
        // Two edits that play the same part.
        Case(edits: [(1000, 0), (1000, 0)], ticks: 88_200, errorBound: 0.002),
        Case(edits: [(44_100, 44_100), (44_100, 0)], movieTimescale: 44_100, ticks: 88_200),
        // A list with only silence is ignored.
        Case(edits: [(500, -1)], ticks: 102_400),
    ]

    @Test(arguments: cases, [0, 1])
    func editListsTrimDuration(_ expected: Case, version: Int) throws {
        var builder = MP4Builder()
        builder.movieTimescale = expected.movieTimescale
        builder.tracks[0].times = [(99, 1024), (1, expected.last)]
        builder.tracks[0].edits = expected.edits
        builder.tracks[0].editVersion = version
        let recording = try probeBytes(builder.bytes())
        let duration = try #require(recording.duration)
        #expect(duration.ticks == expected.ticks)
        #expect(duration.timescale == 44_100)
        #expect(abs(duration.errorBound - expected.errorBound) < 1e-12)
        #expect(recording.timelineSeconds == expected.timelineSeconds)
    }

    @Test("Edits refer to the timeline, which includes gaps")
    func editsApplyToTimelineWithPauses() throws {
        var builder = MP4Builder()
        builder.movieTimescale = 44_100
        // A gap of one second after 50 frames.
        builder.tracks[0].times = [(49, 1024), (1, 1024 + 44_100), (50, 1024)]
        // From the middle of the 50th frame to that of the 51st.
        builder.tracks[0].edits = [(44_100 + 1024, 49 * 1024 + 512)]
        let recording = try probeBytes(builder.bytes())
        #expect(recording.duration == AudioDuration(ticks: 1024, timescale: 44_100, method: .index))
        #expect(recording.timelineSeconds == Double(44_100 + 1024) / 44_100)
    }

    @Test("With SBR, a time unit may be two samples")
    func sbrTrackUnitsMayBeTwoSamples() throws {
        var builder = MP4Builder()
        builder.tracks[0].entry = MP4SampleEntry.aacEntry(rate: 44_100, config: [0x13, 0x90])
        builder.tracks[0].timescale = 22_050
        builder.tracks[0].edits = [(0, 1024)]
        #expect(
            try probeBytes(builder.bytes()).duration
                == AudioDuration(ticks: 99 * 2048, timescale: 44_100, method: .index))
    }

    @Test("Edits of a truncated track")
    func editsOfTruncatedTrackAreBounded() throws {
        var builder = MP4Builder()
        builder.tracks[0].times = [(99, 1024), (1, 500)]
        builder.tracks[0].edits = [(2287, 1024)]
        let recording = try probeBytes(Array(builder.bytes().dropLast(505)))
        #expect(recording.duration == AudioDuration(ticks: 48 * 1024, timescale: 44_100, method: .index))
    }

    @Test("The delay of iTunes counts if it fits the track and no edit list states it")
    func iTunesDelayAppliesOnlyWithoutEdits() throws {
        func file(_ text: String, edits: [(length: Int, start: Int)] = []) -> [UInt8] {
            let parts =
                MP4Builder.fullBox(type: "mean", content: asciiBytes("com.apple.iTunes"))
                + MP4Builder.fullBox(type: "name", content: asciiBytes("iTunSMPB"))
                + MP4Builder.box(
                    type: "data", content: bigEndianBytes(1, count: 4) + bigEndianBytes(0, count: 4) + asciiBytes(text))
            var builder = MP4Builder()
            builder.tracks[0].edits = edits
            builder.movieBoxes = MP4MetadataTests.makeUserDataBox(items: MP4Builder.box(type: "----", content: parts))
            return builder.bytes()
        }
        func note(_ delay: Int, _ padding: Int, _ samples: Int) -> String {
            " 00000000 "
                + [delay, padding, samples].map { String($0, radix: 16, uppercase: true) }.joined(separator: " ")
                + " 00000000 00000000"
        }
        let fits = try probeBytes(file(note(2112, 288, 100_000)))
        #expect(fits.duration == AudioDuration(ticks: 100_000, timescale: 44_100, method: .index))
        #expect(fits.warnings.isEmpty)
        #expect(try probeBytes(file(note(2112, 288, 50_000))).duration?.ticks == 102_400)
        #expect(try probeBytes(file(note(2112, 288, 100_000), edits: [(0, 1024)])).duration?.ticks == 101_376)
        #expect(try probeBytes(file("nonsense")).duration?.ticks == 102_400)
        // The tag counts more samples: the end of the track is lost, and the delay remains at its beginning.
        let cut = try probeBytes(file(note(2112, 288, 200_000)))
        #expect(cut.duration?.ticks == 102_400 - 2112)
        #expect(cut.duration?.isExact == false)
    }
}
