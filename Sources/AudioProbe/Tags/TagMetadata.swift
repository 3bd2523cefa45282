extension MetadataTag {
    /// The greatest number of items or frames of a tag that are read: 10,000. Real tags have fewer than 100, and an
    /// item takes only 11 bytes.
    static let maxItemCount = 10_000

    /// Returns one item for each kind of metadata in the tag, with the range of the whole tag.
    func readMetadata(in reader: inout BufferedFileReader) throws(AudioError) -> [MetadataItem] {
        let kinds: [MetadataItem.Kind] =
            switch format {
            case .id3v2: try ID3v2Tag.metadataKinds(range: range, in: &reader)
            case .ape: try apeMetadataKinds(in: &reader)
            case .lyrics3: [.text]
            // Title, artist, album, year and comment. The genre after them is a number.
            case .id3v1: try isBlank(from: 3, to: 127, in: &reader) ? [] : [.text]
            // Title, artist and album. The speed, the genre as text and two times follow.
            case .enhancedID3v1: try isBlank(from: 4, to: 184, in: &reader) ? [] : [.text]
            }
        return kinds.map { MetadataItem(kind: $0, range: range) }
    }

    private func isBlank(from: Int, to: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        try reader.bytes(at: range.lowerBound + from, count: to - from)?.allSatisfy { $0 == 0 || $0 == 0x20 } ?? true
    }

    /// Returns the kinds of metadata in the first items of an APE tag.
    ///
    /// Each item has the size of its value and its flags (4 bytes each), a zero-terminated key, and the value.
    private func apeMetadataKinds(in reader: inout BufferedFileReader) throws(AudioError) -> [MetadataItem.Kind] {
        var kinds: [MetadataItem.Kind] = []
        var offset = range.lowerBound, itemCount = 0
        if try reader.hasASCII("APETAGEX", at: offset) { offset += 32 }
        // A key has 2 to 255 characters.
        while offset < range.upperBound - 32, itemCount < Self.maxItemCount,
            let size = try reader.uint32(at: offset, byteOrder: .littleEndian),
            let flags = try reader.uint32(at: offset + 4, byteOrder: .littleEndian),
            let bytes = try reader.bytes(at: offset + 8, count: min(256, max(0, range.upperBound - offset - 8))),
            let end = bytes.firstIndex(of: 0)
        {
            let key = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
            if let kind = Self.apeMetadataKind(ofItemKey: key, isBinary: flags >> 1 & 3 == 1), !kinds.contains(kind) {
                kinds.append(kind)
            }
            offset += 8 + end + 1 + size
            itemCount += 1
        }
        return kinds
    }

    /// Returns the kind of an item, or `nil` if it only describes volume.
    private static func apeMetadataKind(ofItemKey itemKey: String, isBinary: Bool) -> MetadataItem.Kind? {
        if itemKey.hasPrefix("replaygain_") || itemKey.hasPrefix("mp3gain_") { return nil }
        if itemKey.hasPrefix("cover art") { return .image }
        return isBinary ? .applicationData : .text
    }
}

extension Recording {
    /// Appends the metadata of the tags before, between and after the audio.
    ///
    /// - Parameters:
    ///   - start: The offset of the first frame.
    ///   - between: The metadata of tags between frames.
    ///   - end: The offset at which the tags after the frames begin.
    mutating func appendTagMetadata(
        before start: Int, between: [MetadataItem] = [], after end: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        metadata += try LeadingTags.metadata(before: start, in: &reader)
        metadata += between
        for tag in try TrailingTags(in: &reader, notBefore: end).tags.reversed() {
            metadata += try tag.readMetadata(in: &reader)
        }
    }
}
