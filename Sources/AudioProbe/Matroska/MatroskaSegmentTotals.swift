/// What the Segments of a file hold together. There may be thousands of them, of which nothing else is kept.
struct MatroskaSegmentTotals {
    private(set) var segmentCount = 0
    /// Seconds of the pauses that the timestamps leave.
    private(set) var gapSeconds = 0.0
    /// Bytes of frames of the main tracks, or of the Clusters that were passed over.
    private(set) var mediaBytes = 0
    /// Whether there was a Cluster, and whether any held sound of the main track.
    private(set) var hasCluster = false
    private(set) var hasAudio = false
    /// Whether any held moving pictures.
    private(set) var hasVideo = false
    /// Whether any held an attached picture in a track of its own.
    private var hasPicture = false
    private(set) var metadata: [MetadataItem] = []
    private(set) var warnings: [AudioWarning] = []

    private var durationSum = DurationSum()
    /// That of the first duration; nil if there was none.
    private var durationMethod: AudioDuration.Method?

    /// Thousands of joined recordings need not list everything that each of them carries.
    private static let maxMetadataItems = 1000

    /// How long all of them last; nil if none has a duration.
    var duration: AudioDuration? {
        durationMethod.map {
            AudioDuration(
                ticks: durationSum.ticks, timescale: durationSum.timescale, method: $0,
                errorBound: durationSum.errorBound)
        }
    }

    /// Adds the Segment that follows those before.
    mutating func addSegment(_ segment: MatroskaSegment) {
        segmentCount += 1
        let result = MatroskaSegmentDuration(segment: segment)
        if let duration = result?.duration {
            durationSum.add(ticks: duration.ticks, timescale: duration.timescale, errorBound: duration.errorBound)
            durationMethod = durationMethod ?? duration.method
        }
        gapSeconds += result?.gapSeconds ?? 0
        mediaBytes +=
            segment.skippedClusterBytes > 0
            ? segment.skippedClusterBytes : segment.audioTrack?.frameCounter.byteCount ?? 0
        hasCluster = hasCluster || segment.firstClusterOffset != nil
        hasAudio =
            hasAudio || segment.skippedClusterBytes > 0
            || segment.audioTrack.map { $0.frameCounter.frameCount > 0 } ?? false
        let pictures = segment.pictures
        // Segments with an image each may be the frames of a video.
        hasVideo = hasVideo || segment.hasVideo || hasPicture && !pictures.isEmpty
        hasPicture = hasPicture || !pictures.isEmpty
        if metadata.count < Self.maxMetadataItems {
            metadata +=
                segment.header.metadata.metadataItems
                + pictures.prefix(1).map { MetadataItem(kind: .image, range: $0.range) }
        }
        addWarnings(for: segment, contradictedSeconds: result?.contradictedHeaderSeconds)
    }

    private mutating func addWarnings(for segment: MatroskaSegment, contradictedSeconds: Double?) {
        func addWarning(_ code: AudioWarning.Code, at offset: Int? = nil, _ message: String) {
            warnings.appendUniqueWarning(AudioWarning(code, offset: offset, message: message))
        }
        if segment.declaredEndOffset == nil {
            addWarning(.placeholderSize, "the Segment states no size, as that of a live recording")
        }
        if segment.exceedsDeclaredSize {
            addWarning(
                .headerContradicts, at: segment.declaredEndOffset, "the Segment goes on behind the end that it states")
        }
        if let contradictedSeconds {
            addWarning(
                .headerContradicts,
                "Info states \(contradictedSeconds.formattedAsSeconds), which no track in the file lasts")
        }
        if let damage = segment.firstDamageOffset {
            addWarning(.damagedFrames, at: damage, "there are bytes between the blocks that are no element")
        }
        if let unreadable = segment.audioTrack?.frameCounter.unreadableFrameCount, unreadable > 0 {
            addWarning(.damagedFrames, "\(unreadable) frames can't be those of the codec")
        }
    }
}
