/// Vorbis comments, which Opus, Speex and FLAC use too: a list of `NAME=text`. Only the names are interpreted.
///
/// Vorbis I, section 5; RFC 7845, 5.2; RFC 9639, 8.6.
enum VorbisComment {
    /// Returns the kinds of metadata in the comments in `range`, each kind once.
    ///
    /// Reading stops after a length that leads out of `range`.
    ///
    /// - Throws: The errors of the reader.
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

    /// Bytes of a comment that are read. The longest name below has 22 characters and is followed by `=`.
    private static let maxNameLength = 32

    /// Prefixes of names, with the kind of metadata. `nil` means that the comment is not reported. Other names are
    /// text.
    private static let metadataKindsByNamePrefix: [(String, MetadataItem.Kind?)] = [
        ("LOCATION", .location), ("GEO", .location), ("GPS", .location), ("LATITUDE", .location),
        ("LONGITUDE", .location), ("XMP", .xmp), ("METADATA_BLOCK_PICTURE", .image), ("COVERART", .image),
        // These describe the encoder or the audio signal, not the content.
        ("ENCODER", nil), ("VENDOR", nil), ("REPLAYGAIN_", nil), ("R128_", nil), ("WAVEFORMATEXTENSIBLE_", nil),
    ]

    /// Returns the kind of a comment, or `nil` if it is empty or only names the encoder.
    private static func metadataKind(commentPrefix head: [UInt8], commentLength length: Int) -> MetadataItem.Kind? {
        let name = head.prefix { $0 != UInt8(ascii: "=") }.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        guard length > name.count + 1 else { return nil }
        if let match = metadataKindsByNamePrefix.first(where: { name.starts(with: $0.0.utf8) }) { return match.1 }
        return .text
    }
}
