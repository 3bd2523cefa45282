/// Builds Matroska files from single elements.
enum MatroskaBuilder {
    // MARK: Elements

    /// An element with its size in the fewest possible bytes, or in `sizeLength` bytes.
    static func element(id: Int, content: [UInt8], sizeLength: Int? = nil) -> [UInt8] {
        let length = sizeLength ?? (1...8).first { content.count < 1 << (7 * $0) - 1 } ?? 8
        return elementHeader(id: id, size: content.count, sizeLength: length) + content
    }

    /// An element of unknown size, which is a size of `sizeLength` bytes with all bits set.
    static func unknownSizeElement(id: Int, content: [UInt8], sizeLength: Int = 8) -> [UInt8] {
        elementHeader(id: id, size: 1 << (7 * sizeLength) - 1, sizeLength: sizeLength) + content
    }

    /// The header of an element that claims `size` bytes.
    static func elementHeader(id: Int, size: Int, sizeLength: Int = 8) -> [UInt8] {
        shortestBigEndianBytes(id) + variableLengthInteger(size, byteCount: sizeLength)
    }

    static func unsignedElement(id: Int, value: Int) -> [UInt8] {
        element(id: id, content: shortestBigEndianBytes(value))
    }
    static func signedElement(id: Int, value: Int) -> [UInt8] {
        element(id: id, content: bigEndianBytes(value, count: 8))
    }
    static func stringElement(id: Int, text: String) -> [UInt8] { element(id: id, content: Array(text.utf8)) }
    static func doubleElement(id: Int, value: Double) -> [UInt8] {
        element(id: id, content: bigEndianBytes(Int(truncatingIfNeeded: value.bitPattern), count: 8))
    }
    static func floatElement(id: Int, value: Float) -> [UInt8] {
        element(id: id, content: bigEndianBytes(Int(value.bitPattern), count: 4))
    }

    /// A number of `length` bytes, the first of which states the length.
    static func variableLengthInteger(_ value: Int, byteCount length: Int) -> [UInt8] {
        bigEndianBytes(value | 1 << (7 * length), count: length)
    }

    static func bigEndianBytes(_ value: Int, count: Int) -> [UInt8] {
        var builder = ByteBuilder()
        builder.appendBigEndian(value, byteCount: count)
        return builder.bytes
    }

    /// A number in the fewest possible bytes.
    private static func shortestBigEndianBytes(_ value: Int) -> [UInt8] {
        bigEndianBytes(value, count: max(1, (71 - value.leadingZeroBitCount) / 8))
    }

    // MARK: Parts of a file

    static func ebmlHeader(_ docType: String = "webm", more: [UInt8] = []) -> [UInt8] {
        element(id: 0x1A45_DFA3, content: stringElement(id: 0x4282, text: docType) + more)
    }

    static func segment(_ content: [UInt8], isUnsized: Bool = false) -> [UInt8] {
        isUnsized ? unknownSizeElement(id: 0x1853_8067, content: content) : element(id: 0x1853_8067, content: content)
    }

    /// Info, with a Duration in ticks if there is one.
    static func info(duration: Double? = nil, scale: Int = 1_000_000, more: [UInt8] = []) -> [UInt8] {
        element(
            id: 0x1549_A966,
            content: unsignedElement(id: 0x2AD7B1, value: scale)
                + (duration.map { doubleElement(id: 0x4489, value: $0) } ?? []) + more)
    }

    static func tracks(_ entries: [UInt8]...) -> [UInt8] { element(id: 0x1654_AE6B, content: entries.flatMap { $0 }) }

    static func track(
        _ codecID: String, number: Int = 1, type: Int = 2, setup: [UInt8] = [], rate: Double = 48_000,
        channels: Int = 1, bits: Int? = nil, more: [UInt8] = []
    ) -> [UInt8] {
        let audio =
            doubleElement(id: 0xB5, value: rate) + unsignedElement(id: 0x9F, value: channels)
            + (bits.map { unsignedElement(id: 0x6264, value: $0) } ?? [])
        return element(
            id: 0xAE,
            content: unsignedElement(id: 0xD7, value: number) + unsignedElement(id: 0x83, value: type)
                + stringElement(id: 0x86, text: codecID) + (setup.isEmpty ? [] : element(id: 0x63A2, content: setup))
                + (type == 2 ? element(id: 0xE1, content: audio) : []) + more)
    }

    /// An Opus track that discards `preSkip` samples at the beginning.
    static func opusTrack(_ number: Int = 1, preSkip: Int = 0, more: [UInt8] = []) -> [UInt8] {
        let delay = preSkip == 0 ? [] : unsignedElement(id: 0x56AA, value: preSkip * 62_500 / 3)
        return track("A_OPUS", number: number, setup: opusHead(preSkip: preSkip), more: delay + more)
    }

