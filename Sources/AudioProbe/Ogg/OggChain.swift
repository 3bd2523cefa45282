/// The links of a file, one after the other, and what all of them hold.
struct OggChain {
    private(set) var link = OggLink()
    /// The first link with sound that can be read; nil if there was none so far.
    private(set) var first: OggLink?
    private(set) var duration = DurationSum()
    private(set) var timelineSeconds = 0.0
    private(set) var mediaBytes = 0
    private(set) var metadata: [Metadata] = []
    private(set) var warnings: [AudioWarning] = []
    private(set) var hasSound = false
    private(set) var hasVideo = false
    private var links = 0

    /// Takes a page; false if it contradicts its packets and its checksum is wrong.
    mutating func take(
        _ page: OggPage, in window: inout ByteWindow, _ limits: AudioLimits
    ) throws(AudioError) -> Bool {
        guard page.isFirst else { return try link.take(page, in: &window, limits) }
        if link.hasBegun {
            close()
            if let stream = link.main, !stream.isFinished {
                warn(.damagedFrames, page.offset, "a recording that another follows has no end of its own")
            }
            if links == limits.tracks {
                throw AudioError(.limit, offset: page.offset, "more than \(limits.tracks) recordings are joined")
            }
            warn(.chained, page.offset, "several recordings follow one another; the duration is that of all")
            link = OggLink(headersBefore: link.headers)
        }
        try link.begin(page, in: &window, limits)
        return true
    }

    /// Adds up the link that ends.
    mutating func close() {
        links += 1
        hasVideo = hasVideo || link.hasVideo
        link.main?.close()
        guard let stream = link.main else { return }
        if first == nil { first = link }
        let rate = stream.mapping.timescale, timeline = stream.timeline
        duration.add(stream.samples, per: rate, offBy: Double(stream.doubt) / Double(rate))
        timelineSeconds += Double(stream.samples + (timeline.hasGap ? timeline.gap : 0)) / Double(rate)
        mediaBytes += stream.mediaBytes
        hasSound = hasSound || stream.hasSound
        if metadata.count < limitOfMetadata { metadata += stream.metadata }
        if let damage = stream.damage {
            warn(.damagedFrames, damage, "pages are missing, or packets contradict themselves")
        }
        if timeline.hasGap {
            warn(.timelineGap, nil, "the granule positions leave pauses that no packets fill")
        } else if timeline.isBehind {
            warn(.headerContradicts, nil, "the granule positions count fewer samples than the packets hold")
        }
        if let total = stream.mapping.totalSamples, total != stream.samples, stream.isFinished {
            warn(.headerContradicts, nil, "the header states \(total) samples, and there are \(stream.samples)")
        }
    }

    /// A chain of thousands of songs need not list all that each of them tells.
    private var limitOfMetadata: Int { 1000 }

    private mutating func warn(_ code: AudioWarning.Code, _ offset: Int?, _ message: String) {
        warnings.note(AudioWarning(code, offset: offset, message))
    }
}
