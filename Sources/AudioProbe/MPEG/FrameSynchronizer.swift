/// Finds bare frames, which have no signature: an 11-bit synchronisation that any data may hold by chance, and that
/// chance must not repeat where the first header says the next one is.
enum FrameSynchronizer {
    /// Bytes of no frame in front of the first that are searched.
    private static let maximumLeadingGarbageLength = 64 << 10
    /// What frames there are from `start` on.
    static func detectFormat(in reader: inout BufferedFileReader, from start: Int) throws(AudioError) -> FormatDetector?
    {
        if let name = try unsupportedStream(at: start, in: &reader) {
            return .unsupportedFormat(code: name.code, title: name.title)
        }
        return try firstFrame(in: &reader, from: start).map { .audioContainer($0.family) }
    }

    /// The first frame of MPEG audio or ADTS: two that agree, or three if other bytes than zeros are before them. Of
    /// FLAC: one whose checksums are right, or two. `end` is where the tags at the end of the file begin.
    static func firstFrame(
        in reader: inout BufferedFileReader, from start: Int
    ) throws(AudioError) -> (family: FormatDetector.ContainerFamily, offset: Int, end: Int)? {
        let hasID3Tag = try reader.hasASCII("ID3", at: 0)
        // A tag that claims the whole file lies, and frames may be in what it claims.
        let searchStart = hasID3Tag && start == reader.byteCount ? 10 : start
        let end = try TrailingTags(in: &reader, notBefore: searchStart).startOffset
        let maximumSearchLength = hasID3Tag ? AudioLimits().searchBytes : maximumLeadingGarbageLength
        let firstNonzeroOffset = try LeadingTags.endOfZeroBytes(
            from: searchStart, maximumLength: maximumSearchLength, in: &reader)
        // Headers of FLAC that belong to no frame cost a search for an end each: all share what one scan may spend.
        var patience = AudioLimits().searchBytes
        for offset in firstNonzeroOffset..<max(firstNonzeroOffset, min(end, searchStart + maximumSearchLength)) {
            guard try reader.uint8(at: offset) == 0xFF else { continue }
            try reader.prefetchBytes(count: MPEGFrameFormat.lookaheadByteCount, at: offset)
            let count = offset == firstNonzeroOffset ? 2 : 3
            if patience > 0, let info = try FLACFrameFinder.streamInfo(fromFrameAt: offset, before: end, in: &reader) {
                var frames = FLACFrameFinder(info, in: offset..<end, AudioLimits(), patience: patience)
                if try frames.startsWithCompleteFrames(count: count - 1, in: &reader) { return (.flac, offset, end) }
                patience = frames.checksumBudget
            }
            if try hasMPEGFrames(at: offset, count: count, end: end, in: &reader) { return (.mpegAudio, offset, end) }
            if let frames = try ADTSFrameFormat(at: offset, in: &reader),
                try frames.hasConsecutiveFrames(count: count, at: offset, end: end, in: &reader)
            {
                return (.adts, offset, end)
            }
        }
        return nil
    }

    private static func hasMPEGFrames(
        at offset: Int, count: Int, end: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Bool {
        if let frames = try MPEGFrameFormat(at: offset, in: &reader) {
            // UTF-16 text begins as a frame of layer I does: for that, one frame that fits the file isn't enough.
            let isLone = frames.firstHeader.layer == 1 && frames.firstHeader.frameLength == end - offset
            return isLone ? false : try frames.hasConsecutiveFrames(count: count, at: offset, end: end, in: &reader)
        }
        // The length of these has to be searched: only once, lest hostile files have it searched at every byte.
        return count == 2 ? try MPEGFrameFormat(freeFormatAt: offset, in: &reader) != nil : false
    }

    /// Streams that aren't read, but may hold frames of MPEG audio piece by piece, so that they must be ruled out
    /// first.
    private static func unsupportedStream(
        at start: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> (code: String, title: String)? {
        guard let word = try reader.uint32(at: start) else { return nil }
        if word == 0x1BA { return ("mpeg-ps", "an MPEG program stream") }
        if word >> 24 == 0x47, try reader.uint8(at: start + 188) == 0x47, try reader.uint8(at: start + 376) == 0x47 {
            return ("mpeg-ts", "an MPEG transport stream")
        }
        // ISO/IEC 14496-3, 1.7.2: 11 bits of synchronisation, 13 of the length of what follows.
        if word >> 21 == 0x2B7, let next = try reader.uint16(at: start + 3 + (word >> 8 & 0x1FFF)), next >> 5 == 0x2B7 {
            return ("loas", "AAC in LOAS")
        }
        return nil
    }
}
