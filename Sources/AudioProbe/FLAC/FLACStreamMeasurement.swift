/// How many samples the frames of a native FLAC stream hold.
struct FLACStreamMeasurement {
    /// Samples of each channel, how long they last, and how that was found.
    private(set) var sampleCount = 0
    private(set) var duration = DurationSum()
    let durationMethod: AudioDuration.Method
    /// Where the last whole frame ends.
    private(set) var lastFrameEndOffset: Int
    /// Samples from the first frame's beginning to the last one's end by their numbers.
    private(set) var timelineSampleCount = 0
    /// Whether the last frame is shorter than the others, as only a stream's last may be.
    private(set) var endsWithShortFrame = false
    /// Where bytes belong to no frame, or a frame's checksum is wrong.
    private(set) var damageOffset: Int?
    /// The first frame whose sample rate, channels or sample size aren't those of the stream's header.
    private(set) var firstFormatChangeOffset: Int?

    /// By the number of the last frame: all before it were there once. Nil if that, its format or its size contradicts
    /// what the stream says of itself, or if its bytes are more than its frames can take, as when another stream was
    /// appended.
    init?(fromLastFrameOf frames: inout FLACFrameFinder, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let first = try frames.frameHeader(at: frames.searchRange.lowerBound, in: &reader),
            let last = try frames.lastFrame(in: &reader),
            last.header.hasVariableBlockSize == first.hasVariableBlockSize,
            last.header.codedNumber >= first.codedNumber, frames.streamInfo.isCompatible(withFrameHeader: first),
            frames.streamInfo.isCompatible(withFrameHeader: last.header)
        else { return nil }
        let largest = frames.streamInfo.maxBlockSize
        if largest > 0, max(first.blockSize, last.header.blockSize) > largest { return nil }
        if !first.hasVariableBlockSize, last.header.blockSize > first.blockSize { return nil }
        sampleCount =
            last.header.firstSampleNumber(streamFirstFrame: first) + last.header.blockSize
            - first.firstSampleNumber(streamFirstFrame: first)
        duration.add(ticks: sampleCount, timescale: frames.streamInfo.sampleRate)
        timelineSampleCount = sampleCount
        lastFrameEndOffset = last.range.upperBound
        endsWithShortFrame = !first.hasVariableBlockSize && last.header.blockSize < first.blockSize
        durationMethod = .index
        if let total = frames.streamInfo.totalSamples, total != sampleCount { return nil }
        if !first.hasVariableBlockSize {
            let frameCount = last.header.codedNumber - first.codedNumber + 1
            let longest = min(frames.streamInfo.maxFrameSize ?? .max, frames.maximumFrameLength(header: first))
            guard
                (first.minimumFrameLength...max(longest, first.minimumFrameLength)).contains(
                    (lastFrameEndOffset - frames.searchRange.lowerBound) / frameCount)
            else {
                return nil
            }
        }
    }

    /// Frame by frame.
    init(scanningAllFramesOf frames: inout FLACFrameFinder, in reader: inout BufferedFileReader) throws(AudioError) {
        durationMethod = .scan
        lastFrameEndOffset = frames.searchRange.lowerBound
        var first: FLACFrameHeader?
        // Samples since the rate changed.
        var sampleCountAtRate = 0, rate = frames.streamInfo.sampleRate
        while let frame = try frames.nextFrame(from: lastFrameEndOffset, in: &reader) {
            if frame.isDamaged || frame.range.lowerBound != lastFrameEndOffset {
                damageOffset = damageOffset ?? lastFrameEndOffset
                // Headers alone, which take a few bytes each, could be most of these frames.
                duration.add(
                    ticks: 0, timescale: rate,
                    errorBound: Double(frame.header.blockSize) / Double(frames.streamInfo.sampleRate(of: frame.header)))
            }
            let firstHeader = first ?? frame.header
            first = firstHeader
            if frames.streamInfo.sampleRate(of: frame.header) != rate {
                if sampleCountAtRate > 0 { duration.add(ticks: sampleCountAtRate, timescale: rate) }
                (sampleCountAtRate, rate) = (0, frames.streamInfo.sampleRate(of: frame.header))
            }
            sampleCountAtRate += frame.header.blockSize
            sampleCount += frame.header.blockSize
            endsWithShortFrame = !firstHeader.hasVariableBlockSize && frame.header.blockSize < firstHeader.blockSize
            if firstFormatChangeOffset == nil, !frames.streamInfo.isCompatible(withFrameHeader: frame.header) {
                firstFormatChangeOffset = frame.range.lowerBound
            }
            // What numbers count behind a change of the format is no longer known.
            let endSampleNumber =
                frame.header.firstSampleNumber(streamFirstFrame: firstHeader) + frame.header.blockSize
                - firstHeader.firstSampleNumber(streamFirstFrame: firstHeader)
            timelineSampleCount =
                firstFormatChangeOffset == nil
                ? max(timelineSampleCount, endSampleNumber) : timelineSampleCount + frame.header.blockSize
            lastFrameEndOffset = frame.range.upperBound
        }
        duration.add(ticks: sampleCountAtRate, timescale: rate)
    }
}

extension FLACFrameHeader {
    /// No frame of this kind has fewer bytes: RFC 9639, section 9. Each channel takes a header of a byte and a sample
    /// of at least a bit, and a checksum of 2 bytes ends the frame.
    fileprivate var minimumFrameLength: Int { headerLength + channels + 2 }

    /// The sample that it begins with, in a stream whose frames have the size of the first. Numbers have 36 bits and
    /// sizes 16, so that nothing overflows.
    fileprivate func firstSampleNumber(streamFirstFrame first: FLACFrameHeader) -> Int {
        hasVariableBlockSize ? codedNumber : codedNumber * first.blockSize
    }
}
