internal import MediaContainers

/// An encoder's header for a layer III stream, in a frame without audio before it.
///
/// It states the number of frames and bytes, and how many samples are not part of the audio. Xing and LAME call it
/// `Xing`, or `Info` for a constant bit rate, and store it after the side information. Fraunhofer calls it `VBRI` and
/// stores it 32 bytes after the frame's header.
struct VBRHeader {
    /// The number of frames, or `nil` if it is not stated. Most encoders do not count the frame of this header.
    private(set) var frameCount: Int?
    /// Bytes from this header's frame on, or `nil` if it is not stated.
    private(set) var byteCount: Int?
    /// Samples that the encoder added before the audio, or `nil` if it is not stated.
    private(set) var encoderDelay: Int?
    /// Samples that the encoder added after the audio.
    private(set) var endPadding = 0

    private static let xingMarker = 0x5869_6E67, infoMarker = 0x496E_666F, vbriMarker = 0x5642_5249

    /// Reads the VBR header in the frame at `offset`. Returns `nil` if there is none.
    init?(frameAt offset: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        try reader.prefetchBytes(count: 512, at: offset)
        guard let word = try reader.uint32(at: offset),
            let markerOffset = try Self.findMarker(inFrameAt: offset, headerWord: word, in: &reader)
        else { return nil }
        if try reader.uint32(at: markerOffset) == Self.vbriMarker {
            // The version, delay and quality come first, 2 bytes each. Players do not remove this delay.
            byteCount = try reader.uint32(at: markerOffset + 10)
            frameCount = try reader.uint32(at: markerOffset + 14)
        } else {
            try readXingFields(markerOffset: markerOffset, in: &reader)
        }
        if frameCount == 0 { frameCount = nil }
        if byteCount == 0 { byteCount = nil }
    }

    /// Reads the fields of a Xing header.
    ///
    /// There are four optional fields, each with a flag: frames, bytes, a 100-byte table of contents, quality. LAME's
    /// fields follow: 9 characters with its name, and after 12 more bytes the delay and the padding with 12 bits each.
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
        // FFmpeg writes the same fields with its own names.
        guard let encoder = try reader.fourCC(at: position),
            encoder == "LAME" || encoder == "Lavf" || encoder == "Lavc",
            let delayAndPadding = try reader.uint32(at: position + 20)
        else { return }
        encoderDelay = delayAndPadding >> 12 & 0xFFF
        endPadding = delayAndPadding & 0xFFF
    }

    /// Returns whether the layer III frame at `offset` contains a VBR header and thus no audio.
    ///
    /// - Parameters:
    ///   - offset: The offset of the frame.
    ///   - headerWord: The first four bytes of the frame.
    ///   - reader: The file.
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

    /// Returns the offset of the marker in the frame at `offset`, or `nil` if there is none.
    ///
    /// The marker's four characters occur by chance once in 15,000 hours of audio. The fields after it are checked to
    /// exclude that.
    private static func findMarker(inFrameAt offset: Int, headerWord: Int, in reader: inout BufferedFileReader)
        throws(AudioError) -> Int?
    {
        guard let header = MPEGAudioHeader(word: headerWord) else { return nil }
        let expectedOffset = offset + 4 + header.sideInformationLength
        // Not all encoders reserve the two bytes of the checksum.
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
