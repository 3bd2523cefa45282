/// Builds Matroska files in code, an element at a time.
enum MatroskaBuilder {
    // MARK: Elements

    /// An element with its size in as few bytes as hold it, or in `sizeLength` of them.
    static func element(_ id: Int, _ content: [UInt8], sizeLength: Int? = nil) -> [UInt8] {
        let length = sizeLength ?? (1...8).first { content.count < 1 << (7 * $0) - 1 } ?? 8
        return head(id, size: content.count, sizeLength: length) + content
    }

    /// An element of unknown size: all bits of it set, in so many bytes.
    static func unsized(_ id: Int, _ content: [UInt8], sizeLength: Int = 8) -> [UInt8] {
        head(id, size: 1 << (7 * sizeLength) - 1, sizeLength: sizeLength) + content
    }

    /// The head of an element that claims `size` bytes.
    static func head(_ id: Int, size: Int, sizeLength: Int = 8) -> [UInt8] {
        bytes(id) + number(size, sizeLength)
    }

    static func uint(_ id: Int, _ value: Int) -> [UInt8] { element(id, bytes(value)) }
    static func int(_ id: Int, _ value: Int) -> [UInt8] { element(id, big(value, 8)) }
    static func text(_ id: Int, _ text: String) -> [UInt8] { element(id, Array(text.utf8)) }
    static func float(_ id: Int, _ value: Double) -> [UInt8] {
        element(id, big(Int(truncatingIfNeeded: value.bitPattern), 8))
    }
    static func float32(_ id: Int, _ value: Float) -> [UInt8] { element(id, big(Int(value.bitPattern), 4)) }

