/// What the blocks of a Segment hold of the main track.
struct MatroskaSound {
    let codec: MatroskaCodec
    private(set) var counter: FrameCounter
    private(set) var timeline = MatroskaTimeline()
    /// Nanoseconds that the blocks' DiscardPadding leaves out.
    private(set) var discarded = 0.0
    /// The first block, or part of one, that contradicts itself.
    private(set) var damage: Int?
    /// Whether there was a block of a track of moving pictures, but for the one image of an attached picture.
    private(set) var hasVideo = false
    /// The numbers of the tracks that may hold an attached picture, and of those in which there was a block.
    private let stills: Set<Int>
    private(set) var pictures: Set<Int> = []

    /// The number of the track in its blocks.
    private let track: Int
    /// The numbers of the tracks of moving pictures.
    private let videos: Set<Int>

    init(_ track: MatroskaTrack, _ codec: MatroskaCodec, videos: Set<Int>, stills: Set<Int>) {
        self.videos = videos
        self.stills = stills
        self.codec = codec
        counter = FrameCounter(codec, prefix: track.encoding.framePrefix)
        self.track = track.number
    }

    /// Counts a Block or a SimpleBlock in a Cluster of that timestamp.
    ///
    /// - Parameter isHidden: whether its frames are encrypted, as those of an EncryptedBlock.
    @inline(__always)
    mutating func read(
        _ content: Range<Int>, at clusterTimestamp: Int, isHidden: Bool = false, in window: inout ByteWindow
    ) throws(AudioError) {
        try read(content, at: clusterTimestamp, BlockTiming(), isHidden: isHidden, in: &window)
    }

    /// Counts a BlockGroup: RFC 9559, section 5.1.3.5.
    mutating func readGroup(
        _ group: EBMLElement, at clusterTimestamp: Int, in window: inout ByteWindow
    ) throws(AudioError) {
        var position = group.content
        var block: Range<Int>?, timing = BlockTiming()
        while position < group.end {
            guard let child = try EBMLElement(at: position, in: &window), let size = child.size,
                size <= group.end - child.content
            else {
                damage = damage ?? position
                break
            }
            switch child.id {
            case MatroskaID.block: block = child.content..<child.end
            case MatroskaID.blockDuration: timing.duration = try child.integer(&window).map { min($0, 1 << 60) }
            case MatroskaID.discardPadding: timing.padding = try child.signed(&window) ?? 0
            default: break
            }
            position = child.end
        }
        if let block { try read(block, at: clusterTimestamp, timing, isHidden: false, in: &window) }
    }

    /// What a BlockGroup adds to its Block.
    private struct BlockTiming {
        /// In ticks.
        var duration: Int?
        /// Nanoseconds to leave out at the block's end, or if negative at its beginning.
        var padding = 0
    }

    @inline(__always)
    private mutating func read(
        _ content: Range<Int>, at clusterTimestamp: Int, _ timing: BlockTiming, isHidden: Bool,
        in window: inout ByteWindow
    ) throws(AudioError) {
        guard let block = try MatroskaBlock(content, in: &window) else {
            damage = damage ?? content.lowerBound
            return
        }
        let time = clusterTimestamp + block.timestamp
        guard block.track == track else {
            if !hasVideo, videos.contains(block.track) {
                let isFirst = stills.contains(block.track) && pictures.insert(block.track).inserted
                hasVideo = !isFirst || block.onlyFrame == nil
            }
            return timeline.noteOther(time, duration: timing.duration)
        }
        let before = counter.frames
        let samples = isHidden ? counter.addHidden(content) : try count(block, content, in: &window)
        timeline.note(time, samples: samples, frames: counter.frames - before, duration: timing.duration)
        if timing.padding != 0, let rate = counter.sampleRate {
            discarded += min(Double(timing.padding.magnitude), Double(samples) / Double(rate) * 1e9)
        }
    }

    /// Samples of all frames of a block.
    @inline(__always)
    private mutating func count(
        _ block: MatroskaBlock, _ content: Range<Int>, in window: inout ByteWindow
    ) throws(AudioError) -> Int {
        if let frame = block.onlyFrame { return try counter.add(frame, in: &window) }
        guard let frames = try block.lacedFrames(in: &window) else {
            damage = damage ?? content.lowerBound
            return 0
        }
        var samples = 0
        for frame in frames { samples += try counter.add(frame, in: &window) }
        return samples
    }
}
