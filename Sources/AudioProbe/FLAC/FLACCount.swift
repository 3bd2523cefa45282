/// How many samples the frames of a native FLAC stream hold.
struct FLACCount {
    /// Samples of each channel, how long they last, and how that was found.
    private(set) var samples = 0
    private(set) var length = DurationSum()
    let method: AudioDuration.Method
    /// Where the last whole frame ends.
    private(set) var end: Int
    /// Samples from the first frame's beginning to the last one's end by their numbers.
    private(set) var timeline = 0
    /// Whether the last frame is shorter than the others, as only a stream's last may be.
    private(set) var isFinished = false
    /// Where bytes belong to no frame, or a frame's checksum is wrong.
    private(set) var damage: Int?
    /// The first frame whose sample rate, channels or sample size aren't those of the stream's header.
    private(set) var change: Int?

    /// By the number of the last frame: all before it were there once. Nil if that, its format or its size contradicts
    /// what the stream says of itself, or if its bytes are more than its frames can take, as when another stream was
    /// appended.
    init?(last frames: inout FLACFrames, in window: inout ByteWindow) throws(AudioError) {
        guard let first = try frames.header(at: frames.bounds.lowerBound, in: &window),
            let last = try frames.last(in: &window), last.header.isVariable == first.isVariable,
            last.header.number >= first.number, frames.info.allows(first), frames.info.allows(last.header)
        else { return nil }
        let largest = frames.info.largestBlock
        if largest > 0, max(first.blockSize, last.header.blockSize) > largest { return nil }
        if !first.isVariable, last.header.blockSize > first.blockSize { return nil }
        samples = last.header.start(first) + last.header.blockSize - first.start(first)
        length.add(samples, per: frames.info.sampleRate)
        timeline = samples
        end = last.range.upperBound
        isFinished = !first.isVariable && last.header.blockSize < first.blockSize
        method = .index
        if let total = frames.info.totalSamples, total != samples { return nil }
        if !first.isVariable {
            let count = last.header.number - first.number + 1
            let longest = min(frames.info.longestFrame ?? .max, frames.longest(first))
            guard (first.shortest...max(longest, first.shortest)).contains((end - frames.bounds.lowerBound) / count)
            else {
                return nil
            }
        }
    }

    /// Frame by frame.
    init(scanning frames: inout FLACFrames, in window: inout ByteWindow) throws(AudioError) {
        method = .scan
        end = frames.bounds.lowerBound
        var first: FLACFrameHeader?
        // Samples since the rate changed.
        var run = 0, rate = frames.info.sampleRate
        while let frame = try frames.next(from: end, in: &window) {
            if frame.isDamaged || frame.range.lowerBound != end {
                damage = damage ?? end
                // Headers alone, which take a few bytes each, could be most of these frames.
                length.add(
                    0, per: rate, offBy: Double(frame.header.blockSize) / Double(frames.info.rate(of: frame.header)))
            }
            let origin = first ?? frame.header
            first = origin
            if frames.info.rate(of: frame.header) != rate {
                if run > 0 { length.add(run, per: rate) }
                (run, rate) = (0, frames.info.rate(of: frame.header))
            }
            run += frame.header.blockSize
            samples += frame.header.blockSize
            isFinished = !origin.isVariable && frame.header.blockSize < origin.blockSize
            if change == nil, !frames.info.allows(frame.header) { change = frame.range.lowerBound }
            // What numbers count behind a change of the format is no longer known.
            let reached = frame.header.start(origin) + frame.header.blockSize - origin.start(origin)
            timeline = change == nil ? max(timeline, reached) : timeline + frame.header.blockSize
            end = frame.range.upperBound
        }
        length.add(run, per: rate)
    }
}

extension FLACFrameHeader {
    /// No frame of this kind has fewer bytes: RFC 9639, section 9. Each channel takes a header of a byte and a sample
    /// of at least a bit, and a checksum of 2 bytes ends the frame.
    fileprivate var shortest: Int { length + channels + 2 }

    /// The sample that it begins with, in a stream whose frames have the size of the first. Numbers have 36 bits and
    /// sizes 16, so that nothing overflows.
    fileprivate func start(_ first: FLACFrameHeader) -> Int { isVariable ? number : number * first.blockSize }
}
