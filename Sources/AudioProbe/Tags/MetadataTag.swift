internal import MediaContainers

/// A tag before, between or after frames that have no container.
struct MetadataTag {
    /// The format of a tag.
    enum Format {
        /// ID3v2.2 to 2.4.
        case id3v2
        /// ID3v1 and 1.1: 128 bytes.
        case id3v1
        /// The enhanced tag with longer fields that may precede ID3v1: 227 bytes.
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

    // MARK: - Tags found at their beginning

    /// Finds the tag that begins at `offset`.
    ///
    /// Returns `nil` if there is no tag, if its length is unknown at its beginning, or if it would extend beyond `end`.
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
        if let length = try LeadingTags.id3v2TagLength(at: offset, in: &reader) { return (.id3v2, length) }
        if name == "TAG+" { return (.enhancedID3v1, 227) }
        if name.code >> 8 == 0x544147 { return (.id3v1, 128) }
        if name == "APET", try reader.hasASCII("APETAGEX", at: offset),
            let size = try reader.uint32(at: offset + 12, byteOrder: .littleEndian),
            let flags = try reader.uint32(at: offset + 20, byteOrder: .littleEndian), flags >> 29 & 1 == 1
        {
            // Bit 29 distinguishes a header from a footer. The size is that of all bytes after the header.
            return (.ape, 32 + size)
        }
        if name == "LYRI", try reader.hasASCII("LYRICSBEGIN", at: offset) {
            return try lyrics3Length(at: offset, in: &reader).map { (.lyrics3, $0) }
        }
        return nil
    }

    /// Returns the length of the Lyrics3 tag that begins at `offset`, by searching for its end marker.
    ///
    /// Only the end marker shows the length. The search covers the 5100 bytes that version 1 allows. Longer tags are
    /// found only at the end of a file, because longer searches could take quadratic time in a hostile file. The search
    /// stops at another begin marker, so that each byte is searched once however many markers there are.
    private static func lyrics3Length(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        for position in offset + 11...offset + 11 + maxLyrics3Length where try reader.uint8(at: position) == 0x4C {
            if try reader.hasASCII("LYRICSEND", at: position) { return position + 9 - offset }
            if try reader.hasASCII("LYRICS200", at: position) { return position + 9 - offset }
            if try reader.hasASCII("LYRICSBEGIN", at: position) { return nil }
        }
        return nil
    }

    /// The greatest number of bytes between the two markers of Lyrics3v1.
    private static let maxLyrics3Length = 5100

    // MARK: - Tags found at their end

    /// Finds the tag that ends at `end`. Returns `nil` if there is none or it would begin before `start`.
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
        // A tag of ID3v2.4 at the end repeats its header as a footer.
        if try reader.hasASCII("3DI", at: end - 10), let size = try reader.uint32(at: end - 4) {
            return LeadingTags.decodeSynchsafeInteger(size).map { (.id3v2, $0 + 20) }
        }
        return nil
    }

    /// Returns the length of the APE tag that ends at `end`.
    ///
    /// The size field covers the items and the footer. Bit 31 of the flags shows whether a header precedes them. Bit 29
    /// marks a header, which is the last thing in a file that is truncated right after it.
    private static func apeLength(endingAt end: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        guard try reader.hasASCII("APETAGEX", at: end - 32),
            let version = try reader.uint32(at: end - 24, byteOrder: .littleEndian),
            let size = try reader.uint32(at: end - 20, byteOrder: .littleEndian), size >= 32,
            let flags = try reader.uint32(at: end - 12, byteOrder: .littleEndian), flags >> 29 & 1 == 0
        else { return nil }
        return size + (version >= 2000 && flags >> 31 == 1 ? 32 : 0)
    }

    /// Returns the length of the Lyrics3 tag that ends at `end`.
    ///
    /// Version 2 ends with its size in 6 digits and a marker, version 1 only with a marker.
    private static func lyrics3Length(endingAt end: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int?
    {
        if try reader.hasASCII("LYRICS200", at: end - 9), let digits = try reader.bytes(at: end - 15, count: 6),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        {
            let size = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
            return try reader.hasASCII("LYRICSBEGIN", at: end - 15 - size) ? size + 15 : nil
        }
        guard try reader.hasASCII("LYRICSEND", at: end - 9) else { return nil }
        let first = max(0, end - 9 - maxLyrics3Length - 11)
        try reader.prefetchBytes(count: end - first, at: first)
        for offset in stride(from: end - 20, through: first, by: -1) where try reader.uint8(at: offset) == 0x4C {
            if try reader.hasASCII("LYRICSBEGIN", at: offset) { return end - offset }
        }
        return nil
    }
}

/// Tags after the audio, found from the end of the file backwards, because some are recognizable only at their end.
struct TrailingTags {
    /// At most 16 tags, from the last to the first. No file in use has more than 5.
    private(set) var tags: [MetadataTag] = []
    /// The offset of the first of these tags, or the end of the file if there are none.
    private(set) var startOffset: Int

    /// Finds the tags at the end of the file that do not begin before `first`.
    init(in reader: inout BufferedFileReader, notBefore first: Int) throws(AudioError) {
        startOffset = reader.byteCount
        while tags.count < 16, let tag = try MetadataTag(endingAt: startOffset, notBefore: first, in: &reader) {
            tags.append(tag)
            startOffset = tag.range.lowerBound
        }
    }
}