    /// A number of `length` bytes that says its length in the first.
    static func number(_ value: Int, _ length: Int) -> [UInt8] { big(value | 1 << (7 * length), length) }

    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        var builder = ByteBuilder()
        builder.big(value, count)
        return builder.bytes
    }

    /// A number in as few bytes as hold it.
    private static func bytes(_ value: Int) -> [UInt8] { big(value, max(1, (71 - value.leadingZeroBitCount) / 8)) }

    // MARK: Parts of a file

    static func header(_ docType: String = "webm", more: [UInt8] = []) -> [UInt8] {
        element(0x1A45_DFA3, text(0x4282, docType) + more)
    }

    static func segment(_ content: [UInt8], isUnsized: Bool = false) -> [UInt8] {
        isUnsized ? unsized(0x1853_8067, content) : element(0x1853_8067, content)
    }

    /// Info, with a Duration in ticks if there is one.
    static func info(duration: Double? = nil, scale: Int = 1_000_000, more: [UInt8] = []) -> [UInt8] {
        element(0x1549_A966, uint(0x2AD7B1, scale) + (duration.map { float(0x4489, $0) } ?? []) + more)
    }

    static func tracks(_ entries: [UInt8]...) -> [UInt8] { element(0x1654_AE6B, entries.flatMap { $0 }) }

    static func track(
        _ codecID: String, number: Int = 1, type: Int = 2, setup: [UInt8] = [], rate: Double = 48_000,
        channels: Int = 1, bits: Int? = nil, more: [UInt8] = []
    ) -> [UInt8] {
        let audio = float(0xB5, rate) + uint(0x9F, channels) + (bits.map { uint(0x6264, $0) } ?? [])
        return element(
            0xAE,
            uint(0xD7, number) + uint(0x83, type) + text(0x86, codecID) + (setup.isEmpty ? [] : element(0x63A2, setup))
                + (type == 2 ? element(0xE1, audio) : []) + more)
    }

    /// An Opus track that leaves out `preSkip` samples at the beginning.
    static func opusTrack(_ number: Int = 1, preSkip: Int = 0, more: [UInt8] = []) -> [UInt8] {
        let delay = preSkip == 0 ? [] : uint(0x56AA, preSkip * 62_500 / 3)
        return track("A_OPUS", number: number, setup: opusHead(preSkip: preSkip), more: delay + more)
    }

    static func opusHead(preSkip: Int = 0) -> [UInt8] {
        var builder = ByteBuilder()
        builder.add("OpusHead\u{1}\u{1}")
        builder.little(preSkip, 2)
        builder.little(48_000, 4)
        builder.zeros(3)
        return builder.bytes
    }

    static func cluster(_ timestamp: Int, _ blocks: [[UInt8]], isUnsized: Bool = false) -> [UInt8] {
        let content = uint(0xE7, timestamp) + blocks.flatMap { $0 }
        return isUnsized ? unsized(0x1F43_B675, content) : element(0x1F43_B675, content)
    }

    /// How several frames share a block.
    enum Lacing: Int, CaseIterable { case none, xiph, fixed, ebml }

    static func simpleBlock(
        _ timestamp: Int, track: Int = 1, _ frames: [UInt8]..., lacing: Lacing = .none
    ) -> [UInt8] {
        element(0xA3, block(timestamp, track: track, frames, lacing))
    }

    static func blockGroup(
        _ timestamp: Int, track: Int = 1, _ frames: [UInt8]..., duration: Int? = nil, discard: Int? = nil
    ) -> [UInt8] {
        element(
            0xA0,
            element(0xA1, block(timestamp, track: track, frames, .none)) + (duration.map { uint(0x9B, $0) } ?? [])
                + (discard.map { int(0x75A2, $0) } ?? []))
    }

    static func block(_ timestamp: Int, track: Int, _ frames: [[UInt8]], _ lacing: Lacing) -> [UInt8] {
        let head = number(track, 1) + big(timestamp, 2) + [0x80 | UInt8(lacing.rawValue << 1)]
        let sizes = frames.dropLast().map(\.count), count = UInt8(frames.count - 1)
        let data = frames.flatMap { $0 }
        switch lacing {
        case .none: return head + data
        case .fixed: return head + [count] + data
        case .xiph:
            return head + [count] + sizes.flatMap { [UInt8](repeating: 255, count: $0 / 255) + [UInt8($0 % 255)] }
                + data
        case .ebml:
            let differences = zip(sizes, sizes.dropFirst()).flatMap { number($1 - $0 + 8191, 2) }
            return head + [count] + number(sizes.first ?? 0, 2) + differences + data
        }
    }

    // MARK: Frames

    /// An Opus packet of 20 ms: its first byte says so.
    static let opus: [UInt8] = [0xFC, 1, 2, 3, 4, 5, 6, 7]

    /// `count` blocks of 20 ms of Opus, from `first` on.
    static func opusBlocks(_ count: Int, from first: Int = 0, track: Int = 1) -> [[UInt8]] {
        (0..<count).map { simpleBlock(first + 20 * $0, track: track, opus) }
    }

    /// A WebM file of 20 ms Opus packets in one Cluster.
    static func opusFile(_ packets: Int, duration: Double? = nil, isUnsized: Bool = false) -> [UInt8] {
        header()
            + segment(
                info(duration: duration) + tracks(opusTrack()) + cluster(0, opusBlocks(packets), isUnsized: isUnsized),
                isUnsized: isUnsized)
    }

    /// The three Vorbis headers as CodecPrivate has them: mono, windows of 256 and 2048, mode 0 short and mode 1 long.
    static func vorbisSetup(rate: Int = 44_100, comments: [String] = []) -> [UInt8] {
        var identification = ByteBuilder([1])
        identification.add("vorbis")
        identification.little(0, 4)
        identification.little(1, 1)
        identification.little(rate, 4)
        identification.zeros(12)
        identification.add([0xB8, 1])
        var list = ByteBuilder([3])
        list.add("vorbis")
        list.little(0, 4)
        list.little(comments.count, 4)
        for comment in comments {
            list.little(comment.utf8.count, 4)
            list.add(comment)
        }
        list.zeros(300 - list.count)
        let comment = list.bytes
        // The modes in bits, the lowest of each field first: 6 of the count less one; of each mode its flag, 32 zeros
        // and 8 for the mapping; and a bit to end with.
        let zeros = [UInt8](repeating: 0, count: 40)
        let bits = [1, 0, 0, 0, 0, 0] + [0] + zeros + [1] + zeros + [1]
        let packed = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].reversed().reduce(0 as UInt8) { $0 << 1 | $1 }
        }
        let setup = [5] + Array("vorbis".utf8) + [0xFF, 0xFF] + packed
        return [2, UInt8(identification.count), 255, UInt8(comment.count - 255)] + identification.bytes + comment
            + setup
    }
    /// Vorbis packets of the short and of the long window.
    static let vorbisShort: [UInt8] = [0, 0, 0]
    static let vorbisLong: [UInt8] = [2, 0, 0]

    /// `fLaC` and STREAMINFO: 44,100 Hz, 2 channels, 16 bits.
    static let flacSetup: [UInt8] =
        Array("fLaC".utf8) + [0x80, 0, 0, 34] + [UInt8](repeating: 0, count: 10)
        + big(44_100 << 12 | 1 << 9 | 15 << 4, 4)
        + [UInt8](repeating: 0, count: 20)

    /// A FLAC frame of 4096 samples, header and all, and nothing in it.
    static let flac: [UInt8] = flacFrame([0xFF, 0xF8, 0xC9, 0x18, 0x00])
    /// The last, of 1000 samples.
    static let flacLast: [UInt8] = flacFrame([0xFF, 0xF8, 0x79, 0x18, 0x01, 0x03, 0xE7])

    private static func flacFrame(_ header: [UInt8]) -> [UInt8] {
        let checksum = header.reduce(0 as UInt8) { crc, byte in
            (0..<8).reduce(crc ^ byte) { crc, _ in crc & 0x80 != 0 ? crc << 1 ^ 0x07 : crc << 1 }
        }
        return header + [checksum] + [UInt8](repeating: 0, count: 20)
    }

    /// Apple's cookie: 4096 samples a frame, 16 bits, 2 channels, 44,100 Hz.
    static let alacSetup: [UInt8] =
        big(4096, 4) + [0, 16, 40, 10, 14, 2, 0, 255] + big(0, 8) + big(44_100, 4)
}
