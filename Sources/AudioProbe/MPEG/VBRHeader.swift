/// What an encoder says of a whole stream of layer III in a frame without sound before it: how many frames and bytes
/// there are, and how many samples are not of the recording. Xing and LAME call it `Xing`, or `Info` where the bit rate
/// is constant, and put it behind the side information; Fraunhofer calls it `VBRI` and puts it 32 bytes behind the
/// header.
struct VBRHeader {
    /// Frames, that of this header not counted by most; nil if it isn't stated.
    private(set) var frameCount: Int?
    /// Bytes from this header's frame on; nil if it isn't stated.
    private(set) var byteCount: Int?
    /// Samples that the encoder put before the recording; nil if it isn't stated.
    private(set) var encoderDelay: Int?
    /// Samples that it put behind.
    private(set) var endPadding = 0

    private static let xingMarker = 0x5869_6E67, infoMarker = 0x496E_666F, vbriMarker = 0x5642_5249

    /// That of the frame at `offset`; nil if the frame has none.
    init?(frameAt offset: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        try reader.prefetchBytes(count: 512, at: offset)
        guard let word = try reader.uint32(at: offset),
            let markerOffset = try Self.findMarker(inFrameAt: offset, headerWord: word, in: &reader)
        else { return nil }
        if try reader.uint32(at: markerOffset) == Self.vbriMarker {
            // Behind version, delay and quality, 2 bytes each. No player leaves the delay out.
            byteCount = try reader.uint32(at: markerOffset + 10)
            frameCount = try reader.uint32(at: markerOffset + 14)
        } else {
            try readXingFields(markerOffset: markerOffset, in: &reader)
        }
        if frameCount == 0 { frameCount = nil }
        if byteCount == 0 { byteCount = nil }
    }

    /// Four fields, each there if its bit is set: frames, bytes, 100 bytes of contents, quality. Then LAME's own: 9
    /// characters of its name, and 12 bytes later delay and padding in 12 bits each.
    private mutating func readXingFields(markerOffset: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let flags = try reader.uint32(at: markerOffset + 4) else { return }
        var position = markerOffset + 8
        if flags & 1 != 0 {
            frameCount = try reader.uint32(at: position)
            position += 4
        }
        if flags & 2 != 0 {
            byteCount = try reader.uint32(at: position)
            position += 4
        }
        if flags & 4 != 0 { position += 100 }
        if flags & 8 != 0 { position += 4 }
        // FFmpeg writes the same fields under its own names.
        guard let encoder = try reader.fourCC(at: position),
            encoder == "LAME" || encoder == "Lavf" || encoder == "Lavc",
            let delayAndPadding = try reader.uint32(at: position + 20)
        else { return }
        encoderDelay = delayAndPadding >> 12 & 0xFFF
        endPadding = delayAndPadding & 0xFFF
    }

    /// Whether the frame at `offset`, of layer III, holds one and hence no sound.
    ///
    /// - Parameter headerWord: its first four bytes.
    @inline(__always)
    static func isPresent(inFrameAt offset: Int, headerWord: Int, in reader: inout BufferedFileReader)
        throws(AudioError) -> Bool
    {
        let isMono = headerWord >> 6 & 3 == 3, isLowRate = headerWord >> 19 & 1 == 0,
            isProtected = headerWord >> 16 & 1 == 0
        let markerOffset = isLowRate ? (isMono ? 13 : 21) : (isMono ? 21 : 36)
        let name = try reader.uint32(at: offset + markerOffset)
        var isLikely = name == xingMarker || name == infoMarker || name == vbriMarker
        if isProtected, let name = try reader.uint32(at: offset + markerOffset + 2),
            name == xingMarker || name == infoMarker
        {
            isLikely = true
        }
        if markerOffset < 36, try reader.uint32(at: offset + 36) == vbriMarker { isLikely = true }
        return isLikely ? try findMarker(inFrameAt: offset, headerWord: headerWord, in: &reader) != nil : false
    }

    /// Where the four characters of the frame at `offset` stand; nil if there are none.
    ///
    /// Such characters may come up in any sound, in one of 15,000 hours of it. What has to follow them rules that out.
    private static func findMarker(inFrameAt offset: Int, headerWord: Int, in reader: inout BufferedFileReader)
        throws(AudioError) -> Int?
    {
        guard let header = MPEGAudioHeader(word: headerWord) else { return nil }
        let expectedOffset = offset + 4 + header.sideInformationLength
        // Encoders forget the two bytes of the checksum, or don't.
        for markerOffset in header.hasCRC ? [expectedOffset, expectedOffset + 2] : [expectedOffset] {
            let name = try reader.uint32(at: markerOffset)
            if name == xingMarker || name == infoMarker, let flags = try reader.uint32(at: markerOffset + 4),
                flags <= 15
            {
                return markerOffset
            }
        }
        guard try reader.uint32(at: offset + 36) == vbriMarker, try reader.uint16(at: offset + 40) == 1 else {
            return nil
        }
        return offset + 36
    }
}
