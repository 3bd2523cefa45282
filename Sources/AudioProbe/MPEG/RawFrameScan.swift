/// Counts the frames of a file, each by its header, over damage and over the tags between joined recordings.
struct RawFrameScan<Format: RawFrameFormat> {
    /// Frames of equal parameters that follow one another.
    struct Segment {
        let sampleRate: Int
        /// Where the frame is that informs about those that follow, if there is one.
        let vbrHeaderOffset: Int?
        /// Whether this is where another recording begins.
        let beginsStream: Bool
        var frameCount = 0
        var sampleCount = 0
        /// Where the last frame ends.
        var endOffset: Int
    }

    private(set) var segments: [Segment] = []
    /// Bytes of the frames with sound.
    private(set) var mediaBytes = 0
    /// Where the last recording begins that is not the first.
    private(set) var lastJoinedStreamOffset: Int?
    /// Where a frame is that the file ends in.
    private(set) var truncationOffset: Int?
    /// Bytes between frames that belong to none: where they first are, and in how many places.
    private(set) var firstGarbageOffset: Int?
    private(set) var garbageRegionCount = 0
    /// Where bytes begin that nothing recognises up to the end.
    private(set) var trailingBytesOffset: Int?
    /// Bytes at the end that weren't searched for frames.
    private(set) var unsearchedByteCount = 0
    /// Where the scan reached its limit; nil if it didn't.
    private(set) var scanLimitOffset: Int?
    /// What tags between recordings hold.
    private(set) var interleavedTagMetadata: [MetadataItem] = []

    private var format: Format
    private let startOffset: Int
    private var nextFrameOffset: Int
    /// Where the tags at the end begin.
    private let endOffset: Int
    private let limits: AudioLimits
    private var interleavedTagCount = 0
    private var isAfterTag = false

    /// - Parameters:
    ///   - format: the parameters of the first frame, which is at `startOffset`.
    ///   - endOffset: where the tags behind the last frame begin.
    init(
        format: Format, from startOffset: Int, to endOffset: Int, in reader: inout BufferedFileReader,
        limits: AudioLimits
    ) throws(AudioError) {
        self.format = format
        self.endOffset = endOffset
        self.limits = limits
        self.startOffset = startOffset
        nextFrameOffset = startOffset
        try beginSegment(vbrHeaderOffset: nil, beginsStream: false)
        let isWhole = try reader.runWithinReadLimit { (reader) throws(AudioError) in
            repeat { try countFrames(in: &reader) } while try findMoreFrames(in: &reader)
        }
        if !isWhole { scanLimitOffset = nextFrameOffset }
    }

    /// Counts up to where there is no agreeing header, or a frame doesn't fit.
    private mutating func countFrames(in reader: inout BufferedFileReader) throws(AudioError) {
        while let vbrHeaderFrame = try countFramesUntilVBRHeader(in: &reader) {
            try beginStream(at: nextFrameOffset, vbrHeaderOffset: nextFrameOffset)
            nextFrameOffset += vbrHeaderFrame.byteCount
            segments[segments.count - 1].endOffset = nextFrameOffset
        }
    }

    /// Counts up to there, or to a frame without sound, which it returns.
    private mutating func countFramesUntilVBRHeader(in reader: inout BufferedFileReader) throws(AudioError) -> RawFrame?
    {
        let start = nextFrameOffset
        var count = 0, samples = 0, vbrHeaderFrame: RawFrame?, failure: AudioError?
        do throws(AudioError) {
            while let frame = try format.frame(at: nextFrameOffset, in: &reader),
                frame.byteCount <= endOffset - nextFrameOffset
            {
                if frame.sampleCount == 0 {
                    vbrHeaderFrame = frame
                    break
                }
                nextFrameOffset += frame.byteCount
                samples += frame.sampleCount
                count += 1
            }
        } catch {
            // What was counted so far counts where the scan has reached its limit.
            failure = error
        }
        guard count > 0 else {
            if let failure { throw failure }
            return vbrHeaderFrame
        }
        if isAfterTag { try beginStream(at: start, vbrHeaderOffset: nil) }
        segments[segments.count - 1].frameCount += count
        segments[segments.count - 1].sampleCount += samples
        segments[segments.count - 1].endOffset = nextFrameOffset
        mediaBytes += nextFrameOffset - start
        if let failure { throw failure }
        return vbrHeaderFrame
    }

