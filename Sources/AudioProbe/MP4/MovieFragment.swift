internal import MediaContainers

/// The default sample properties of fragments: `trex`, ISO/IEC 14496-12, 8.8.3.
struct FragmentSampleDefaults: Hashable {
    var sampleDuration = 0
    var sampleSize = 0
}

/// Reads `moof` boxes and adds the samples of one track to its timeline: ISO/IEC 14496-12, 8.8.4 to 8.8.12.
struct MovieFragmentReader {
    /// The ID of the track.
    let trackID: Int
    /// The default sample properties by track ID.
    let defaultsByTrackID: [Int: FragmentSampleDefaults]
    var sampleTimeline: TrackSampleTimeline
    /// The IDs of the image tracks.
    let imageTrackIDs: Set<Int>
    /// Whether any fragment contained the track.
    private(set) var hasTrackFragments = false
    /// Whether any fragment contained images. Cover art is not written into fragments.
    private(set) var hasVideoSamples = false

    /// The offset in the file at which the data of the previous run in the fragment ended. The next run begins there by
    /// default.
    private var nextDataOffset = 0

    init(
        trackID: Int, defaultsByTrackID: [Int: FragmentSampleDefaults], sampleTimeline: TrackSampleTimeline,
        imageTrackIDs: Set<Int> = []
    ) {
        self.trackID = trackID
        self.defaultsByTrackID = defaultsByTrackID
        self.sampleTimeline = sampleTimeline
        self.imageTrackIDs = imageTrackIDs
    }

    /// Reads a `moof` box.
    mutating func readMovieFragment(
        _ box: ISOBox, walker: inout ISOBoxWalker, metadata: inout ISOMetadataReader,
        in reader: inout BufferedFileReader
    ) throws(AudioError) {
        nextDataOffset = box.range.lowerBound
        var offset = box.contentRange.lowerBound
        while let child = try walker.readBox(at: offset, within: box.contentRange, depth: 1, in: &reader) {
            offset = child.range.upperBound
            if child.type == "traf" {
                try readTrackFragment(child, movieFragment: box, walker: &walker, metadata: &metadata, in: &reader)
            } else {
                try metadata.readMetadataBox(child, depth: 1, walker: &walker, in: &reader)
            }
        }
    }

    private mutating func readTrackFragment(
        _ box: ISOBox, movieFragment: ISOBox, walker: inout ISOBoxWalker, metadata: inout ISOMetadataReader,
        in reader: inout BufferedFileReader
    ) throws(AudioError) {
        var header = TrackFragmentHeader()
        var offset = box.contentRange.lowerBound
        while let child = try walker.readBox(at: offset, within: box.contentRange, depth: 2, in: &reader) {
            offset = child.range.upperBound
            switch child.type {
            case "tfhd":
                header = try TrackFragmentHeader(box: child, defaultsByTrackID: defaultsByTrackID, in: &reader)
                header.baseDataOffset =
                    header.baseDataOffset
                    ?? (header.usesMovieFragmentAsBase ? movieFragment.range.lowerBound : nextDataOffset)
                nextDataOffset = header.baseDataOffset ?? nextDataOffset
                hasTrackFragments = hasTrackFragments || header.trackID == trackID
                if header.hasNoSamples && header.trackID == trackID {
                    try sampleTimeline.addPause(duration: header.sampleDefaults.sampleDuration)
                }
            case "tfdt":
                if header.trackID == trackID,
                    let time = try child.versionedField(version0Offset: 4, version1Offset: 4, in: &reader)
                {
                    try sampleTimeline.advance(toTime: time)
                }
            case "trun": try readTrackRun(child, header: header, in: &reader)
            default: try metadata.readMetadataBox(child, depth: 2, walker: &walker, in: &reader)
            }
        }
    }

