/// The blocks of the main track in a Segment.
struct MatroskaMainTrackBlocks {
    let codec: MatroskaCodec
    private(set) var frameCounter: FrameSampleCounter
    private(set) var blockTimeline = MatroskaBlockTimeline()
    /// Nanoseconds that the blocks' DiscardPadding excludes.
    private(set) var discardedNanoseconds = 0.0
    /// The offset of the first block, or part of a block, that contradicts itself.
    private(set) var firstDamageOffset: Int?
    /// The number of frames of each other track, by track number: 1, or 2 for several. The track may be described
    /// after its blocks.
    private(set) var frameCountsByOtherTrack: [Int: Int] = [:]

    /// The number of the main track in blocks.
    private let trackNumber: Int
    private let trackLimit: Int

    init(track: MatroskaTrack, codec: MatroskaCodec, limits: AudioLimits) {
        self.codec = codec
        frameCounter = FrameSampleCounter(codec: codec, framePrefix: track.contentEncoding.framePrefix)
        self.trackNumber = track.trackNumber
        trackLimit = limits.tracks
    }

    /// Counts a Block or a SimpleBlock.
    ///
    /// - Parameters:
    ///   - content: The content of the element.
    ///   - clusterTimestamp: The timestamp of the Cluster, in ticks.
    ///   - isEncrypted: Whether the frames are encrypted, as those of an EncryptedBlock are.
    ///   - reader: The file.
    @inline(__always)
    mutating func readBlock(
        _ content: Range<Int>, clusterTimestamp: Int, isEncrypted: Bool = false, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        try readBlock(
            content, clusterTimestamp: clusterTimestamp, timing: BlockTiming(), isEncrypted: isEncrypted, in: &reader)
    }

    /// Counts a BlockGroup: RFC 9559, section 5.1.3.5.
    mutating func readBlockGroup(
        _ group: EBMLElement, clusterTimestamp: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        var position = group.contentOffset
        var block: Range<Int>?, timing = BlockTiming()
        while position < group.endOffset {
            guard let child = try EBMLElement(at: position, in: &reader), let size = child.contentSize,
                size <= group.endOffset - child.contentOffset
            else {
                firstDamageOffset = firstDamageOffset ?? position
                break
            }
            switch child.id {
            case MatroskaElementID.block: block = child.contentOffset..<child.endOffset
            case MatroskaElementID.blockDuration:
                timing.blockDuration = try child.readClampedInteger(in: &reader).map { min($0, 1 << 60) }
            case MatroskaElementID.discardPadding: timing.discardPadding = try child.readSignedInteger(in: &reader) ?? 0
            default: break
            }
            position = child.endOffset
        }
        if let block {
            try readBlock(block, clusterTimestamp: clusterTimestamp, timing: timing, isEncrypted: false, in: &reader)
        }
    }

    /// The timing that a BlockGroup adds to its Block.
    private struct BlockTiming {
        /// The duration in ticks, or `nil`.
        var blockDuration: Int?
        /// Nanoseconds to discard at the end of the block, or at its beginning if negative.
        var discardPadding = 0
    }

    @inline(__always)
    private mutating func readBlock(
        _ content: Range<Int>, clusterTimestamp: Int, timing: BlockTiming, isEncrypted: Bool,
        in reader: inout BufferedFileReader
    ) throws(AudioError) {
        guard let block = try MatroskaBlock(contentRange: content, in: &reader) else {
            firstDamageOffset = firstDamageOffset ?? content.lowerBound
            return
        }
        let time = clusterTimestamp + block.relativeTimestamp
        guard block.trackNumber == trackNumber else {
            try countOtherTrackFrames(of: block, at: content.lowerBound)
            return blockTimeline.recordOtherTrackBlock(at: time, duration: timing.blockDuration)
        }
        let before = frameCounter.frameCount
        let samples =
            isEncrypted
            ? frameCounter.addEncryptedFrame(content) : try countSamples(of: block, contentRange: content, in: &reader)
        blockTimeline.recordBlock(
            at: time, sampleCount: samples, frameCount: frameCounter.frameCount - before, duration: timing.blockDuration
        )
        if timing.discardPadding != 0, let rate = frameCounter.sampleRate {
            discardedNanoseconds += min(Double(timing.discardPadding.magnitude), Double(samples) / Double(rate) * 1e9)
        }
    }

    private mutating func countOtherTrackFrames(of block: MatroskaBlock, at offset: Int) throws(AudioError) {
        let previous = frameCountsByOtherTrack[block.trackNumber]
        if previous == nil, frameCountsByOtherTrack.count == trackLimit {
            throw AudioError(
                .limitExceeded, offset: offset,
                message: "the blocks have too many track numbers (at most \(trackLimit))")
        }
        if previous != 2 {
            frameCountsByOtherTrack[block.trackNumber] = previous == nil && block.unlacedFrame != nil ? 1 : 2
        }
    }

    /// Returns the samples of all frames in a block.
    @inline(__always)
    private mutating func countSamples(
        of block: MatroskaBlock, contentRange content: Range<Int>, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Int {
        if let frame = block.unlacedFrame { return try frameCounter.addFrame(frame, in: &reader) }
        guard let frames = try block.lacedFrames(in: &reader) else {
            firstDamageOffset = firstDamageOffset ?? content.lowerBound
            return 0
        }
        var samples = 0
        for frame in frames { samples += try frameCounter.addFrame(frame, in: &reader) }
        return samples
    }
}
