/// Finds frames without a container, which have no signature.
///
/// They begin with an 11-bit sync code that any data can contain by chance. A match is accepted only if the next frame
/// begins where the first header says.
enum FrameSynchronizer {
    /// The greatest number of bytes before the first frame that are searched.
    private static let maxLeadingGarbageLength = 64 << 10

    /// Returns the format of the frames from `start` on, or `nil` if there are none.
    ///
    /// The frames are those of MPEG audio, ADTS or FLAC, or of a stream that is not supported.
    static func detectFormat(in reader: inout BufferedFileReader, from start: Int) throws(AudioError) -> DetectedFormat?
    {
        if let stream = try unsupportedStream(at: start, in: &reader) { return stream }
        return try detectFrames(in: &reader, from: start)
    }

    /// Returns the family and the range of the frames, which ends where the tags at the end of the file begin.
    ///
    /// MPEG audio and ADTS require two consecutive frames, or three after bytes other than zeros. FLAC, with its
    /// checksums, requires one frame, or two after bytes other than zeros.
    private static func detectFrames(
        in reader: inout BufferedFileReader, from start: Int
    ) throws(AudioError) -> DetectedFormat? {
        let hasID3Tag = try reader.hasASCII("ID3", at: 0)
        // A tag that claims the whole file is wrong, and may contain frames.
        let searchStart = hasID3Tag && start == reader.byteCount ? 10 : start
        let end = try TrailingTags(in: &reader, notBefore: searchStart).startOffset
        let maxSearchLength = hasID3Tag ? AudioLimits().searchBytes : maxLeadingGarbageLength
        let firstNonzeroOffset = try LeadingTags.endOfZeroBytes(
            from: searchStart, maxLength: maxSearchLength, in: &reader)
        // Each FLAC header that belongs to no frame causes a search for a frame's end. All of them share the budget of
        // one scan.
        var checksumBudget = AudioLimits().searchBytes
        for offset in firstNonzeroOffset..<max(firstNonzeroOffset, min(end, searchStart + maxSearchLength)) {
            guard try reader.uint8(at: offset) == 0xFF else { continue }
            try reader.prefetchBytes(count: MPEGFrameFormat.lookaheadByteCount, at: offset)
            let count = offset == firstNonzeroOffset ? 2 : 3
            if checksumBudget > 0,
                let info = try FLACFrameFinder.streamInfo(fromFrameAt: offset, before: end, in: &reader)
            {
                var frames = FLACFrameFinder(
                    streamInfo: info, searchRange: offset..<end, limits: AudioLimits(), checksumBudget: checksumBudget)
                if try frames.startsWithCompleteFrames(count: count - 1, in: &reader) {
                    return .frames(.flac, range: offset..<end)
                }
                checksumBudget = frames.checksumBudget
            }
            if try hasMPEGFrames(at: offset, count: count, end: end, in: &reader) {
                return .frames(.mpegAudio, range: offset..<end)
            }
            if let frames = try ADTSFrameFormat(at: offset, in: &reader),
                try frames.hasConsecutiveFrames(count: count, at: offset, end: end, in: &reader)
            {
                return .frames(.adts, range: offset..<end)
            }
        }
        return nil
    }

    private static func hasMPEGFrames(
        at offset: Int, count: Int, end: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Bool {
        if let frames = try MPEGFrameFormat(at: offset, in: &reader) {
            // UTF-16 text begins with the same bits as a layer I frame, so a single frame that fills the file is not
            // enough.
            let isLone = frames.firstHeader.layer == 1 && frames.firstHeader.frameLength == end - offset
            return isLone ? false : try frames.hasConsecutiveFrames(count: count, at: offset, end: end, in: &reader)
        }
        // Free-format frames require a search for their length. It is done only at the first offset, because hostile
        // files could require it at every byte.
        return count == 2 ? try MPEGFrameFormat(freeFormatAt: offset, in: &reader) != nil : false
    }

    /// Detects unsupported streams that may contain runs of MPEG audio frames and must be ruled out first.
    private static func unsupportedStream(
        at start: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> DetectedFormat? {
        guard let word = try reader.uint32(at: start) else { return nil }
        if word == 0x1BA { return .unsupported(code: "mpeg-ps", title: "an MPEG program stream") }
        if word >> 24 == 0x47, try reader.uint8(at: start + 188) == 0x47, try reader.uint8(at: start + 376) == 0x47 {
            return .unsupported(code: "mpeg-ts", title: "an MPEG transport stream")
        }
        // ISO/IEC 14496-3, 1.7.2: a sync code of 11 bits, and 13 bits for the length of what follows.
        if word >> 21 == 0x2B7, let next = try reader.uint16(at: start + 3 + (word >> 8 & 0x1FFF)), next >> 5 == 0x2B7 {
            return .unsupported(code: "loas", title: "AAC in LOAS")
        }
        return nil
    }
}
