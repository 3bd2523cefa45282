/// What the timestamps of a Segment's blocks say, in ticks. Nothing of it counts towards a duration where frames can be
/// counted.
struct MatroskaBlockTimeline {
    /// When the first block of the main track begins.
    private(set) var firstBlockTime: Int?
    /// When its latest block begins, and how many samples and frames that has.
    private(set) var latestBlockTime = Int.min
    private(set) var latestBlockSampleCount = 0
    private(set) var latestBlockFrameCount = 0
    /// How long the latest block is said to last, if it is.
    private(set) var latestBlockDuration: Int?
    /// The longest time from a block to the next.
    private(set) var longestBlockInterval = 0
    /// When the latest block of all other tracks ends, or begins where it doesn't say, and when the one before it did.
    private(set) var latestOtherTrackTime: Int?
    private(set) var latestOtherTrackInterval = 0

    /// A block of the main track.
    @inline(__always)
    mutating func recordBlock(at time: Int, sampleCount: Int, frameCount: Int, duration: Int?) {
        if firstBlockTime == nil {
            firstBlockTime = time
        } else {
            longestBlockInterval = max(longestBlockInterval, time - latestBlockTime)
        }
        if time < latestBlockTime { return }
        latestBlockTime = time
        latestBlockSampleCount = sampleCount
        latestBlockFrameCount = frameCount
        latestBlockDuration = duration
    }

    /// A block of another track.
    @inline(__always)
    mutating func recordOtherTrackBlock(at time: Int, duration: Int?) {
        let end = time + (duration ?? 0)
        guard let before = latestOtherTrackTime else {
            latestOtherTrackTime = end
            return
        }
        if end > before {
            latestOtherTrackInterval = end - before
            latestOtherTrackTime = end
        }
    }

    /// From the beginning of the first block to that of the latest.
    var blockTimeSpan: Int { firstBlockTime.map { latestBlockTime - $0 } ?? 0 }
}
