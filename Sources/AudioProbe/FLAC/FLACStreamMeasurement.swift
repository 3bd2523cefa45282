/// The number of samples in a native FLAC stream, and their duration.
struct FLACStreamMeasurement {
    /// Samples per channel.
    private(set) var sampleCount = 0
    /// The duration of the samples.
    private(set) var duration = DurationSum()
    /// How the duration was found.
    let durationMethod: AudioDuration.Method
    /// The offset at which the last complete frame ends.
    private(set) var lastFrameEndOffset: Int
    /// Samples from the beginning of the first frame to the end of the last one, by their numbers.
    private(set) var timelineSampleCount = 0
    /// Whether the last frame is shorter than the first. In a stream, only the last frame may be shorter.
    private(set) var endsWithShortFrame = false
    /// The first offset at which bytes belong to no frame or a frame's checksum is wrong.
    private(set) var damageOffset: Int?
    /// The offset of the first frame with another sample rate, channels or sample size than the stream's header.
    private(set) var firstFormatChangeOffset: Int?

    /// Measures a stream by the number of its last frame.
    ///
    /// Frames before the last one are assumed to exist. Returns `nil` if the number, the format or the size of a frame
    /// contradicts the stream's header, or if the bytes do not fit the number of frames, as after appending another
    /// stream.
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
        guard Self.canHoldFrames(from: first, to: last, of: frames),
            try frames.hasConsecutiveFrames(atStart: first, in: &reader)
        else { return nil }
    }

    /// Whether as many frames as the numbers count can take the bytes from the first to the last.
    private static func canHoldFrames(
        from first: FLACFrameHeader, to last: FLACFrameFinder.Frame, of frames: FLACFrameFinder
    ) -> Bool {
        let numberCount = last.header.codedNumber - first.codedNumber
        if first.hasVariableBlockSize {
            let largest = frames.streamInfo.maxBlockSize > 0 ? frames.streamInfo.maxBlockSize : 1 << 16
            let byteCount = last.range.lowerBound - frames.searchRange.lowerBound
            return numberCount <= byteCount / first.minimumFrameLength * largest
        }
        let longest = min(frames.streamInfo.maxFrameSize ?? .max, frames.maxFrameLength(header: first))
        return (first.minimumFrameLength...max(longest, first.minimumFrameLength)).contains(
            (last.range.upperBound - frames.searchRange.lowerBound) / (numberCount + 1))
    }

    /// Measures a stream by scanning every frame.
    init(scanningAllFramesOf frames: inout FLACFrameFinder, in reader: inout BufferedFileReader) throws(AudioError) {
        durationMethod = .scan
        lastFrameEndOffset = frames.searchRange.lowerBound
        var first: FLACFrameHeader?
        // Samples since the last change of the sample rate.
        var sampleCountAtRate = 0, rate = frames.streamInfo.sampleRate
        while let frame = try frames.nextFrame(from: lastFrameEndOffset, in: &reader) {
            if frame.isDamaged || frame.range.lowerBound != lastFrameEndOffset {
                damageOffset = damageOffset ?? lastFrameEndOffset
                // These frames may consist of little more than a header of a few bytes.
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
            // After a change of the format, the unit of the frame numbers is unknown.
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
    /// The smallest size of a frame with this header, in bytes: RFC 9639, section 9.
    ///
    /// Each channel has a header of one byte and a sample of at least one bit. A checksum of 2 bytes ends the frame.
    fileprivate var minimumFrameLength: Int { headerLength + channels + 2 }

    /// Returns the number of the frame's first sample, in a stream with frames of the first frame's size.
    ///
    /// Frame numbers have 36 bits and block sizes 16, so the product cannot overflow.
    fileprivate func firstSampleNumber(streamFirstFrame first: FLACFrameHeader) -> Int {
        hasVariableBlockSize ? codedNumber : codedNumber * first.blockSize
    }
}