    static func opusHead(preSkip: Int = 0) -> [UInt8] {
        var builder = ByteBuilder()
        builder.append("OpusHead\u{1}\u{1}")
        builder.appendLittleEndian(preSkip, byteCount: 2)
        builder.appendLittleEndian(48_000, byteCount: 4)
        builder.appendZeros(count: 3)
        return builder.bytes
    }

    static func cluster(_ timestamp: Int, _ blocks: [[UInt8]], isUnsized: Bool = false) -> [UInt8] {
        let content = unsignedElement(id: 0xE7, value: timestamp) + blocks.flatMap { $0 }
        return isUnsized
            ? unknownSizeElement(id: 0x1F43_B675, content: content) : element(id: 0x1F43_B675, content: content)
    }

    /// How several frames share a block.
    enum Lacing: Int, CaseIterable { case none, xiph, fixed, ebml }

    static func simpleBlock(
        _ timestamp: Int, track: Int = 1, _ frames: [UInt8]..., lacing: Lacing = .none
    ) -> [UInt8] {
        element(id: 0xA3, content: block(timestamp: timestamp, track: track, frames: frames, lacing: lacing))
    }

    static func blockGroup(
        _ timestamp: Int, track: Int = 1, _ frames: [UInt8]..., duration: Int? = nil, discard: Int? = nil
    ) -> [UInt8] {
        element(
            id: 0xA0,
            content: element(
                id: 0xA1, content: block(timestamp: timestamp, track: track, frames: frames, lacing: .none))
                + (duration.map { unsignedElement(id: 0x9B, value: $0) } ?? [])
                + (discard.map { signedElement(id: 0x75A2, value: $0) } ?? []))
    }

    static func block(timestamp: Int, track: Int, frames: [[UInt8]], lacing: Lacing) -> [UInt8] {
        let head =
            variableLengthInteger(track, byteCount: 1) + bigEndianBytes(timestamp, count: 2) + [
                0x80 | UInt8(lacing.rawValue << 1)
            ]
        let sizes = frames.dropLast().map(\.count), count = UInt8(frames.count - 1)
        let data = frames.flatMap { $0 }
        switch lacing {
        case .none: return head + data
        case .fixed: return head + [count] + data
        case .xiph:
            return head + [count] + sizes.flatMap { [UInt8](repeating: 255, count: $0 / 255) + [UInt8($0 % 255)] }
                + data
        case .ebml:
            let differences = zip(sizes, sizes.dropFirst()).flatMap {
                variableLengthInteger($1 - $0 + 8191, byteCount: 2)
            }
            return head + [count] + variableLengthInteger(sizes.first ?? 0, byteCount: 2) + differences + data
        }
    }

    // MARK: Frames

    /// An Opus packet of 20 ms, as its first byte states.
    static let opus: [UInt8] = [0xFC, 1, 2, 3, 4, 5, 6, 7]

    /// `count` blocks of 20 ms of Opus, from `first` on.
    static func opusBlocks(_ count: Int, from first: Int = 0, track: Int = 1) -> [[UInt8]] {
        (0..<count).map { simpleBlock(first + 20 * $0, track: track, opus) }
    }

    /// A WebM file of 20 ms Opus packets in one Cluster.
    static func makeOpusFile(_ packets: Int, duration: Double? = nil, isUnsized: Bool = false) -> [UInt8] {
        ebmlHeader()
            + segment(
                info(duration: duration) + tracks(opusTrack()) + cluster(0, opusBlocks(packets), isUnsized: isUnsized),
                isUnsized: isUnsized)
    }

    /// The three Vorbis headers as CodecPrivate has them: mono, windows of 256 and 2048, mode 0 short and mode 1 long.
    static func vorbisCodecPrivate(rate: Int = 44_100, comments: [String] = []) -> [UInt8] {
        var identification = ByteBuilder([1])
        identification.append("vorbis")
        identification.appendLittleEndian(0, byteCount: 4)
        identification.appendLittleEndian(1, byteCount: 1)
        identification.appendLittleEndian(rate, byteCount: 4)
        identification.appendZeros(count: 12)
        identification.append([0xB8, 1])
        var list = ByteBuilder([3])
        list.append("vorbis")
        list.appendLittleEndian(0, byteCount: 4)
        list.appendLittleEndian(comments.count, byteCount: 4)
        for comment in comments {
            list.appendLittleEndian(comment.utf8.count, byteCount: 4)
            list.append(comment)
        }
        list.appendZeros(count: 300 - list.count)
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
        + bigEndianBytes(44_100 << 12 | 1 << 9 | 15 << 4, count: 4)
        + [UInt8](repeating: 0, count: 20)

    /// A FLAC frame of 4096 samples, with its header and no content.
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
        bigEndianBytes(4096, count: 4) + [0, 16, 40, 10, 14, 2, 0, 255] + bigEndianBytes(0, count: 8)
        + bigEndianBytes(44_100, count: 4)
}
