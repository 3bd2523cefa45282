/// What the packets of a logical stream hold, beside what its pages' granule positions say.
struct OggTimeline {
    /// Samples that the packets hold, and those of them that are left out at either end.
    private(set) var counted = 0
    private(set) var trimmed = 0
    /// Where the first packet begins and the last one ends by the granule positions; nil before the first of those.
    private(set) var start: Int?
    private(set) var position = 0
    /// Samples by which the positions are ahead of the packets; below 0 if they are behind.
    private(set) var gap = 0
    /// Samples that the last page's position leaves out, though the page is not marked as the last of its stream.
    private(set) var shortfall = 0
    /// Samples since the last position.
    private var unplaced = 0
    /// Jumps up to this, 10 ms, are rounding: times that came from another container are often in milliseconds.
    let tolerance: Int

    init(timescale: Int) { tolerance = timescale / 100 }

    /// What is played of it.
    var played: Int { counted - trimmed }
    /// Whether positions and packets agree.
    var hasGap: Bool { gap > tolerance }
    var isBehind: Bool { gap < -tolerance }

    /// Takes a page whose packets hold `samples`, as far as they end in it.
    ///
    /// - Returns: whether its position agrees with them.
    mutating func take(_ samples: Int, to granule: Int?, isLast: Bool, by mapping: some OggMapping) -> Bool {
        // A packet has at most 200,000 samples, so that no file is long enough for an overflow.
        counted += samples
        unplaced += samples
        guard let granule else { return true }
        defer { unplaced = 0 }
        shortfall = 0
        guard start != nil else { return begin(at: granule, isLast: isLast, by: mapping) }
        var jump = granule - position - unplaced
        position = granule
        if jump < 0, isLast, mapping.canTrimEnd {
            // No more than the last page holds: what was before has been played.
            let cut = min(-jump, unplaced)
            trimmed += cut
            jump += cut
        } else if jump < 0, -jump <= unplaced, mapping.canTrimEnd {
            shortfall = -jump
        }
        gap += jump
        return abs(jump) <= tolerance
    }

    /// Takes what the last page leaves out as if it were marked as the last, which only its encoder can have meant.
    mutating func trimShortfall() {
        trimmed += shortfall
        gap += shortfall
    }

    /// The first position says where the first packet begins, which need not be 0; or, if that would be before 0, that
    /// samples are left out: at the end if it is the last page too, or else at the beginning.
    private mutating func begin(at granule: Int, isLast: Bool, by mapping: some OggMapping) -> Bool {
        start = max(0, granule - unplaced)
        position = granule
        if granule >= unplaced { return true }
        if isLast ? mapping.canTrimEnd : mapping.canTrimStart {
            trimmed = unplaced - granule
            return true
        }
        gap = granule - unplaced
        return abs(gap) <= tolerance
    }
}