    /// Notes that another recording begins at `startOffset`, unless it is the first.
    private mutating func beginStream(at start: Int, vbrHeaderOffset: Int?) throws(AudioError) {
        if mediaBytes > 0 { lastJoinedStreamOffset = start }
        // A recording that no informant belongs to needs no run of its own, unless one belongs to that before it.
        if vbrHeaderOffset != nil || segments[segments.count - 1].vbrHeaderOffset != nil {
            try beginSegment(vbrHeaderOffset: vbrHeaderOffset, beginsStream: true)
        }
        isAfterTag = false
    }

    private mutating func beginSegment(vbrHeaderOffset: Int?, beginsStream: Bool) throws(AudioError) {
        if let last = segments.last, last.frameCount == 0, last.vbrHeaderOffset == nil { segments.removeLast() }
        if segments.count >= limits.tracks {
            throw AudioError(
                .limitExceeded, offset: nextFrameOffset,
                message: "parameters or recordings change more than \(limits.tracks) times")
        }
        segments.append(
            Segment(
                sampleRate: format.sampleRate, vbrHeaderOffset: vbrHeaderOffset, beginsStream: beginsStream,
                endOffset: nextFrameOffset))
    }

    /// Goes on to the next frame from where there is none that agrees and fits; false if there are no more.
    private mutating func findMoreFrames(in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        if nextFrameOffset == endOffset { return false }
        try reader.prefetchBytes(count: Format.lookaheadByteCount, at: nextFrameOffset)
        if try switchFormatIfSynchronized(at: nextFrameOffset, in: &reader) { return true }
        if try endsInsideFrame(in: &reader) {
            truncationOffset = nextFrameOffset
            return false
        }
        // Zeros are padding, before a tag or up to the end.
        let stop = try LeadingTags.endOfZeroBytes(
            from: nextFrameOffset, maximumLength: endOffset - nextFrameOffset, in: &reader)
        if stop == endOffset { return false }
        if try skipTagIfPresent(at: stop, in: &reader) { return true }
        return try resynchronize(from: stop, in: &reader)
    }

    /// Goes on at `position` if two frames agree there, be it in other parameters than before.
    private mutating func resumeIfSynchronized(at position: Int, in reader: inout BufferedFileReader) throws(AudioError)
        -> Bool
    {
        if try format.hasConsecutiveFrames(count: 2, at: position, end: endOffset, in: &reader) {
            nextFrameOffset = position
            return true
        }
        return try switchFormatIfSynchronized(at: position, in: &reader)
    }

    /// Goes on at `position` in other parameters, if the frame there and the next agree in them.
    private mutating func switchFormatIfSynchronized(at position: Int, in reader: inout BufferedFileReader)
        throws(AudioError) -> Bool
    {
        guard let other = try Format(at: position, in: &reader), other.canFollow(format),
            try other.hasConsecutiveFrames(count: 2, at: position, end: endOffset, in: &reader)
        else { return false }
        format = other
        nextFrameOffset = position
        try beginSegment(vbrHeaderOffset: nil, beginsStream: false)
        return true
    }

    /// Whether the file ends in the frame at `nextFrameOffset`, or in its header.
    private mutating func endsInsideFrame(in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        if endOffset - nextFrameOffset < Format.headerLength { return try reader.uint8(at: nextFrameOffset) == 0xFF }
        return try format.frame(at: nextFrameOffset, in: &reader) != nil
    }

