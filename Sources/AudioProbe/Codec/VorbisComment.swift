/// The comments of Vorbis, which Opus, Speex and FLAC use too: `NAME=text`, of which the names say what they are about.
/// Vorbis I, 5; RFC 7845, 5.2; RFC 9639, 8.6.
enum VorbisComment {
    /// What the comments in `range` tell, each kind once; behind a length that leads out of `range` nothing is read.
    ///
    /// - Throws: only what reading throws.
    static func metadataKinds(
        range: Range<Int>, in reader: inout BufferedFileReader, limits: AudioLimits
    ) throws(AudioError) -> [MetadataItem.Kind] {
        var kinds: [MetadataItem.Kind] = []
        guard let vendor = try reader.uint32(at: range.lowerBound, byteOrder: .littleEndian) else { return kinds }
        let countOffset = range.lowerBound + 4 + vendor
        guard countOffset + 4 <= range.upperBound,
            let count = try reader.uint32(at: countOffset, byteOrder: .littleEndian)
        else {
            return kinds
        }
        var offset = countOffset + 4
        for _ in 0..<min(count, limits.elements) {
            guard offset + 4 <= range.upperBound, let length = try reader.uint32(at: offset, byteOrder: .littleEndian)
            else { break }
            let start = offset + 4
            let head = try reader.bytes(at: start, count: max(0, min(length, maxNameLength, range.upperBound - start)))
            if let kind = metadataKind(commentPrefix: head ?? [], commentLength: length), !kinds.contains(kind) {
                kinds.append(kind)
            }
            offset = start + length
        }
        return kinds
    }

    /// Bytes of a comment that are looked at; the longest name below and its `=` have 23.
    private static let maxNameLength = 32

    /// What names begin with. A position is looked for first, and what is none of these is text.
    private static let metadataKindsByNamePrefix: [(String, MetadataItem.Kind?)] = [
        ("LOCATION", .location), ("GEO", .location), ("GPS", .location), ("LATITUDE", .location),
        ("LONGITUDE", .location), ("XMP", .xmp), ("METADATA_BLOCK_PICTURE", .image), ("COVERART", .image),
        // Of the encoder and of the sound, not of the recording.
        ("ENCODER", nil), ("VENDOR", nil), ("REPLAYGAIN_", nil), ("R128_", nil), ("WAVEFORMATEXTENSIBLE_", nil),
    ]

    /// Nil for what tells nothing: an empty text, or the name of the encoder.
    private static func metadataKind(commentPrefix head: [UInt8], commentLength length: Int) -> MetadataItem.Kind? {
        let name = head.prefix { $0 != UInt8(ascii: "=") }.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        guard length > name.count + 1 else { return nil }
        if let match = metadataKindsByNamePrefix.first(where: { name.starts(with: $0.0.utf8) }) { return match.1 }
        return .text
    }
}
