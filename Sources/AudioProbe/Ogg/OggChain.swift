internal import Diagnostics

/// The chained links of an Ogg file, and their totals.
struct OggChain {
    private(set) var currentLink = OggLink()
    /// The first link with supported audio, or `nil` if there was none so far.
    private(set) var firstAudioLink: OggLink?
    private(set) var duration = DurationSum()
    private(set) var timelineSeconds = 0.0
    private(set) var mediaBytes = 0
    private(set) var metadataItems: [MetadataItem] = []
    private(set) var warnings: [Diagnostic] = []
    private(set) var hasAudio = false
    private(set) var hasVideo = false
    /// The offset of the first link with audio that cannot be counted.
    private(set) var uncountedLinkOffset: Int?
    private var closedLinkCount = 0

    /// Appends a page to the current link, or begins another link.
    ///
    /// - Returns: `false` if the page contradicts its packets and its checksum is wrong.
    mutating func appendPageIfValid(
        _ page: OggPage, in reader: inout BufferedFileReader, limits: AudioLimits
    ) throws(AudioError) -> Bool {
        guard page.beginsStream else { return try currentLink.appendPageIfValid(page, in: &reader, limits: limits) }
        if currentLink.hasDataPages {
            closeCurrentLink()
            if let stream = currentLink.mainStream, !stream.isFinished {
                addWarning(
                    .damagedFrames, offset: page.offset,
                    message: "a stream before the last one has no last page")
            }
            if closedLinkCount == limits.tracks {
                throw AudioError(
                    .limitExceeded, offset: page.offset, message: "too many joined streams (at most \(limits.tracks))")
            }
            addWarning(
                .chainedRecordings, offset: page.offset,
                message: "the file consists of several joined streams; the duration is their sum")
            currentLink = OggLink(headersBefore: currentLink.headers)
        }
        try currentLink.beginStream(firstPage: page, in: &reader, limits: limits)
        return true
    }

    /// Adds the current link, which is complete, to the totals.
    mutating func closeCurrentLink() {
        closedLinkCount += 1
        hasVideo = hasVideo || currentLink.hasVideo
        currentLink.mainStream?.finish()
        guard let stream = currentLink.mainStream else { return recordUncountedAudio() }
        if firstAudioLink == nil { firstAudioLink = currentLink }
        let rate = stream.codecMapping.timescale, timeline = stream.timeline
        duration.add(
            ticks: stream.playedSampleCount, timescale: rate, errorBound: Double(stream.uncertainSamples) / Double(rate)
        )
        timelineSeconds +=
            Double(stream.playedSampleCount + (timeline.hasGap ? timeline.gapSampleCount : 0)) / Double(rate)
        mediaBytes += stream.mediaBytes
        hasAudio = hasAudio || stream.hasAudio
        if metadataItems.count < maxMetadataCount { metadataItems += stream.metadataItems }
        if let damage = stream.damageOffset {
            addWarning(.damagedFrames, offset: damage, message: "pages are missing, or packets are invalid")
        }
        if timeline.hasGap {
            addWarning(.timelineGap, offset: nil, message: "the granule positions leave gaps between the packets")
        } else if timeline.hasNegativeGap {
            addWarning(
                .headerContradicts, offset: nil,
                message: "the granule positions count fewer samples than the packets contain")
        }
        if let total = stream.codecMapping.totalSamples, total != stream.playedSampleCount, stream.isFinished {
            addWarning(
                .headerContradicts, offset: nil,
                message: "the header states \(total) samples, but the stream has \(stream.playedSampleCount)")
        }
    }

    /// Records that the current link may contain audio that cannot be counted.
    private mutating func recordUncountedAudio() {
        guard let offset = currentLink.startOffset, let codec = currentLink.uncountableCodec else { return }
        uncountedLinkOffset = uncountedLinkOffset ?? offset
        addWarning(
            .damagedFrames, offset: offset,
            message: "the duration of one of the joined streams is unknown; its codec is \(codec)")
    }

    /// The number of metadata items after which no more are added. A chain can have thousands of links.
    private var maxMetadataCount: Int { 1000 }

    private mutating func addWarning(_ code: Diagnostic.Code, offset: Int?, message: String) {
        warnings.appendUniqueWarning(Diagnostic(code, offset: offset, message: message))
    }
}
