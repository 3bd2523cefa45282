/// Titles and names that a codec's own headers carry, inside CodecPrivate.
enum MatroskaCodecComments {
    /// What the comments of a Vorbis or FLAC track tell. Other codecs leave theirs to Tags.
    static func items(
        of track: MatroskaTrack, in window: inout ByteWindow, _ limits: AudioLimits
    ) throws(AudioError) -> [Metadata] {
        guard let content = track.codecPrivateContent else { return [] }
        switch track.codecID {
        case "A_VORBIS":
            guard let packets = MatroskaCodec.vorbisPackets(track.codecPrivate[...]) else { return [] }
            // Behind the packet's type and `vorbis`.
            let start = content.lowerBound + packets.comment.lowerBound
            guard packets.comment.count > 7 else { return [] }
            let range = start..<start + packets.comment.count
            return try VorbisComment.kinds(in: range.dropFirst(7), of: &window, limits).map { Metadata($0, range) }
        case "A_FLAC": return try flac(content, in: &window, limits)
        default: return []
        }
    }

    /// The metadata blocks behind `fLaC`: RFC 9639, section 8.1.
    private static func flac(
        _ content: Range<Int>, in window: inout ByteWindow, _ limits: AudioLimits
    ) throws(AudioError) -> [Metadata] {
        var items: [Metadata] = [], position = content.lowerBound + 4
        while position + 4 <= content.upperBound, let header = try window.uint32(at: position) {
            let range = position..<min(position + 4 + header & 0xFF_FFFF, content.upperBound)
            let kinds = try FLACMetadata.kinds(type: header >> 24 & 0x7F, in: range, of: &window, limits)
            for kind in kinds { items.note(kind, range) }
            position = range.upperBound
        }
        return items
    }
}
