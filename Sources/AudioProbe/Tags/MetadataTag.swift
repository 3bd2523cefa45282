/// A tag before, behind or between bare frames.
struct MetadataTag {
    /// Which of the formats it has.
    enum Format {
        /// ID3v2.2 to 2.4.
        case id3v2
        /// ID3v1 and 1.1: 128 bytes.
        case id3v1
        /// What may stand before it with longer fields: 227 bytes.
        case enhancedID3v1
        /// APEv1 and v2.
        case ape
        /// Lyrics3v1 and v2.
        case lyrics3
    }

    let format: Format
    let range: Range<Int>

    private init(format: Format, range: Range<Int>) {
        self.format = format
        self.range = range
    }

    // MARK: - By its beginning

    /// The tag that begins at `offset`; nil if there is none whose length can be told from there, or it goes on beyond
    /// `end`.
    init?(at offset: Int, before end: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let (format, length) = try Self.formatAndLength(at: offset, in: &reader), length <= end - offset else {
            return nil
        }
        self.init(format: format, range: offset..<offset + length)
    }

    private static func formatAndLength(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> (
        Format, Int
    )? {
        guard let name = try reader.fourCC(at: offset) else { return nil }
        if let length = try LeadingTags.tagLength(at: offset, in: &reader) { return (.id3v2, length) }
        if name == "TAG+" { return (.enhancedID3v1, 227) }
        if name.code >> 8 == 0x544147 { return (.id3v1, 128) }
        if name == "APET", try reader.hasASCII("APETAGEX", at: offset),
            let size = try reader.uint32(at: offset + 12, byteOrder: .littleEndian),
            let flags = try reader.uint32(at: offset + 20, byteOrder: .littleEndian), flags >> 29 & 1 == 1
        {
            // Bit 29 tells a header from a footer; the size is that of all behind the header.
            return (.ape, 32 + size)
        }
        if name == "LYRI", try reader.hasASCII("LYRICSBEGIN", at: offset) {
            return try lyrics3Length(at: offset, in: &reader).map { (.lyrics3, $0) }
        }
        return nil
    }

    /// The name at their end is searched for: how long they are stands only there. Longer ones than the first version
    /// allows are found only at the end of a file; to look further each time would cost the square of a hostile file's
    /// length. What they begin with isn't in them again, so that bytes are searched once, however many such names there
    /// are.
    private static func lyrics3Length(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        for position in offset + 11...offset + 11 + maximumLyrics3Length where try reader.uint8(at: position) == 0x4C {
            if try reader.hasASCII("LYRICSEND", at: position) { return position + 9 - offset }
            if try reader.hasASCII("LYRICS200", at: position) { return position + 9 - offset }
            if try reader.hasASCII("LYRICSBEGIN", at: position) { return nil }
        }
        return nil
    }

    /// Bytes of Lyrics3v1 between the two names.
    private static let maximumLyrics3Length = 5100

    // MARK: - By its end

    /// The tag that ends at `end`; nil if there is none, or it would have begun before `startOffset`.
    init?(endingAt end: Int, notBefore start: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let (format, length) = try Self.formatAndLength(endingAt: end, in: &reader), length <= end - start else {
            return nil
        }
        self.init(format: format, range: end - length..<end)
    }

    private static func formatAndLength(endingAt end: Int, in reader: inout BufferedFileReader) throws(AudioError) -> (
        Format, Int
    )? {
        if let length = try apeLength(endingAt: end, in: &reader) { return (.ape, length) }
        if try reader.hasASCII("TAG", at: end - 128) { return (.id3v1, 128) }
        if try reader.hasASCII("TAG+", at: end - 227) { return (.enhancedID3v1, 227) }
        if let length = try lyrics3Length(endingAt: end, in: &reader) { return (.lyrics3, length) }
        // Appended, ID3v2.4 repeats its header as a footer.
        if try reader.hasASCII("3DI", at: end - 10), let size = try reader.uint32(at: end - 4) {
            return LeadingTags.decodeSynchsafeInteger(size).map { (.id3v2, $0 + 20) }
        }
        return nil
    }

    /// The size is that of the items and the footer; whether a header is before them bit 31 of the flags tells. Where a
    /// file is cut right behind such a header, bit 29 tells that it is one.
    private static func apeLength(endingAt end: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        guard try reader.hasASCII("APETAGEX", at: end - 32),
            let version = try reader.uint32(at: end - 24, byteOrder: .littleEndian),
            let size = try reader.uint32(at: end - 20, byteOrder: .littleEndian), size >= 32,
            let flags = try reader.uint32(at: end - 12, byteOrder: .littleEndian), flags >> 29 & 1 == 0
        else { return nil }
        return size + (version >= 2000 && flags >> 31 == 1 ? 32 : 0)
    }

    /// The second version ends with its size in 6 digits and its name, the first only with its name.
    private static func lyrics3Length(endingAt end: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int?
    {
        if try reader.hasASCII("LYRICS200", at: end - 9), let digits = try reader.bytes(at: end - 15, count: 6),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        {
            let size = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
            return try reader.hasASCII("LYRICSBEGIN", at: end - 15 - size) ? size + 15 : nil
        }
        guard try reader.hasASCII("LYRICSEND", at: end - 9) else { return nil }
        let first = max(0, end - 9 - maximumLyrics3Length - 11)
        try reader.prefetchBytes(count: end - first, at: first)
        for offset in stride(from: end - 20, through: first, by: -1) where try reader.uint8(at: offset) == 0x4C {
            if try reader.hasASCII("LYRICSBEGIN", at: offset) { return end - offset }
        }
        return nil
    }
}

/// Tags behind a recording, found from the end of the file backwards, for some can be recognised only there.
struct TrailingTags {
    /// From the last to the first: 16 at most, of which no file in use has more than 5.
    private(set) var tags: [MetadataTag] = []
    /// Where the first of them begins, or else the file ends.
    private(set) var startOffset: Int

    /// Those of which none begins before `first`.
    init(in reader: inout BufferedFileReader, notBefore first: Int) throws(AudioError) {
        startOffset = reader.byteCount
        while tags.count < 16, let tag = try MetadataTag(endingAt: startOffset, notBefore: first, in: &reader) {
            tags.append(tag)
            startOffset = tag.range.lowerBound
        }
    }
}
