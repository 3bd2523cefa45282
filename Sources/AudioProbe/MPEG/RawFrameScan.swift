/// Counts the frames of a file by their headers, and skips damage and the tags between joined streams.
struct RawFrameScan<Format: RawFrameFormat> {
    /// A run of consecutive frames with the same parameters.
    struct Segment {
        let sampleRate: Int
        /// The offset of the VBR header that describes the frames, or `nil` if there is none.
        let vbrHeaderOffset: Int?
        /// Whether another stream begins here.
        let beginsStream: Bool
        var frameCount = 0
        var sampleCount = 0
        /// The offset at which the last frame ends.
        var endOffset: Int
    }

    private(set) var segments: [Segment] = []
    /// Bytes of the frames that contain audio.
    private(set) var mediaBytes = 0
    /// The offset of the last joined stream, or `nil` if there is only one stream.
    private(set) var lastJoinedStreamOffset: Int?
    /// The offset of the frame in which the file ends, or `nil`.
    private(set) var truncationOffset: Int?
    /// The offset of the first bytes between frames that belong to no frame, or `nil`.
    private(set) var firstGarbageOffset: Int?
    /// The number of places with such bytes.
    private(set) var garbageRegionCount = 0
    /// The offset of unrecognized bytes that extend to the end, or `nil`.
    private(set) var trailingBytesOffset: Int?
    /// Bytes at the end that were not searched for frames.
    private(set) var unsearchedByteCount = 0
    /// The offset at which the scan reached the read limit, or `nil`.
    private(set) var scanLimitOffset: Int?
    /// The metadata of tags between joined streams.
    private(set) var interleavedTagMetadata: [MetadataItem] = []

    /// The format of the last frame.
    private(set) var format: Format
    /// The offset of the first frame.
    let startOffset: Int
    private var nextFrameOffset: Int
    /// The offset of the tags at the end.
    let endOffset: Int
    private let limits: AudioLimits
    private var interleavedTagCount = 0
    private var isAfterTag = false

    /// Scans the frames from `startOffset` on.
    ///
    /// - Parameters:
    ///   - format: The format of the first frame.
    ///   - startOffset: The offset of the first frame.
    ///   - endOffset: The offset of the tags after the last frame.
    ///   - reader: The file.
    ///   - limits: The limits.
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

    /// Counts frames until there is no matching header or a frame does not fit.
    private mutating func countFrames(in reader: inout BufferedFileReader) throws(AudioError) {
        while let vbrHeaderFrame = try countFramesUntilVBRHeader(in: &reader) {
            try beginStream(at: nextFrameOffset, vbrHeaderOffset: nextFrameOffset)
            nextFrameOffset += vbrHeaderFrame.byteCount
            segments[segments.count - 1].endOffset = nextFrameOffset
        }
    }

    /// Counts frames until there is no matching header, a frame does not fit, or a VBR header follows.
    ///
    /// - Returns: The frame of the VBR header, or `nil`.
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
            // The frames that were counted before the scan reached its limit are still added.
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

    /// Records the beginning of another stream, unless it is the first.
    private mutating func beginStream(at start: Int, vbrHeaderOffset: Int?) throws(AudioError) {
        if mediaBytes > 0 { lastJoinedStreamOffset = start }
        // A stream without a VBR header needs its own segment only if the previous one has a VBR header.
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
                message: "too many changes of the format or joined streams (at most \(limits.tracks))")
        }
        segments.append(
            Segment(
                sampleRate: format.sampleRate, vbrHeaderOffset: vbrHeaderOffset, beginsStream: beginsStream,
                endOffset: nextFrameOffset))
    }

    /// Finds the next frames after the current ones end.
    ///
    /// - Returns: `false` if there are no more frames.
    private mutating func findMoreFrames(in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        if nextFrameOffset == endOffset { return false }
        try reader.prefetchBytes(count: Format.lookaheadByteCount, at: nextFrameOffset)
        if try switchFormatIfSynchronized(at: nextFrameOffset, in: &reader) { return true }
        if try endsInsideFrame(in: &reader) {
            truncationOffset = nextFrameOffset
            return false
        }
        // Zeros are padding before a tag or before the end.
        let stop = try LeadingTags.endOfZeroBytes(
            from: nextFrameOffset, maxLength: endOffset - nextFrameOffset, in: &reader)
        if stop == endOffset { return false }
        if try skipTagIfPresent(at: stop, in: &reader) { return true }
        return try resynchronize(from: stop, in: &reader)
    }

    /// Continues at `position` if two matching frames follow there, in the current format or in another one.
    private mutating func resumeIfSynchronized(at position: Int, in reader: inout BufferedFileReader) throws(AudioError)
        -> Bool
    {
        if try format.hasConsecutiveFrames(count: 2, at: position, end: endOffset, in: &reader) {
            nextFrameOffset = position
            return true
        }
        return try switchFormatIfSynchronized(at: position, in: &reader)
    }

    /// Continues at `position` in another format, if two frames of that format follow there.
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

    /// Returns whether the file ends inside the frame at `nextFrameOffset` or inside its header.
    private mutating func endsInsideFrame(in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        if endOffset - nextFrameOffset < Format.headerLength { return try reader.uint8(at: nextFrameOffset) == 0xFF }
        return try format.frame(at: nextFrameOffset, in: &reader) != nil
    }

    /// Skips a tag between two joined streams.
    private mutating func skipTagIfPresent(at position: Int, in reader: inout BufferedFileReader) throws(AudioError)
        -> Bool
    {
        guard let tag = try MetadataTag(at: position, before: endOffset, in: &reader) else { return false }
        interleavedTagCount += 1
        if interleavedTagCount > limits.elements {
            throw AudioError(
                .limitExceeded, offset: position,
                message: "too many tags between the frames (at most \(limits.elements))")
        }
        if interleavedTagMetadata.count < limits.tracks { interleavedTagMetadata += try tag.readMetadata(in: &reader) }
        nextFrameOffset = tag.range.upperBound
        isAfterTag = true
        return true
    }

    /// Searches from `start` on for two matching frames or a tag, to skip bytes that belong to neither.
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
