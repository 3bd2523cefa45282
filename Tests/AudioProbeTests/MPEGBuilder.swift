/// Builds streams of MPEG audio and ADTS, frame by frame, and the tags around them.
struct MPEGBuilder {
    var file = ByteBuilder()
    var bytes: [UInt8] { file.bytes }

    /// The parameters of a frame of MPEG audio.
    struct Frame {
        /// Index of the version: 3 is MPEG 1, 2 is MPEG 2, 0 is MPEG 2.5.
        var version = 3
        var layer = 3
        /// Index of the bit rate: 9 is 128 kbit/s in MPEG 1, layer III; 0 is free format.
        var bitRate = 9
        /// Index of the sample rate: 44.1, 48 and 32 kHz in MPEG 1.
        var rate = 0
        var isPadded = false
        var isMono = false
        var isProtected = false
        /// Bytes of a frame with the default parameters, including its header.
        var length = 417

        /// The bytes after the header, none of which resembles a header.
        var filler: UInt8 = 0x55

        var bytes: [UInt8] {
            var word = ByteBuilder()
            let flags = version << 19 | (4 - layer) << 17 | (isProtected ? 0 : 1) << 16
            word.appendBigEndian(
                0x7FF << 21 | flags | bitRate << 12 | rate << 10 | (isPadded ? 1 : 0) << 9 | (isMono ? 3 : 1) << 6,
                byteCount: 4)
            return word.bytes + [UInt8](repeating: filler, count: length - 4)
        }

        /// Bytes of layer III's side information.
        var sideInformationLength: Int { version == 3 ? (isMono ? 17 : 32) : (isMono ? 9 : 17) }
    }

    mutating func appendFrames(count: Int, frame: Frame = Frame()) { for _ in 0..<count { file.append(frame.bytes) } }

    /// A frame with a header of Xing and, where `delay` is stated, LAME.
    mutating func appendXingFrame(
        _ name: String = "Info", frames: Int? = nil, size: Int? = nil, delay: Int? = nil, padding: Int = 0,
        encoder: String = "LAME3.100", in frame: Frame = Frame()
    ) {
        var header = ByteBuilder()
        header.append(name)
        header.appendBigEndian((frames == nil ? 0 : 1) | (size == nil ? 0 : 2) | 12, byteCount: 4)
        if let frames { header.appendBigEndian(frames, byteCount: 4) }
        if let size { header.appendBigEndian(size, byteCount: 4) }
        header.appendZeros(count: 104)
        if let delay {
            header.append(encoder)
            header.appendZeros(count: 12)
            header.appendBigEndian(delay << 12 | padding, byteCount: 3)
        }
        overlayHeader(header.bytes, at: 4 + frame.sideInformationLength, of: frame)
    }

    /// A frame with Fraunhofer's header.
    mutating func appendVBRIFrame(frames: Int, size: Int) {
        var header = ByteBuilder()
        header.append("VBRI")
        header.appendBigEndian(1, byteCount: 2)
        header.appendZeros(count: 4)
        header.appendBigEndian(size, byteCount: 4)
        header.appendBigEndian(frames, byteCount: 4)
        overlayHeader(header.bytes, at: 36, of: Frame())
    }

    private mutating func overlayHeader(_ header: [UInt8], at offset: Int, of frame: Frame) {
        var frame = frame
        frame.filler = 0
        let bytes = frame.bytes
        file.append(Array(bytes[..<offset]) + header + Array(bytes[(offset + header.count)...]))
    }

    /// Frames of AAC with ADTS headers: the index of 44.1 kHz is 4.
    mutating func appendADTSFrames(_ count: Int, rate: Int = 4, channels: Int = 2, blocks: Int = 1, length: Int = 40) {
        for _ in 0..<count {
            file.appendBigEndian(0xFFF1, byteCount: 2)
            file.appendBigEndian(1 << 14 | rate << 10 | channels << 6 | length >> 11, byteCount: 2)
            file.appendBigEndian((length & 0x7FF) << 13 | 0x7FF << 2 | (blocks - 1), byteCount: 3)
            file.append([UInt8](repeating: 0x55, count: length - 7))
        }
    }

