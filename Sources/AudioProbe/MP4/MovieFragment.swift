/// What a fragment's samples are like where it doesn't say: `trex`, ISO/IEC 14496-12, 8.8.3.
struct FragmentDefaults: Hashable {
    var duration = 0
    var size = 0
}

/// Reads the boxes `moof`, and hands the samples of one track to its clock: ISO/IEC 14496-12, 8.8.4 to 8.8.12.
struct FragmentReader {
    /// The track's number.
    let track: Int
    /// By the tracks' numbers.
    let defaults: [Int: FragmentDefaults]
    var clock: SoundClock
    /// The numbers of the tracks of images.
    let images: Set<Int>
    /// Whether any fragment had a part for the track.
    private(set) var isUsed = false
    /// Whether any had samples of images. Fragments are not how cover art is written.
    private(set) var hasVideo = false

    /// Where in the fragment that is being read the data of its last part ended: the next begins there, if it doesn't say.
    private var dataEnd = 0

    init(track: Int, defaults: [Int: FragmentDefaults], clock: SoundClock, images: Set<Int> = []) {
        (self.track, self.defaults, self.clock, self.images) = (track, defaults, clock, images)
    }

    /// Reads the fragment `box`.
    mutating func read(
        _ box: Box, _ walker: inout BoxWalker, _ metadata: inout MetadataReader, in window: inout ByteWindow
    ) throws(AudioError) {
        dataEnd = box.range.lowerBound
        var offset = box.content.lowerBound
        while let child = try walker.box(at: offset, in: box.content, depth: 1, &window) {
            offset = child.range.upperBound
            if child.type == "traf" {
                try readTrack(child, fragment: box, &walker, &metadata, in: &window)
            } else {
                try metadata.read(child, depth: 1, &walker, in: &window)
            }
        }
    }

    private mutating func readTrack(
        _ box: Box, fragment: Box, _ walker: inout BoxWalker, _ metadata: inout MetadataReader,
        in window: inout ByteWindow
    ) throws(AudioError) {
        var header = TrackFragmentHeader()
        var offset = box.content.lowerBound
        while let child = try walker.box(at: offset, in: box.content, depth: 2, &window) {
            offset = child.range.upperBound
            switch child.type {
            case "tfhd":
                header = try TrackFragmentHeader(child, defaults, in: &window)
                header.base = header.base ?? (header.startsAtFragment ? fragment.range.lowerBound : dataEnd)
                dataEnd = header.base ?? dataEnd
                isUsed = isUsed || header.track == track
                if header.isEmpty && header.track == track { try clock.pause(header.samples.duration) }
            case "tfdt":
                if header.track == track, let time = try child.field(at: 4, or: 4, in: &window) {
                    try clock.move(to: time)
                }
            case "trun": try readRun(child, header, in: &window)
            default: try metadata.read(child, depth: 2, &walker, in: &window)
            }
        }
    }

    /// Reads `trun`. The data of its samples follow those of the run before, if it doesn't say where else they are.
    private mutating func readRun(
        _ box: Box, _ header: TrackFragmentHeader, in window: inout ByteWindow
    ) throws(AudioError) {
        guard let flags = try box.uint32(at: 0, in: &window), let count = try box.uint32(at: 4, in: &window) else {
            return
        }
        if count > 0, let id = header.track, images.contains(id) { hasVideo = true }
        var position = 8
        if flags & 0x1 != 0, let shift = try box.uint32(at: position, in: &window) {
            dataEnd = max(0, (header.base ?? 0).adding(Int(Int32(truncatingIfNeeded: shift))) ?? .max)
            position += 4
        }
        if flags & 0x4 != 0 { position += 4 }
        let fields = SampleFields(flags)
        if fields.count == 0 { return try add(count, header.samples, header, in: &window) }
        let start = box.content.lowerBound + position
        let held = max(0, box.content.upperBound - start) / (4 * fields.count)
        var cursor = TableCursor(
            at: start, before: box.content.upperBound, count: min(count, held) * fields.count, width: 4)
        for _ in 0..<min(count, held) {
            try add(1, fields.next(of: &cursor, header.samples, in: &window), header, in: &window)
        }
    }

    private mutating func add(
        _ count: Int, _ samples: FragmentDefaults, _ header: TrackFragmentHeader, in window: inout ByteWindow
    ) throws(AudioError) {
        let run = SampleRun(offset: dataEnd, count: count, size: samples.size, delta: samples.duration)
        if header.track == track { try clock.add(run, in: &window) }
        dataEnd = count.multiplied(by: samples.size)?.adding(dataEnd) ?? .max
    }
}

/// Which of its properties `trun` lists for each sample.
private struct SampleFields {
    private let hasDuration: Bool
    private let hasSize: Bool
    /// Flags, and how much later a sample is shown than decoded: of no use here.
    private let others: Int

    init(_ flags: Int) {
        hasDuration = flags & 0x100 != 0
        hasSize = flags & 0x200 != 0
        others = (flags & 0x400 != 0 ? 1 : 0) + (flags & 0x800 != 0 ? 1 : 0)
    }

    var count: Int { (hasDuration ? 1 : 0) + (hasSize ? 1 : 0) + others }

    func next(
        of cursor: inout TableCursor, _ defaults: FragmentDefaults, in window: inout ByteWindow
    ) throws(AudioError) -> FragmentDefaults {
        var sample = defaults
        if hasDuration { sample.duration = try cursor.next(in: &window) ?? 0 }
        if hasSize { sample.size = try cursor.next(in: &window) ?? 0 }
        for _ in 0..<others { _ = try cursor.next(in: &window) }
        return sample
    }
}

/// `tfhd`: 8.8.7.
private struct TrackFragmentHeader {
    /// Nil as long as none was met.
    var track: Int?
    /// What offsets count from, if it is stated.
    var base: Int?
    /// Whether they count from the fragment's own beginning.
    var startsAtFragment = false
    /// Whether it says that there are no samples for a while.
    var isEmpty = false
    /// What the samples are like that don't say.
    var samples = FragmentDefaults()

    init() {}

    init(_ box: Box, _ defaults: [Int: FragmentDefaults], in window: inout ByteWindow) throws(AudioError) {
        guard let flags = try box.uint32(at: 0, in: &window), let id = try box.uint32(at: 4, in: &window) else {
            return
        }
        track = id
        samples = defaults[id] ?? samples
        startsAtFragment = flags & 0x2_0000 != 0
        isEmpty = flags & 0x1_0000 != 0
        var position = 8
        if flags & 0x1 != 0 {
            base = try window.uint64(at: box.content.lowerBound + position).map { Int(clamping: $0) }
            position += 8
        }
        if flags & 0x2 != 0 { position += 4 }
        if flags & 0x8 != 0 {
            samples.duration = try box.uint32(at: position, in: &window) ?? samples.duration
            position += 4
        }
        if flags & 0x10 != 0 { samples.size = try box.uint32(at: position, in: &window) ?? samples.size }
    }
}
