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
        /// Bytes, header included: those of the default parameters.
        var length = 417

        /// What follows the header: no byte of it looks like one.
        var filler: UInt8 = 0x55

        var bytes: [UInt8] {
            var word = ByteBuilder()
            let flags = version << 19 | (4 - layer) << 17 | (isProtected ? 0 : 1) << 16
            word.big(
                0x7FF << 21 | flags | bitRate << 12 | rate << 10 | (isPadded ? 1 : 0) << 9 | (isMono ? 3 : 1) << 6, 4)
            return word.bytes + [UInt8](repeating: filler, count: length - 4)
        }

        /// Bytes of layer III's side information.
        var sideInformationLength: Int { version == 3 ? (isMono ? 17 : 32) : (isMono ? 9 : 17) }
    }

    mutating func frames(_ count: Int, _ frame: Frame = Frame()) { for _ in 0..<count { file.add(frame.bytes) } }

    /// A frame with a header of Xing and, where `delay` is stated, LAME.
    mutating func xing(
        _ name: String = "Info", frames: Int? = nil, size: Int? = nil, delay: Int? = nil, padding: Int = 0,
        encoder: String = "LAME3.100", in frame: Frame = Frame()
    ) {
        var header = ByteBuilder()
        header.add(name)
        header.big((frames == nil ? 0 : 1) | (size == nil ? 0 : 2) | 12, 4)
        if let frames { header.big(frames, 4) }
        if let size { header.big(size, 4) }
        header.zeros(104)
        if let delay {
            header.add(encoder)
            header.zeros(12)
            header.big(delay << 12 | padding, 3)
        }
        overlay(header.bytes, at: 4 + frame.sideInformationLength, of: frame)
    }

    /// A frame with Fraunhofer's header.
    mutating func vbri(frames: Int, size: Int) {
        var header = ByteBuilder()
        header.add("VBRI")
        header.big(1, 2)
        header.zeros(4)
        header.big(size, 4)
        header.big(frames, 4)
        overlay(header.bytes, at: 36, of: Frame())
    }

    private mutating func overlay(_ header: [UInt8], at offset: Int, of frame: Frame) {
        var frame = frame
        frame.filler = 0
        let bytes = frame.bytes
        file.add(Array(bytes[..<offset]) + header + Array(bytes[(offset + header.count)...]))
    }

    /// Frames of AAC with ADTS headers: the index of 44.1 kHz is 4.
    mutating func adts(_ count: Int, rate: Int = 4, channels: Int = 2, blocks: Int = 1, length: Int = 40) {
        for _ in 0..<count {
            file.big(0xFFF1, 2)
            file.big(1 << 14 | rate << 10 | channels << 6 | length >> 11, 2)
            file.big((length & 0x7FF) << 13 | 0x7FF << 2 | (blocks - 1), 3)
            file.add([UInt8](repeating: 0x55, count: length - 7))
        }
    }

    // MARK: - Tags

    /// ID3v2 with the frames given, and zeros.
    mutating func id3v2(_ frames: [(String, [UInt8])] = [], version: Int = 4, padding: Int = 0, footer: Bool = false) {
        var body = ByteBuilder()
        for (name, content) in frames {
            body.add(name)
            if version == 2 {
                body.big(content.count, 3)
            } else {
                body.big(version == 4 ? Self.synchsafe(content.count) : content.count, 4)
                body.zeros(2)
            }
            body.add(content)
        }
        body.zeros(padding)
        for name in footer ? ["ID3", "3DI"] : ["ID3"] {
            file.add(name)
            file.add([UInt8(version), 0, footer ? 0x10 : 0])
            file.big(Self.synchsafe(body.count), 4)
            if name == "ID3" { file.add(body.bytes) }
        }
    }

    static func synchsafe(_ size: Int) -> Int {
        size & 0x7F | (size >> 7 & 0x7F) << 8 | (size >> 14 & 0x7F) << 16 | (size >> 21 & 0x7F) << 24
    }

    mutating func id3v1(title: String = "") {
        file.add("TAG" + title)
        file.zeros(125 - title.utf8.count)
    }

    mutating func enhancedTag() {
        file.add("TAG+Title")
        file.zeros(227 - 9)
    }

    /// APEv2: header, items and footer.
    mutating func ape(_ key: String, _ value: String) {
        let size = 8 + key.utf8.count + 1 + value.utf8.count + 32
        for flags in [1 << 31 | 1 << 29, 1 << 31] {
            file.add("APETAGEX")
            file.little(2000, 4)
            file.little(size, 4)
            file.little(1, 4)
            file.little(flags, 4)
            file.zeros(8)
            if flags >> 29 & 1 == 0 { continue }
            file.little(value.utf8.count, 4)
            file.little(key.hasPrefix("Cover") ? 2 : 0, 4)
            file.add(key + "\0" + value)
        }
    }

    /// APEv1, which has no header: items, then the footer.
    mutating func apeV1(_ key: String, _ value: String) {
        file.little(value.utf8.count, 4)
        file.little(0, 4)
        file.add(key + "\0" + value)
        file.add("APETAGEX")
        file.little(1000, 4)
        file.little(8 + key.utf8.count + 1 + value.utf8.count + 32, 4)
        file.little(1, 4)
        file.zeros(12)
    }

    mutating func lyrics1(_ text: String = "la la") { file.add("LYRICSBEGIN" + text + "LYRICSEND") }

    mutating func lyrics2(_ text: String = "LYR00005la la") {
        let digits = String(11 + text.utf8.count)
        file.add("LYRICSBEGIN" + text + String(repeating: "0", count: 6 - digits.count) + digits + "LYRICS200")
    }
}

/// What `build` makes.
func mpeg(_ build: (inout MPEGBuilder) -> Void) -> [UInt8] {
    var builder = MPEGBuilder()
    build(&builder)
    return builder.bytes
}
