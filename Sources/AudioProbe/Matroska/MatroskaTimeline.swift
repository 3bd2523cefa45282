/// What the timestamps of a Segment's blocks say, in ticks. Nothing of it counts towards a duration where frames can be
/// counted.
struct MatroskaTimeline {
    /// When the first block of the main track begins.
    private(set) var first: Int?
    /// When its latest block begins, and how many samples and frames that has.
    private(set) var latest = Int.min
    private(set) var latestSamples = 0
    private(set) var latestFrames = 0
    /// How long the latest block is said to last, if it is.
    private(set) var latestDuration: Int?
    /// The longest time from a block to the next.
    private(set) var longestStep = 0
    /// When the latest block of all other tracks ends, or begins where it doesn't say, and when the one before it did.
    private(set) var latestOther: Int?
    private(set) var otherStep = 0

    /// A block of the main track.
    @inline(__always)
    mutating func note(_ time: Int, samples: Int, frames: Int, duration: Int?) {
        if first == nil { first = time } else { longestStep = max(longestStep, time - latest) }
        if time < latest { return }
        latest = time
        latestSamples = samples
        latestFrames = frames
        latestDuration = duration
    }

    /// A block of another track.
    @inline(__always)
    mutating func noteOther(_ time: Int, duration: Int?) {
        let end = time + (duration ?? 0)
        guard let before = latestOther else {
            latestOther = end
            return
        }
        if end > before {
            otherStep = end - before
            latestOther = end
        }
    }

    /// From the beginning of the first block to that of the latest.
    var span: Int { first.map { latest - $0 } ?? 0 }
}
