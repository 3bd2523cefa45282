import AudioProbe
import Testing

@Suite("MP4: fragments")
struct MP4FragmentTests {
    /// Three fragments of 10 frames.
    static func file(_ change: (inout MP4Fragment, Int) -> Void = { _, _ in }) -> [UInt8] {
        let fragments = (0..<3).map { index in
            var fragment = MP4Fragment()
            fragment.decodeTime = index * 10 * 1024
            change(&fragment, index)
            return fragment
        }
        return MP4Builder.fragmented(fragments)
    }

    @Test("However a fragment says what its samples are, they are counted", arguments: 0..<7)
    func kinds(variant: Int) throws {
        let recording = try probe(
            Self.file { fragment, _ in
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

    @Test func gapsBetweenFragments() throws {
        let recording = try probe(Self.file { fragment, index in fragment.decodeTime = index * (10 * 1024 + 44_100) })
        #expect(recording.duration?.ticks == 30 * 1024)
        #expect(recording.timelineSeconds == Double(30 * 1024 + 2 * 44_100) / 44_100)
        #expect(recording.warnings.map(\.code) == [.timelineGap])
    }

    @Test("A stream that was joined late begins late, and has no gap")
    func lateStart() throws {
        let recording = try probe(Self.file { fragment, index in fragment.decodeTime = 1_000_000 + index * 10 * 1024 })
        #expect(recording.duration?.ticks == 30 * 1024)
        #expect(recording.timelineSeconds == nil)
    }

    @Test func otherTracksFragments() throws {
        let recording = try probe(Self.file { fragment, index in fragment.track = index == 1 ? 2 : 1 })
        #expect(recording.duration?.ticks == 20 * 1024)
    }

    @Test("The last frame of all may be shorter")
    func shortLastFrame() throws {
        let recording = try probe(Self.file { fragment, index in fragment.lastDuration = index == 2 ? 100 : nil })
        #expect(recording.duration?.ticks == 29 * 1024 + 100)
    }

    @Test("An edit of length 0 goes on to the end")
    func edits() throws {
        var track = MP4Track()
        track.edits = [(0, 1024)]
        var fragment = MP4Fragment()
        fragment.decodeTime = 0
        let recording = try probe(MP4Builder.fragmented([fragment], track: track))
        #expect(recording.duration == AudioDuration(ticks: 9 * 1024, timescale: 44_100, method: .scan))
    }

    @Test func fragmentsThatAreCut() throws {
        let file = Self.file()
        let inMedia = try probe(Array(file.dropLast(45)))
        #expect(inMedia.duration?.ticks == 25 * 1024)
        #expect(inMedia.completeness == .truncated(offset: file.count - 50))
        let lastFragment = MP4Fragment(decodeTime: 0).bytes(at: 0).count
        let inHeader = try probe(Array(file.dropLast(150)))
        #expect(inHeader.duration?.ticks == 20 * 1024)
        #expect(inHeader.completeness == .truncated(offset: file.count - lastFragment))
    }

    @Test("A beginning to which no fragment came was never finished")
    func noFragments() throws {
        let recording = try probe(MP4Builder.fragmented([]))
        #expect(recording.completeness == .unfinalized)
        #expect(recording.mainTrack.codec == .aac)
    }

    @Test("Fragments may come before their description")
    func descriptionBehind() throws {
        let first = MP4Builder.fragmented([]), fragment = MP4Fragment(decodeTime: 0, base: .fragment)
        let fileType = MP4Builder(brand: "iso5").fileType
        let file = fileType + fragment.bytes(at: fileType.count) + first.dropFirst(fileType.count)
        #expect(try probe(file).duration == AudioDuration(ticks: 10 * 1024, timescale: 44_100, method: .scan))
    }

    @Test("What the headers state of all fragments is compared, and believed only by a quick look")
    func statedDuration() throws {
        var fragment = MP4Fragment()
        fragment.decodeTime = 0
        let file = MP4Builder.fragmented([fragment], statedDuration: 5000)
        #expect(try probe(file).duration?.ticks == 10 * 1024)
        let quick = try probe(file, quick: true)
        #expect(quick.duration?.ticks == 5000)
        #expect(quick.duration?.timescale == 1000)
        #expect(quick.duration?.method == .estimate)
        #expect(try probe(Self.file(), quick: true).duration?.method == .scan)
    }

    @Test("Indexes and boxes of streaming are passed over")
    func others() throws {
        var fragment = MP4Fragment()
        fragment.decodeTime = 0
        let index = MP4Builder.box("styp", ascii("msdh")) + MP4Builder.fullBox("sidx", big(0, 24))
        let file = MP4Builder.fragmented([fragment], before: index) + MP4Builder.box("mfra", big(0, 16))
        let recording = try probe(file)
        #expect(recording.duration?.ticks == 10 * 1024)
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.isEmpty)
    }
}