    /// Reads a `trun` box. By default, the data of its samples follows that of the previous run.
    private mutating func readTrackRun(
        _ box: ISOBox, header: TrackFragmentHeader, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        guard let flags = try box.uint32(at: 0, in: &reader), let count = try box.uint32(at: 4, in: &reader) else {
            return
        }
        if count > 0, let id = header.trackID, imageTrackIDs.contains(id) { hasVideoSamples = true }
        var position = 8
        if flags & 0x1 != 0, let shift = try box.uint32(at: position, in: &reader) {
            nextDataOffset = max(
                0, (header.baseDataOffset ?? 0).addingIfNoOverflow(Int(Int32(truncatingIfNeeded: shift))) ?? .max)
            position += 4
        }
        if flags & 0x4 != 0 { position += 4 }
        let fields = TrackRunFields(flags: flags)
        if fields.fieldCount == 0 {
            return try addSamples(count: count, properties: header.sampleDefaults, header: header, in: &reader)
        }
        let start = box.contentRange.lowerBound + position
        let storedCount = max(0, box.contentRange.upperBound - start) / (4 * fields.fieldCount)
        var cursor = IntegerTableCursor(
            offset: start, endOffset: box.contentRange.upperBound, count: min(count, storedCount) * fields.fieldCount,
            integerWidth: 4)
        for _ in 0..<min(count, storedCount) {
            try addSamples(
                count: 1, properties: fields.readSample(from: &cursor, defaults: header.sampleDefaults, in: &reader),
                header: header, in: &reader)
        }
    }

    private mutating func addSamples(
        count: Int, properties samples: FragmentSampleDefaults, header: TrackFragmentHeader,
        in reader: inout BufferedFileReader
    ) throws(AudioError) {
        let run = SampleRun(
            dataOffset: nextDataOffset, sampleCount: count, sampleSize: samples.sampleSize,
            sampleDuration: samples.sampleDuration)
        if header.trackID == trackID { try sampleTimeline.addSampleRun(run, in: &reader) }
        nextDataOffset =
            count.multipliedIfNoOverflow(by: samples.sampleSize)?.addingIfNoOverflow(nextDataOffset) ?? .max
    }
}

/// The properties that `trun` lists for each sample.
private struct TrackRunFields {
    private let hasSampleDurations: Bool
    private let hasSampleSizes: Bool
    /// The number of fields that are skipped: flags, and composition time offsets.
    private let ignoredFieldCount: Int

    init(flags: Int) {
        hasSampleDurations = flags & 0x100 != 0
        hasSampleSizes = flags & 0x200 != 0
        ignoredFieldCount = (flags & 0x400 != 0 ? 1 : 0) + (flags & 0x800 != 0 ? 1 : 0)
    }

    var fieldCount: Int { (hasSampleDurations ? 1 : 0) + (hasSampleSizes ? 1 : 0) + ignoredFieldCount }

    func readSample(
        from cursor: inout IntegerTableCursor, defaults: FragmentSampleDefaults, in reader: inout BufferedFileReader
    ) throws(AudioError) -> FragmentSampleDefaults {
        var sample = defaults
        if hasSampleDurations { sample.sampleDuration = try cursor.nextInteger(in: &reader) ?? 0 }
        if hasSampleSizes { sample.sampleSize = try cursor.nextInteger(in: &reader) ?? 0 }
        for _ in 0..<ignoredFieldCount { _ = try cursor.nextInteger(in: &reader) }
        return sample
    }
}

/// The content of a `tfhd` box: ISO/IEC 14496-12, 8.8.7.
private struct TrackFragmentHeader {
    /// The track ID, or `nil` if no `tfhd` was found.
    var trackID: Int?
    /// The offset that data offsets are relative to, or `nil` if it is not stated.
    var baseDataOffset: Int?
    /// Whether data offsets are relative to the beginning of the fragment.
    var usesMovieFragmentAsBase = false
    /// Whether the fragment states a duration without samples.
    var hasNoSamples = false
    /// The default properties of the samples.
    var sampleDefaults = FragmentSampleDefaults()

    init() {}

    init(box: ISOBox, defaultsByTrackID defaults: [Int: FragmentSampleDefaults], in reader: inout BufferedFileReader)
        throws(AudioError)
    {
        guard let flags = try box.uint32(at: 0, in: &reader), let id = try box.uint32(at: 4, in: &reader) else {
            return
        }
        trackID = id
        sampleDefaults = defaults[id] ?? sampleDefaults
        usesMovieFragmentAsBase = flags & 0x2_0000 != 0
        hasNoSamples = flags & 0x1_0000 != 0
        var position = 8
        if flags & 0x1 != 0 {
            baseDataOffset = try reader.uint64(at: box.contentRange.lowerBound + position).map { Int(clamping: $0) }
            position += 8
        }
        if flags & 0x2 != 0 { position += 4 }
        if flags & 0x8 != 0 {
            sampleDefaults.sampleDuration = try box.uint32(at: position, in: &reader) ?? sampleDefaults.sampleDuration
            position += 4
        }
        if flags & 0x10 != 0 {
            sampleDefaults.sampleSize = try box.uint32(at: position, in: &reader) ?? sampleDefaults.sampleSize
        }
    }
}
