/// What the packets of a logical stream hold, beside what its pages' granule positions say.
struct OggTimeline {
    /// Samples that the packets hold, and those of them that are left out at either end.
    private(set) var decodedSampleCount = 0
    private(set) var trimmedSampleCount = 0
    /// Where the first packet begins and the last one ends by the granule positions; nil before the first of those.
    private(set) var startGranulePosition: Int?
    private(set) var lastGranulePosition = 0
    /// Samples by which the positions are ahead of the packets; below 0 if they are behind.
    private(set) var gapSampleCount = 0
    /// Samples that the last page's position leaves out, though the page is not marked as the last of its stream.
    private(set) var pendingEndTrimSamples = 0
    /// Samples since the last position.
    private var samplesSinceGranulePosition = 0
    /// Jumps up to this, 10 ms, are rounding: times that came from another container are often in milliseconds.
    let gapToleranceSamples: Int

    init(timescale: Int) { gapToleranceSamples = timescale / 100 }

    /// What is played of it.
    var playedSampleCount: Int { decodedSampleCount - trimmedSampleCount }
    /// Whether positions and packets agree.
    var hasGap: Bool { gapSampleCount > gapToleranceSamples }
    var hasNegativeGap: Bool { gapSampleCount < -gapToleranceSamples }

    /// Takes a page whose packets hold `sampleCount`, as far as they end in it.
    ///
    /// - Returns: whether its position agrees with them.
    mutating func appendPage(
        sampleCount: Int, granulePosition: Int?, endsStream: Bool, codecMapping: some OggCodecMapping
    ) -> Bool {
        // A packet has at most 200,000 samples, so that no file is long enough for an overflow.
        decodedSampleCount += sampleCount
        samplesSinceGranulePosition += sampleCount
        guard let granulePosition else { return true }
        defer { samplesSinceGranulePosition = 0 }
        pendingEndTrimSamples = 0
        guard startGranulePosition != nil else {
            return setStart(granulePosition: granulePosition, endsStream: endsStream, codecMapping: codecMapping)
        }
        var jump = granulePosition - lastGranulePosition - samplesSinceGranulePosition
        lastGranulePosition = granulePosition
        if jump < 0, endsStream, codecMapping.canTrimEnd {
            // No more than the last page holds: what was before has been played.
            let trim = min(-jump, samplesSinceGranulePosition)
            trimmedSampleCount += trim
            jump += trim
        } else if jump < 0, -jump <= samplesSinceGranulePosition, codecMapping.canTrimEnd {
            pendingEndTrimSamples = -jump
        }
        gapSampleCount += jump
        return abs(jump) <= gapToleranceSamples
    }

    /// Takes what the last page leaves out as if it were marked as the last, which only its encoder can have meant.
    mutating func applyPendingEndTrim() {
        trimmedSampleCount += pendingEndTrimSamples
        gapSampleCount += pendingEndTrimSamples
    }

    /// The first position says where the first packet begins, which need not be 0; or, if that would be before 0, that
    /// samples are left out: at the end if it is the last page too, or else at the beginning.
    private mutating func setStart(granulePosition: Int, endsStream: Bool, codecMapping: some OggCodecMapping) -> Bool {
        startGranulePosition = max(0, granulePosition - samplesSinceGranulePosition)
        lastGranulePosition = granulePosition
        if granulePosition >= samplesSinceGranulePosition { return true }
        if endsStream ? codecMapping.canTrimEnd : codecMapping.canTrimStart {
            trimmedSampleCount = samplesSinceGranulePosition - granulePosition
            return true
        }
        gapSampleCount = granulePosition - samplesSinceGranulePosition
        return abs(gapSampleCount) <= gapToleranceSamples
    }
}
