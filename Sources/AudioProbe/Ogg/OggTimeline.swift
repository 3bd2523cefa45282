/// The samples in the packets of a logical stream, compared with the granule positions of its pages.
struct OggTimeline {
    /// Samples in the packets.
    private(set) var decodedSampleCount = 0
    /// Samples that are discarded at both ends.
    private(set) var trimmedSampleCount = 0
    /// The granule position at which the first packet begins, or `nil` before the first position.
    private(set) var startGranulePosition: Int?
    /// The granule position at which the last packet ends.
    private(set) var lastGranulePosition = 0
    /// Samples by which the positions are ahead of the packets; negative if they lag behind.
    private(set) var gapSampleCount = 0
    /// Samples that the last page's position discards although the page is not marked as last.
    private(set) var pendingEndTrimSamples = 0
    /// Samples since the last granule position.
    private var samplesSinceGranulePosition = 0
    /// The greatest jump that is treated as rounding: 10 ms. Times from other containers are often in milliseconds.
    let gapToleranceSamples: Int

    init(timescale: Int) { gapToleranceSamples = timescale / 100 }

    /// Samples that are played.
    var playedSampleCount: Int { decodedSampleCount - trimmedSampleCount }
    /// Whether the granule positions leave a gap.
    var hasGap: Bool { gapSampleCount > gapToleranceSamples }
    /// Whether the granule positions count fewer samples than the packets contain.
    var hasNegativeGap: Bool { gapSampleCount < -gapToleranceSamples }

    /// Appends a page.
    ///
    /// - Parameters:
    ///   - sampleCount: The samples in the packets that end in the page.
    ///   - granulePosition: The page's granule position, or `nil`.
    ///   - endsStream: Whether the page is marked as the last of its stream.
    ///   - codecMapping: The mapping of the codec.
    /// - Returns: Whether the granule position agrees with the packets.
    mutating func appendPage(
        sampleCount: Int, granulePosition: Int?, endsStream: Bool, codecMapping: some OggCodecMapping
    ) -> Bool {
        // A packet has at most 200,000 samples, so no file is long enough for an overflow.
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
            // At most the samples of the last page are discarded: earlier ones have been played.
            let trim = min(-jump, samplesSinceGranulePosition)
            trimmedSampleCount += trim
            jump += trim
        } else if jump < 0, -jump <= samplesSinceGranulePosition, codecMapping.canTrimEnd {
            pendingEndTrimSamples = -jump
        }
        gapSampleCount += jump
        return abs(jump) <= gapToleranceSamples
    }

    /// Discards the samples that the last page's position excludes, as if the page were marked as last.
    mutating func applyPendingEndTrim() {
        trimmedSampleCount += pendingEndTrimSamples
        gapSampleCount += pendingEndTrimSamples
    }

    /// Sets the start of the timeline from the first granule position.
    ///
    /// The position determines where the first packet begins, which need not be 0. If it would begin before 0, samples
    /// are discarded: at the end if the page is also the last one, else at the beginning.
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