    /// Steps over a tag between two joined recordings.
    private mutating func skipTagIfPresent(at position: Int, in reader: inout BufferedFileReader) throws(AudioError)
        -> Bool
    {
        guard let tag = try MetadataTag(at: position, before: endOffset, in: &reader) else { return false }
        interleavedTagCount += 1
        if interleavedTagCount > limits.elements {
            throw AudioError(
                .limitExceeded, offset: position, message: "there are more than \(limits.elements) tags in the file")
        }
        if interleavedTagMetadata.count < limits.tracks { interleavedTagMetadata += try tag.readMetadata(in: &reader) }
        nextFrameOffset = tag.range.upperBound
        isAfterTag = true
        return true
    }

    /// Looks from `startOffset` on for two headers that agree with each other, or a tag, behind bytes that are neither.
    private mutating func resynchronize(from start: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Bool
    {
        let gap = nextFrameOffset, last = start + min(endOffset - start, limits.searchBytes)
        for position in max(start, gap + 1)..<max(last, gap + 1) {
            guard let byte = try reader.uint8(at: position), byte == 0xFF || byte == 0x49 else { continue }
            try reader.prefetchBytes(count: Format.lookaheadByteCount, at: position)
            if try byte == 0xFF
                ? resumeIfSynchronized(at: position, in: &reader) : skipTagIfPresent(at: position, in: &reader)
            {
                firstGarbageOffset = firstGarbageOffset ?? gap
                garbageRegionCount += 1
                return true
            }
        }
        trailingBytesOffset = gap
        unsearchedByteCount = endOffset - last
        return false
    }
}

extension RawFrameScan {
    /// Which runs are of each of the recordings that are joined.
    var streamSegmentRanges: [Range<Int>] {
        let starts = [0] + segments.indices.dropFirst().filter { segments[$0].beginsStream }
        return zip(starts, starts.dropFirst() + [segments.count]).map { $0..<$1 }
    }

    /// The sum of what is counted of each run.
    func totalDuration(sampleCountPerSegment: [Int]) -> DurationSum {
        var sum = DurationSum()
        for (segment, count) in zip(segments, sampleCountPerSegment) where segment.frameCount > 0 {
            sum.add(ticks: count, timescale: segment.sampleRate)
        }
        // Nothing still has a rate.
        if sum.ticks == 0 { sum.add(ticks: 0, timescale: format.sampleRate) }
        return sum
    }

    /// Seconds that the sum may be off by: players differ in whether they keep the frame before a gap, and bytes that
    /// weren't searched may hold as much sound as those before.
    func durationErrorBound(samplesPerFrame: Int) -> Double {
        let lostSeconds = Double(garbageRegionCount * samplesPerFrame) / Double(format.sampleRate)
        if unsearchedByteCount == 0 { return lostSeconds }
        let seconds = segments.reduce(0) { $0 + Double($1.sampleCount) / Double($1.sampleRate) }
        return lostSeconds + Double(unsearchedByteCount) * seconds / Double(max(1, mediaBytes))
    }

    /// Warnings about all that was not frames, and where the file was cut.
    func addWarningsAndCompleteness(to recording: inout Recording) {
        if let truncationOffset { recording.completeness = .truncated(offset: truncationOffset) }
        // Behind what was searched there may be more of the recording.
        if unsearchedByteCount > 0, let trailingBytesOffset {
            recording.completeness = .truncated(offset: trailingBytesOffset)
        }
        if let scanLimitOffset {
            recording.extrapolateDuration(
                fromScannedBytes: mediaBytes, toTotalBytes: endOffset - startOffset, scanEnd: scanLimitOffset)
        }
        if let firstGarbageOffset {
            let places = garbageRegionCount == 1 ? "one place" : "\(garbageRegionCount) places"
            recording.addWarning(
                .damagedFrames, offset: firstGarbageOffset,
                message: "between frames there are bytes of no frame, in \(places)")
        }
        if let trailingBytesOffset {
            recording.addWarning(
                .trailingBytes, offset: trailingBytesOffset,
                message: "\(endOffset - trailingBytesOffset) bytes follow the last frame, and are no tag")
        }
        if let lastJoinedStreamOffset {
            recording.addWarning(
                .chainedRecordings, offset: lastJoinedStreamOffset,
                message: "several recordings follow one another, the last from here; the duration is that of all")
        }
    }
}
