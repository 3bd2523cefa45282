/// ID3v2 tags in front of a recording: there may be several, with zeros between them. ID3v2.4, section 3.1.
enum LeadingTags {
    /// Zeros between two tags that are stepped over: more than the padding of any tagger.
    private static let longestPadding = 64 << 10

    /// Where what is behind the tags begins, at most the end of the file.
    static func end(in window: inout ByteWindow) throws(AudioError) -> Int {
        var end = 0, offset = 0
        while let length = try length(at: offset, in: &window) {
            end = min(offset + length, window.count)
            offset = try endOfZeros(from: end, atMost: longestPadding, in: &window)
        }
        return end
    }

    /// The first byte from `offset` on that isn't zero, or the end of the file, or `atMost` bytes further.
    static func endOfZeros(from offset: Int, atMost: Int, in window: inout ByteWindow) throws(AudioError) -> Int {
        var position = offset
        while position - offset < atMost, try window.uint8(at: position) == 0 { position += 1 }
        return position
    }

    /// Bytes of the tag at `offset`, header, footer and padding included; nil if there is none.
    static func length(at offset: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        guard try window.fourCC(at: offset).map({ $0.code >> 8 == 0x494433 }) == true,  // "ID3"
            let version = try window.uint16(at: offset + 3), version >> 8 < 0xFF, version & 0xFF < 0xFF,
            let flags = try window.uint8(at: offset + 5),
            let size = try window.uint32(at: offset + 6).flatMap(unsynchronised)
        else { return nil }
        return 10 + size + (flags & 0x10 != 0 ? 10 : 0)
    }

    /// The lower seven bits of four bytes as a number; nil if an eighth is set.
    static func unsynchronised(_ word: Int) -> Int? {
        if word & 0x8080_8080 != 0 { return nil }
        return word & 0x7F | word >> 1 & 0x3F80 | word >> 2 & 0x1F_C000 | word >> 3 & 0xFE0_0000
    }

    /// What the tags hold, as far as they are before `start`; at most 10,000 items.
    static func metadata(before start: Int, in window: inout ByteWindow) throws(AudioError) -> [Metadata] {
        var metadata: [Metadata] = []
        var offset = 0
        while metadata.count < 10_000, offset < start, let length = try length(at: offset, in: &window) {
            let range = offset..<min(offset + length, start)
            metadata += try ID3v2Tag.kinds(in: range, &window).map { Metadata($0, range) }
            offset = try endOfZeros(from: range.upperBound, atMost: longestPadding, in: &window)
        }
        return metadata
    }
}
