/// A tag before, behind or between bare frames.
struct StreamTag {
    /// Which of the formats it has.
    enum Kind {
        /// ID3v2.2 to 2.4.
        case id3v2
        /// ID3v1 and 1.1: 128 bytes.
        case id3v1
        /// What may stand before it with longer fields: 227 bytes.
        case enhanced
        /// APEv1 and v2.
        case ape
        /// Lyrics3v1 and v2.
        case lyrics
    }

    let kind: Kind
    let range: Range<Int>

    private init(_ kind: Kind, _ range: Range<Int>) {
        self.kind = kind
        self.range = range
    }

    // MARK: - By its beginning

    /// The tag that begins at `offset`; nil if there is none whose length can be told from there, or it goes on beyond `end`.
    init?(at offset: Int, before end: Int, in window: inout ByteWindow) throws(AudioError) {
        guard let (kind, length) = try Self.beginning(at: offset, in: &window), length <= end - offset else {
            return nil
        }
        self.init(kind, offset..<offset + length)
    }

    private static func beginning(at offset: Int, in window: inout ByteWindow) throws(AudioError) -> (Kind, Int)? {
        guard let name = try window.fourCC(at: offset) else { return nil }
        if let length = try LeadingTags.length(at: offset, in: &window) { return (.id3v2, length) }
        if name == "TAG+" { return (.enhanced, 227) }
        if name.code >> 8 == 0x544147 { return (.id3v1, 128) }
        if name == "APET", try window.has("APETAGEX", at: offset),
            let size = try window.uint32(at: offset + 12, .little),
            let flags = try window.uint32(at: offset + 20, .little), flags >> 29 & 1 == 1
        {
            // Bit 29 tells a header from a footer; the size is that of all behind the header.
            return (.ape, 32 + size)
        }
        if name == "LYRI", try window.has("LYRICSBEGIN", at: offset) {
            return try lengthOfLyrics(at: offset, in: &window).map { (.lyrics, $0) }
        }
        return nil
    }

    /// The name at their end is searched for: how long they are stands only there. Longer ones than the first version allows
    /// are found only at the end of a file; to look further each time would cost the square of a hostile file's length. What
    /// they begin with isn't in them again, so that bytes are searched once, however many such names there are.
    private static func lengthOfLyrics(at offset: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        for position in offset + 11...offset + 11 + longestLyrics where try window.uint8(at: position) == 0x4C {
            if try window.has("LYRICSEND", at: position) { return position + 9 - offset }
            if try window.has("LYRICS200", at: position) { return position + 9 - offset }
            if try window.has("LYRICSBEGIN", at: position) { return nil }
        }
        return nil
    }

    /// Bytes of Lyrics3v1 between the two names.
    private static let longestLyrics = 5100

    // MARK: - By its end

    /// The tag that ends at `end`; nil if there is none, or it would have begun before `start`.
    init?(endingAt end: Int, notBefore start: Int, in window: inout ByteWindow) throws(AudioError) {
        guard let (kind, length) = try Self.ending(at: end, in: &window), length <= end - start else { return nil }
        self.init(kind, end - length..<end)
    }

    private static func ending(at end: Int, in window: inout ByteWindow) throws(AudioError) -> (Kind, Int)? {
        if let length = try lengthOfAPE(endingAt: end, in: &window) { return (.ape, length) }
        if try window.has("TAG", at: end - 128) { return (.id3v1, 128) }
        if try window.has("TAG+", at: end - 227) { return (.enhanced, 227) }
        if let length = try lengthOfLyrics(endingAt: end, in: &window) { return (.lyrics, length) }
        // Appended, ID3v2.4 repeats its header as a footer.
        if try window.has("3DI", at: end - 10), let size = try window.uint32(at: end - 4) {
            return LeadingTags.unsynchronised(size).map { (.id3v2, $0 + 20) }
        }
        return nil
    }

    /// The size is that of the items and the footer; whether a header is before them bit 31 of the flags tells. Where a file
    /// is cut right behind such a header, bit 29 tells that it is one.
    private static func lengthOfAPE(endingAt end: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        guard try window.has("APETAGEX", at: end - 32), let version = try window.uint32(at: end - 24, .little),
            let size = try window.uint32(at: end - 20, .little), size >= 32,
            let flags = try window.uint32(at: end - 12, .little), flags >> 29 & 1 == 0
        else { return nil }
        return size + (version >= 2000 && flags >> 31 == 1 ? 32 : 0)
    }

    /// The second version ends with its size in 6 digits and its name, the first only with its name.
    private static func lengthOfLyrics(endingAt end: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        if try window.has("LYRICS200", at: end - 9), let digits = try window.bytes(at: end - 15, count: 6),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        {
            let size = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
            return try window.has("LYRICSBEGIN", at: end - 15 - size) ? size + 15 : nil
        }
        guard try window.has("LYRICSEND", at: end - 9) else { return nil }
        let first = max(0, end - 9 - longestLyrics - 11)
        try window.hold(end - first, at: first)
        for offset in stride(from: end - 20, through: first, by: -1) where try window.uint8(at: offset) == 0x4C {
            if try window.has("LYRICSBEGIN", at: offset) { return end - offset }
        }
        return nil
    }
}

/// Tags behind a recording, found from the end of the file backwards, for some can be recognised only there.
struct TrailingTags {
    /// From the last to the first: 16 at most, of which no file in use has more than 5.
    private(set) var tags: [StreamTag] = []
    /// Where the first of them begins, or else the file ends.
    private(set) var start: Int

    /// Those of which none begins before `first`.
    init(in window: inout ByteWindow, notBefore first: Int) throws(AudioError) {
        start = window.count
        while tags.count < 16, let tag = try StreamTag(endingAt: start, notBefore: first, in: &window) {
            tags.append(tag)
            start = tag.range.lowerBound
        }
    }
}