    // MARK: - Tags

    /// ID3v2 with the frames given, and zeros.
    mutating func appendID3v2Tag(
        _ frames: [(String, [UInt8])] = [], version: Int = 4, padding: Int = 0, footer: Bool = false
    ) {
        var body = ByteBuilder()
        for (name, content) in frames {
            body.append(name)
            if version == 2 {
                body.appendBigEndian(content.count, byteCount: 3)
            } else {
                body.appendBigEndian(version == 4 ? Self.synchsafeInteger(content.count) : content.count, byteCount: 4)
                body.appendZeros(count: 2)
            }
            body.append(content)
        }
        body.appendZeros(count: padding)
        for name in footer ? ["ID3", "3DI"] : ["ID3"] {
            file.append(name)
            file.append([UInt8(version), 0, footer ? 0x10 : 0])
            file.appendBigEndian(Self.synchsafeInteger(body.count), byteCount: 4)
            if name == "ID3" { file.append(body.bytes) }
        }
    }

    static func synchsafeInteger(_ size: Int) -> Int {
        size & 0x7F | (size >> 7 & 0x7F) << 8 | (size >> 14 & 0x7F) << 16 | (size >> 21 & 0x7F) << 24
    }

    mutating func appendID3v1Tag(title: String = "") {
        file.append("TAG" + title)
        file.appendZeros(count: 125 - title.utf8.count)
    }

    mutating func appendEnhancedTag() {
        file.append("TAG+Title")
        file.appendZeros(count: 227 - 9)
    }

    /// APEv2: header, items and footer.
    mutating func appendAPETag(key: String, value: String) {
        let size = 8 + key.utf8.count + 1 + value.utf8.count + 32
        for flags in [1 << 31 | 1 << 29, 1 << 31] {
            file.append("APETAGEX")
            file.appendLittleEndian(2000, byteCount: 4)
            file.appendLittleEndian(size, byteCount: 4)
            file.appendLittleEndian(1, byteCount: 4)
            file.appendLittleEndian(flags, byteCount: 4)
            file.appendZeros(count: 8)
            if flags >> 29 & 1 == 0 { continue }
            file.appendLittleEndian(value.utf8.count, byteCount: 4)
            file.appendLittleEndian(key.hasPrefix("Cover") ? 2 : 0, byteCount: 4)
            file.append(key + "\0" + value)
        }
    }

    /// APEv1, which has no header: items, then the footer.
    mutating func appendAPEv1Tag(key: String, value: String) {
        file.appendLittleEndian(value.utf8.count, byteCount: 4)
        file.appendLittleEndian(0, byteCount: 4)
        file.append(key + "\0" + value)
        file.append("APETAGEX")
        file.appendLittleEndian(1000, byteCount: 4)
        file.appendLittleEndian(8 + key.utf8.count + 1 + value.utf8.count + 32, byteCount: 4)
        file.appendLittleEndian(1, byteCount: 4)
        file.appendZeros(count: 12)
    }

    mutating func appendLyrics1Tag(_ text: String = "la la") { file.append("LYRICSBEGIN" + text + "LYRICSEND") }

    mutating func appendLyrics2Tag(_ text: String = "LYR00005la la") {
        let digits = String(11 + text.utf8.count)
        file.append("LYRICSBEGIN" + text + String(repeating: "0", count: 6 - digits.count) + digits + "LYRICS200")
    }
}

/// Returns the bytes that `build` appends.
func buildMPEGAudio(_ build: (inout MPEGBuilder) -> Void) -> [UInt8] {
    var builder = MPEGBuilder()
    build(&builder)
    return builder.bytes
}
