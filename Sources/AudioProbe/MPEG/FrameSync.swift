/// Finds bare frames, which have no signature: an 11-bit synchronisation that any data may hold by chance, and that chance
/// must not repeat where the first header says the next one is.
enum FrameSync {
    /// Bytes of no frame in front of the first that are searched.
    private static let longestGarbage = 64 << 10
    /// What frames there are from `start` on.
    static func recognition(in window: inout ByteWindow, from start: Int) throws(AudioError) -> Recognition? {
        if let name = try stream(at: start, in: &window) { return .unsupported(name.code, name.title) }
        return try first(in: &window, from: start).map { .recording($0.family) }
    }

    /// The first frame of MPEG audio or ADTS: two that agree, or three if other bytes than zeros are before them. Of
    /// FLAC: one whose checksums are right, or two. `end` is where the tags at the end of the file begin.
    static func first(
        in window: inout ByteWindow, from start: Int
    ) throws(AudioError) -> (family: Recognition.Family, offset: Int, end: Int)? {
        let isTagged = try window.has("ID3", at: 0)
        // A tag that claims the whole file lies, and frames may be in what it claims.
        let origin = isTagged && start == window.count ? 10 : start
        let end = try TrailingTags(in: &window, notBefore: origin).start
        let longest = isTagged ? AudioLimits().searchBytes : longestGarbage
        let begin = try LeadingTags.endOfZeros(from: origin, atMost: longest, in: &window)
        // Headers of FLAC that belong to no frame cost a search for an end each: all share what one scan may spend.
        var patience = AudioLimits().searchBytes
        for offset in begin..<max(begin, min(end, origin + longest)) {
            guard try window.uint8(at: offset) == 0xFF else { continue }
            try window.hold(MPEGFrames.reach, at: offset)
            let count = offset == begin ? 2 : 3
            if patience > 0, let info = try FLACFrames.info(at: offset, before: end, in: &window) {
                var frames = FLACFrames(info, in: offset..<end, AudioLimits(), patience: patience)
                if try frames.begin(with: count - 1, in: &window) { return (.flac, offset, end) }
                patience = frames.patience
            }
            if try isMPEG(at: offset, count, end, in: &window) { return (.mpegAudio, offset, end) }
            if let frames = try ADTSFrames(at: offset, in: &window),
                try frames.areThere(count, at: offset, end: end, in: &window)
            {
                return (.adts, offset, end)
            }
        }
        return nil
    }

    private static func isMPEG(
        at offset: Int, _ count: Int, _ end: Int, in window: inout ByteWindow
    ) throws(AudioError) -> Bool {
        if let frames = try MPEGFrames(at: offset, in: &window) {
            // UTF-16 text begins as a frame of layer I does: for that, one frame that fits the file isn't enough.
            let isLone = frames.header.layer == 1 && frames.header.length == end - offset
            return isLone ? false : try frames.areThere(count, at: offset, end: end, in: &window)
        }
        // The length of these has to be searched: only once, lest hostile files have it searched at every byte.
        return count == 2 ? try MPEGFrames(freeAt: offset, in: &window) != nil : false
    }

    /// Streams that aren't read, but may hold frames of MPEG audio piece by piece, so that they must be ruled out first.
    private static func stream(
        at start: Int, in window: inout ByteWindow
    ) throws(AudioError) -> (code: String, title: String)? {
        guard let word = try window.uint32(at: start) else { return nil }
        if word == 0x1BA { return ("mpeg-ps", "an MPEG program stream") }
        if word >> 24 == 0x47, try window.uint8(at: start + 188) == 0x47, try window.uint8(at: start + 376) == 0x47 {
            return ("mpeg-ts", "an MPEG transport stream")
        }
        // ISO/IEC 14496-3, 1.7.2: 11 bits of synchronisation, 13 of the length of what follows.
        if word >> 21 == 0x2B7, let next = try window.uint16(at: start + 3 + (word >> 8 & 0x1FFF)), next >> 5 == 0x2B7 {
            return ("loas", "AAC in LOAS")
        }
        return nil
    }
}
