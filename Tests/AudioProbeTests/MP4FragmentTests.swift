import AudioProbe
import Diagnostics
import Testing

@Suite("MP4: fragments")
struct MP4FragmentTests {
    /// Three fragments of 10 frames.
    static func makeFile(_ change: (inout MP4Fragment, Int) -> Void = { _, _ in }) -> [UInt8] {
        let fragments = (0..<3).map { index in
            var fragment = MP4Fragment()
            fragment.decodeTime = index * 10 * 1024
            change(&fragment, index)
            return fragment
        }
        return MP4Builder.makeFragmentedFile(fragments)
    }

    @Test("Samples are counted wherever a fragment describes them", arguments: 0..<7)
    func everySampleDescriptionStyleIsCounted(variant: Int) throws {
        let recording = try probeBytes(
            Self.makeFile { fragment, _ in
                switch variant {
                case 0: fragment.base = .fragment
                case 1: fragment.base = .stated
                case 2: fragment.listsSamples = false
                case 3: (fragment.listsSamples, fragment.usesDefaults) = (false, true)
                case 4: fragment.hasLongTime = true
                case 5: fragment.decodeTime = nil
                default: break
                }
            })
        #expect(recording.container == .mp4)
        #expect(recording.duration == AudioDuration(ticks: 30 * 1024, timescale: 44_100, method: .scan))
        #expect(recording.completeness == .complete)
        #expect(recording.mediaBytes == 300)
        #expect(recording.warnings.isEmpty)
    }

    @Test func gapsBetweenFragmentsAreReported() throws {
        let recording = try probeBytes(
            Self.makeFile { fragment, index in fragment.decodeTime = index * (10 * 1024 + 44_100) })
        #expect(recording.duration?.ticks == 30 * 1024)
        #expect(recording.timelineSeconds == Double(30 * 1024 + 2 * 44_100) / 44_100)
        #expect(recording.warnings.map(\.code) == [.timelineGap])
    }

    @Test("A stream that is recorded from its middle begins late and has no gap")
    func lateStartIsNotAGap() throws {
        let recording = try probeBytes(
            Self.makeFile { fragment, index in fragment.decodeTime = 1_000_000 + index * 10 * 1024 })
        #expect(recording.duration?.ticks == 30 * 1024)
        #expect(recording.timelineSeconds == nil)
    }

    @Test func fragmentsOfOtherTracksAreIgnored() throws {
        let recording = try probeBytes(Self.makeFile { fragment, index in fragment.track = index == 1 ? 2 : 1 })
        #expect(recording.duration?.ticks == 20 * 1024)
    }

    @Test("The last frame of all fragments may be shorter")
    func lastFrameMayBeShorter() throws {
        let recording = try probeBytes(
            Self.makeFile { fragment, index in fragment.lastDuration = index == 2 ? 100 : nil })
        #expect(recording.duration?.ticks == 29 * 1024 + 100)
    }

    @Test("An edit of length 0 extends to the end")
    func zeroLengthEditExtendsToEnd() throws {
        var track = MP4Track()
        track.edits = [(0, 1024)]
        var fragment = MP4Fragment()
        fragment.decodeTime = 0
        let recording = try probeBytes(MP4Builder.makeFragmentedFile([fragment], track: track))
        #expect(recording.duration == AudioDuration(ticks: 9 * 1024, timescale: 44_100, method: .scan))
    }

    @Test func truncatedFragmentsAreTruncated() throws {
        let file = Self.makeFile()
        let inMedia = try probeBytes(Array(file.dropLast(45)))
        #expect(inMedia.duration?.ticks == 25 * 1024)
        #expect(inMedia.completeness == .truncated(offset: file.count - 50))
        let lastFragment = MP4Fragment(decodeTime: 0).encoded(at: 0).count
        let inHeader = try probeBytes(Array(file.dropLast(150)))
        #expect(inHeader.duration?.ticks == 20 * 1024)
        #expect(inHeader.completeness == .truncated(offset: file.count - lastFragment))
    }

    @Test("A beginning without fragments is unfinalised")
    func initializationSegmentAloneIsUnfinalized() throws {
        let recording = try probeBytes(MP4Builder.makeFragmentedFile([]))
        #expect(recording.completeness == .unfinalized)
        #expect(recording.mainTrack.codec == .aac)
    }

    @Test("Fragments may precede moov")
    func fragmentsMayPrecedeMovieBox() throws {
        let first = MP4Builder.makeFragmentedFile([]), fragment = MP4Fragment(decodeTime: 0, base: .fragment)
        let fileType = MP4Builder(brand: "iso5").fileType
        let file = fileType + fragment.encoded(at: fileType.count) + first.dropFirst(fileType.count)
        #expect(try probeBytes(file).duration == AudioDuration(ticks: 10 * 1024, timescale: 44_100, method: .scan))
    }

    @Test("The stated duration of all fragments is compared, and used only by a quick probe")
    func declaredFragmentDurationIsComparedAndUsedByQuickProbe() throws {
        var fragment = MP4Fragment()
        fragment.decodeTime = 0
        let file = MP4Builder.makeFragmentedFile([fragment], statedDuration: 5000)
        #expect(try probeBytes(file).duration?.ticks == 10 * 1024)
        let quick = try probeBytes(file, quick: true)
        #expect(quick.duration?.ticks == 5000)
        #expect(quick.duration?.timescale == 1000)
        #expect(quick.duration?.method == .estimate)
        #expect(try probeBytes(Self.makeFile(), quick: true).duration?.method == .scan)
    }

    @Test("Boxes for streaming are skipped")
    func indexAndStreamingBoxesAreIgnored() throws {
        var fragment = MP4Fragment()
        fragment.decodeTime = 0
        let index =
            MP4Builder.box(type: "styp", content: asciiBytes("msdh"))
            + MP4Builder.fullBox(type: "sidx", content: bigEndianBytes(0, count: 24))
        let file =
            MP4Builder.makeFragmentedFile([fragment], before: index)
            + MP4Builder.box(type: "mfra", content: bigEndianBytes(0, count: 16))
        let recording = try probeBytes(file)
        #expect(recording.duration?.ticks == 10 * 1024)
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.isEmpty)
    }
}
