/// What the Segments of a file hold together. There may be thousands of them, of which nothing else is kept.
struct MatroskaSum {
    private(set) var segments = 0
    /// Seconds of the pauses that the timestamps leave.
    private(set) var gap = 0.0
    /// Bytes of frames of the main tracks, or of the Clusters that were passed over.
    private(set) var mediaBytes = 0
    /// Whether there was a Cluster, and whether any held sound of the main track.
    private(set) var hasCluster = false
    private(set) var hasSound = false
    /// Whether any held moving pictures.
    private(set) var hasVideo = false
    /// Whether any held an attached picture in a track of its own.
    private var hasPicture = false
    private(set) var metadata: [Metadata] = []
    private(set) var warnings: [AudioWarning] = []

    private var durations = DurationSum()
    /// That of the first duration; nil if there was none.
    private var method: AudioDuration.Method?

    /// Thousands of joined recordings need not list everything that each of them carries.
    private static let longestMetadata = 1000

    /// How long all of them last; nil if none has a duration.
    var duration: AudioDuration? {
        method.map {
            AudioDuration(
                ticks: durations.ticks, timescale: durations.timescale, method: $0, errorBound: durations.errorBound)
        }
    }

    /// Adds the Segment that follows those before.
    mutating func add(_ segment: MatroskaSegment) {
        segments += 1
        let result = MatroskaDuration(segment)
        if let duration = result?.duration {
            durations.add(duration.ticks, per: duration.timescale, offBy: duration.errorBound)
            method = method ?? duration.method
        }
        gap += result?.gap ?? 0
        mediaBytes += segment.passedOver > 0 ? segment.passedOver : segment.sound?.counter.bytes ?? 0
        hasCluster = hasCluster || segment.firstCluster != nil
        hasSound = hasSound || segment.passedOver > 0 || segment.sound.map { $0.counter.frames > 0 } ?? false
        let pictures = segment.pictures
        // Segments with an image each may be the frames of a video.
        hasVideo = hasVideo || segment.hasVideo || hasPicture && !pictures.isEmpty
        hasPicture = hasPicture || !pictures.isEmpty
        if metadata.count < Self.longestMetadata {
            metadata += segment.header.metadata.items + pictures.prefix(1).map { Metadata(.picture, $0.range) }
        }
        warn(of: segment, contradicted: result?.contradicted)
    }

    private mutating func warn(of segment: MatroskaSegment, contradicted: Double?) {
        func note(_ code: AudioWarning.Code, at offset: Int? = nil, _ message: String) {
            warnings.note(AudioWarning(code, offset: offset, message))
        }
        if segment.statedEnd == nil {
            note(.placeholderSize, "the Segment states no size, as that of a live recording")
        }
        if segment.isUnderstated {
            note(.headerContradicts, at: segment.statedEnd, "the Segment goes on behind the end that it states")
        }
        if let contradicted {
            note(.headerContradicts, "Info states \(contradicted.inSeconds), which no track in the file lasts")
        }
        if let damage = segment.damage {
            note(.damagedFrames, at: damage, "there are bytes between the blocks that are no element")
        }
        if let unreadable = segment.sound?.counter.unreadable, unreadable > 0 {
            note(.damagedFrames, "\(unreadable) frames can't be those of the codec")
        }
    }
}
