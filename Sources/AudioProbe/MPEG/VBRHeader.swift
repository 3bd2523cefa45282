/// What an encoder says of a whole stream of layer III in a frame without sound before it: how many frames and bytes there
/// are, and how many samples are not of the recording. Xing and LAME call it `Xing`, or `Info` where the bit rate is
/// constant, and put it behind the side information; Fraunhofer calls it `VBRI` and puts it 32 bytes behind the header.
struct VBRHeader {
    /// Frames, that of this header not counted by most; nil if it isn't stated.
    private(set) var frames: Int?
    /// Bytes from this header's frame on; nil if it isn't stated.
    private(set) var bytes: Int?
    /// Samples that the encoder put before the recording; nil if it isn't stated.
    private(set) var delay: Int?
    /// Samples that it put behind.
    private(set) var padding = 0

    private static let xing = 0x5869_6E67, info = 0x496E_666F, vbri = 0x5642_5249

    /// That of the frame at `offset`; nil if the frame has none.
    init?(at offset: Int, in window: inout ByteWindow) throws(AudioError) {
        try window.hold(512, at: offset)
        guard let word = try window.uint32(at: offset), let mark = try Self.mark(at: offset, word, in: &window)
        else { return nil }
        if try window.uint32(at: mark) == Self.vbri {
            // Behind version, delay and quality, 2 bytes each. No player leaves the delay out.
            bytes = try window.uint32(at: mark + 10)
            frames = try window.uint32(at: mark + 14)
        } else {
            try readXing(at: mark, in: &window)
        }
        if frames == 0 { frames = nil }
        if bytes == 0 { bytes = nil }
    }

    /// Four fields, each there if its bit is set: frames, bytes, 100 bytes of contents, quality. Then LAME's own: 9
    /// characters of its name, and 12 bytes later delay and padding in 12 bits each.
    private mutating func readXing(at mark: Int, in window: inout ByteWindow) throws(AudioError) {
        guard let flags = try window.uint32(at: mark + 4) else { return }
        var position = mark + 8
        if flags & 1 != 0 {
            frames = try window.uint32(at: position)
            position += 4
        }
        if flags & 2 != 0 {
            bytes = try window.uint32(at: position)
            position += 4
        }
        if flags & 4 != 0 { position += 100 }
        if flags & 8 != 0 { position += 4 }
        // FFmpeg writes the same fields under its own names.
        guard let encoder = try window.fourCC(at: position),
            encoder == "LAME" || encoder == "Lavf" || encoder == "Lavc",
            let gaps = try window.uint32(at: position + 20)
        else { return }
        delay = gaps >> 12 & 0xFFF
        padding = gaps & 0xFFF
    }

    /// Whether the frame at `offset`, of layer III, holds one and hence no sound.
    ///
    /// - Parameter word: its first four bytes.
    @inline(__always)
    static func isThere(at offset: Int, _ word: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        let isMono = word >> 6 & 3 == 3, isLowRate = word >> 19 & 1 == 0, isProtected = word >> 16 & 1 == 0
        let place = isLowRate ? (isMono ? 13 : 21) : (isMono ? 21 : 36)
        let name = try window.uint32(at: offset + place)
        var isLikely = name == xing || name == info || name == vbri
        if isProtected, let name = try window.uint32(at: offset + place + 2), name == xing || name == info {
            isLikely = true
        }
        if place < 36, try window.uint32(at: offset + 36) == vbri { isLikely = true }
        return isLikely ? try mark(at: offset, word, in: &window) != nil : false
    }

    /// Where the four characters of the frame at `offset` stand; nil if there are none.
    ///
    /// Such characters may come up in any sound, in one of 15,000 hours of it. What has to follow them rules that out.
    private static func mark(at offset: Int, _ word: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        guard let header = MPEGAudioHeader(word) else { return nil }
        let place = offset + 4 + header.sideInformationLength
        // Encoders forget the two bytes of the checksum, or don't.
        for mark in header.isProtected ? [place, place + 2] : [place] {
            let name = try window.uint32(at: mark)
            if name == xing || name == info, let flags = try window.uint32(at: mark + 4), flags <= 15 { return mark }
        }
        guard try window.uint32(at: offset + 36) == vbri, try window.uint16(at: offset + 40) == 1 else { return nil }
        return offset + 36
    }
}
