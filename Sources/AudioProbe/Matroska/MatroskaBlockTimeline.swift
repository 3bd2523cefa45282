/// The timestamps of a Segment's blocks, in ticks. They do not determine the duration if frames can be counted.
struct MatroskaBlockTimeline {
    /// The time of the first block of the main track, or `nil`.
    private(set) var firstBlockTime: Int?
    /// The time of the latest block of the main track.
    private(set) var latestBlockTime = Int.min
    /// The samples in the latest block.
    private(set) var latestBlockSampleCount = 0
    /// The frames in the latest block.
    private(set) var latestBlockFrameCount = 0
    /// The stated duration of the latest block, or `nil`.
    private(set) var latestBlockDuration: Int?
    /// The longest time between two successive blocks.
    private(set) var longestBlockInterval = 0
    /// The latest end of a block in all other tracks, or its beginning if it states no duration; `nil` if there is
    /// none.
    private(set) var latestOtherTrackTime: Int?
    /// The time by which the latest end exceeds the previous one.
    private(set) var latestOtherTrackInterval = 0

    /// Records a block of the main track.
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

    /// Records a block of another track.
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

    /// The time from the first block to the latest one.
    var blockTimeSpan: Int { firstBlockTime.map { latestBlockTime - $0 } ?? 0 }
}
