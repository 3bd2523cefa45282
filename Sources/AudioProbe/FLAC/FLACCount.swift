/// How many samples the frames of a native FLAC stream hold.
struct FLACCount {
    /// Samples of each channel, and how that was found.
    private(set) var samples = 0
    let method: AudioDuration.Method
    /// Where the last whole frame ends.
    private(set) var end: Int
    /// Samples from the first frame's beginning to the last one's end by their numbers.
    private(set) var timeline = 0
    /// Whether the last frame is shorter than the others, as only a stream's last may be.
    private(set) var isFinished = false
    /// Where bytes belong to no frame, or a frame's checksum is wrong.
    private(set) var damage: Int?

    /// By the number of the last frame: all before it were there once. Nil if that contradicts what the stream says of
    /// itself, or if its bytes are more than its frames can take, as when another stream was appended.
    init?(last frames: inout FLACFrames, in window: inout ByteWindow) throws(AudioError) {
        guard let first = try frames.header(at: frames.bounds.lowerBound, in: &window),
            let last = try frames.last(in: &window), last.header.isVariable == first.isVariable,
            last.header.number >= first.number
        else { return nil }
        samples = last.header.start(first) + last.header.blockSize - first.start(first)
        timeline = samples
        end = last.range.upperBound
        isFinished = !first.isVariable && last.header.blockSize < first.blockSize
        method = .index
        if let total = frames.info.totalSamples, total != samples { return nil }
        if !first.isVariable {
            let count = last.header.number - first.number + 1
            let longest = min(frames.info.longestFrame ?? .max, frames.longest(first))
            guard (end - frames.bounds.lowerBound) / count <= longest else { return nil }
        }
    }

    /// Frame by frame.
    init(scanning frames: inout FLACFrames, in window: inout ByteWindow) throws(AudioError) {
        method = .scan
        end = frames.bounds.lowerBound
        var first: FLACFrameHeader?
        while let frame = try frames.next(from: end, in: &window) {
            if frame.isDamaged || frame.range.lowerBound != end { damage = damage ?? end }
            let origin = first ?? frame.header
            first = origin
            samples += frame.header.blockSize
            isFinished = !origin.isVariable && frame.header.blockSize < origin.blockSize
            timeline = max(timeline, frame.header.start(origin) + frame.header.blockSize - origin.start(origin))
            end = frame.range.upperBound
        }
    }
}

extension FLACFrameHeader {
    /// The sample that it begins with, in a stream whose frames have the size of the first. Numbers have 36 bits and
    /// sizes 16, so that nothing overflows.
    fileprivate func start(_ first: FLACFrameHeader) -> Int { isVariable ? number : number * first.blockSize }
}
