internal import MediaContainers

/// ID3v2 tags before the audio. There may be several, with zero bytes between them: ID3v2.4, section 3.1.
enum LeadingTags {
    /// The greatest number of zero bytes between two tags. No tagger writes as much padding.
    private static let maxPaddingLength = 64 << 10

    /// Returns the offset at which the tags end, at most the end of the file.
    static func endOffset(in reader: inout BufferedFileReader) throws(AudioError) -> Int {
        var end = 0, offset = 0
        while let length = try id3v2TagLength(at: offset, in: &reader) {
            end = min(offset + length, reader.byteCount)
            offset = try endOfZeroBytes(from: end, maxLength: maxPaddingLength, in: &reader)
        }
        return end
    }

    /// Returns the offset of the first nonzero byte from `offset` on, at most `maxLength` bytes further and at most
    /// the end of the file.
    static func endOfZeroBytes(from offset: Int, maxLength: Int, in reader: inout BufferedFileReader)
        throws(AudioError) -> Int
    {
        var position = offset
        while position - offset < maxLength, try reader.uint8(at: position) == 0 { position += 1 }
        return position
    }

    /// Returns the bytes of the tag at `offset`, including header, footer and padding, or `nil` if there is none.
    static func id3v2TagLength(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        guard try reader.fourCC(at: offset).map({ $0.code >> 8 == 0x494433 }) == true,  // "ID3"
            let version = try reader.uint16(at: offset + 3), version >> 8 < 0xFF, version & 0xFF < 0xFF,
            let flags = try reader.uint8(at: offset + 5),
            let size = try reader.uint32(at: offset + 6).flatMap(decodeSynchsafeInteger)
        else { return nil }
        return 10 + size + (flags & 0x10 != 0 ? 10 : 0)
    }

    /// Returns the integer of 7 bits in each of four bytes, or `nil` if the highest bit of a byte is set.
    static func decodeSynchsafeInteger(_ word: Int) -> Int? {
        if word & 0x8080_8080 != 0 { return nil }
        return word & 0x7F | word >> 1 & 0x3F80 | word >> 2 & 0x1F_C000 | word >> 3 & 0xFE0_0000
    }

    /// Returns the metadata in the tags before `start`, about 10,000 items at most.
    static func metadata(before start: Int, in reader: inout BufferedFileReader) throws(AudioError) -> [MetadataItem] {
        var metadata: [MetadataItem] = []
        var offset = 0
        while metadata.count < 10_000, offset < start, let length = try id3v2TagLength(at: offset, in: &reader) {
            let range = offset..<min(offset + length, start)
            metadata += try ID3v2Tag.metadataKinds(range: range, in: &reader).map {
                MetadataItem(kind: $0, range: range)
            }
            offset = try endOfZeroBytes(from: range.upperBound, maxLength: maxPaddingLength, in: &reader)
        }
        return metadata
    }
}
