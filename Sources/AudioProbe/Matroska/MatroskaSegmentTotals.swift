internal import Diagnostics

/// The totals of all Segments in a file. There may be thousands, so nothing else of them is kept.
struct MatroskaSegmentTotals {
    private(set) var segmentCount = 0
    /// Seconds of the gaps in the timelines.
    private(set) var gapSeconds = 0.0
    /// Bytes of the frames in the main tracks, or of the Clusters that were skipped.
    private(set) var mediaBytes = 0
    /// Whether any Segment has a Cluster.
    private(set) var hasCluster = false
    /// Whether any Segment has audio of the main track.
    private(set) var hasAudio = false
    /// Whether any Segment has video.
    private(set) var hasVideo = false
    /// Whether any Segment has an attached picture in a track of its own.
    private var hasAttachedImage = false
    /// The first Cluster in a Segment without Tracks: the length of its audio is unknown.
    private(set) var undescribedClusterOffset: Int?
    private(set) var metadata: [MetadataItem] = []
    private(set) var warnings: [Diagnostic] = []

    private var durationSum = DurationSum()
    /// The method of the first duration, or `nil` if there was none.
    private var durationMethod: AudioDuration.Method?

    /// The number of metadata items after which no more are added. Thousands of streams may be joined.
    private static let maxMetadataItems = 1000

    /// The total duration, or `nil` if no Segment has one.
    var duration: AudioDuration? {
        durationMethod.map {
            AudioDuration(
                ticks: durationSum.ticks, timescale: durationSum.timescale, method: $0,
                errorBound: durationSum.errorBound)
        }
    }

    /// Adds a Segment to the totals.
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
            ? segment.skippedClusterBytes : segment.mainTrackBlocks?.frameCounter.byteCount ?? 0
        hasCluster = hasCluster || segment.firstClusterOffset != nil
        hasAudio =
            hasAudio || segment.skippedClusterBytes > 0
            || segment.mainTrackBlocks.map { $0.frameCounter.frameCount > 0 } ?? false
        let imageTracks = segment.attachedImageTracks
        // Several Segments with one image each may be the frames of a video.
        hasVideo = hasVideo || segment.hasVideo || hasAttachedImage && !imageTracks.isEmpty
        hasAttachedImage = hasAttachedImage || !imageTracks.isEmpty
        if metadata.count < Self.maxMetadataItems {
            metadata +=
                segment.header.metadata.metadataItems
                + imageTracks.prefix(1).map { MetadataItem(kind: .image, range: $0.range) }
        }
        addWarnings(for: segment, contradictedSeconds: result?.contradictedHeaderSeconds)
    }

    private mutating func addWarnings(for segment: MatroskaSegment, contradictedSeconds: Double?) {
        func addWarning(_ code: Diagnostic.Code, offset: Int? = nil, message: String) {
            warnings.appendUniqueWarning(Diagnostic(code, offset: offset, message: message))
        }
        if segment.declaredEndOffset == nil {
            addWarning(.placeholderSize, message: "the Segment states no size, as in a live stream")
        }
        if segment.exceedsDeclaredSize {
            addWarning(
                .headerContradicts, offset: segment.declaredEndOffset,
                message: "the Segment continues after the end that its size states")
        }
        if let contradictedSeconds {
            addWarning(
                .headerContradicts,
                message: "Info states \(contradictedSeconds.formattedAsSeconds), but no track is as long")
        }
        if let damage = segment.firstDamageOffset {
            addWarning(
                .damagedFrames, offset: damage, message: "unrecognized bytes between the blocks, or an invalid block")
        }
        if segment.header.tracks.isEmpty, let cluster = segment.firstClusterOffset {
            undescribedClusterOffset = undescribedClusterOffset ?? cluster
            addWarning(
                .damagedFrames, offset: cluster, message: "the blocks of a Segment without Tracks are not counted")
        }
        if let unreadable = segment.mainTrackBlocks?.frameCounter.unreadableFrameCount, unreadable > 0 {
            addWarning(.damagedFrames, message: "\(unreadable) frames are invalid for the codec")
        }
    }
}
