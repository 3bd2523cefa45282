/// Reads the metadata in a codec's own headers, inside CodecPrivate.
enum MatroskaCodecMetadata {
    /// Returns the metadata in the comments of a Vorbis or FLAC track. Other codecs store theirs in Tags.
    static func metadataItems(
        of track: MatroskaTrack, in reader: inout BufferedFileReader, limits: AudioLimits
    ) throws(AudioError) -> [MetadataItem] {
        guard let content = track.codecPrivateRange else { return [] }
        switch track.codecID {
        case "A_VORBIS":
            guard let packets = MatroskaCodec.vorbisHeaderRanges(in: track.codecPrivate[...]) else { return [] }
            // The comments follow the packet's type and `vorbis`: 7 bytes.
            let start = content.lowerBound + packets.comment.lowerBound
            guard packets.comment.count > 7 else { return [] }
            let range = start..<start + packets.comment.count
            return try VorbisComment.metadataKinds(range: range.dropFirst(7), in: &reader, limits: limits).map {
                MetadataItem(kind: $0, range: range)
            }
        case "A_FLAC": return try flacMetadataItems(range: content, in: &reader, limits: limits)
        default: return []
        }
    }

    /// Returns the metadata in the blocks after `fLaC`: RFC 9639, section 8.1.
    private static func flacMetadataItems(
        range content: Range<Int>, in reader: inout BufferedFileReader, limits: AudioLimits
    ) throws(AudioError) -> [MetadataItem] {
        var items: [MetadataItem] = [], position = content.lowerBound + 4
        while position + 4 <= content.upperBound, let header = try reader.uint32(at: position) {
            let range = position..<min(position + 4 + header & 0xFF_FFFF, content.upperBound)
            let kinds = try FLACMetadataBlocks.metadataKinds(
                blockType: header >> 24 & 0x7F, range: range, in: &reader, limits: limits)
            for kind in kinds { items.recordMetadata(kind: kind, range: range) }
            position = range.upperBound
        }
        return items
    }
}
