/// Builds the pages of one logical stream of Ogg.
struct OggBuilder {
    var serial: Int
    private(set) var bytes: [UInt8] = []
    /// Where each page ends.
    private(set) var ends: [Int] = []
    private var sequence = 0

    init(serial: Int = 7) { self.serial = serial }

    /// Appends a page with `packets`.
    ///
    /// - Parameters:
    ///   - isOpen: whether the last packet, with a length that is a multiple of 255, continues in the next page.
    ///   - isRest: whether the first packet continues one of the previous page.
    mutating func appendPage(
        _ packets: [[UInt8]], granule: Int = 0, isFirst: Bool = false, isLast: Bool = false, isOpen: Bool = false,
        isRest: Bool = false
    ) {
        var lacing = packets.flatMap { packet in
            [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        }
        if isOpen { lacing.removeLast() }
        var page = ByteBuilder(Array("OggS\0".utf8))
        page.append([(isRest ? 1 : 0) | (isFirst ? 2 : 0) | (isLast ? 4 : 0)])
        page.appendLittleEndian(granule, byteCount: 8)
        page.appendLittleEndian(serial, byteCount: 4)
        page.appendLittleEndian(sequence, byteCount: 4)
        page.appendZeros(count: 4)
        page.append([UInt8(lacing.count)] + lacing)
        for packet in packets { page.append(packet) }
        bytes += Self.withChecksum(page: page.bytes)
        ends.append(bytes.count)
        sequence += 1
    }

    /// Skips a page: its number is used, and its bytes are lost.
    mutating func skipSequenceNumber() { sequence += 1 }

    /// Returns the page with its correct checksum.
    static func withChecksum(page: [UInt8]) -> [UInt8] {
        var page = page
        page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        let crc = FLACBuilder.crc(of: page, polynomial: 0x04C1_1DB7, bits: 32)
        for index in 0..<4 { page[22 + index] = UInt8(truncatingIfNeeded: crc >> (8 * index)) }
        return page
    }
}

/// Packets of the codecs that Ogg carries.
enum OggPackets {
    static func opusHead(preSkip: Int = 312, channels: Int = 1) -> [UInt8] {
        var packet = ByteBuilder(Array("OpusHead".utf8))
        packet.append([1, UInt8(channels)])
        packet.appendLittleEndian(preSkip, byteCount: 2)
        packet.appendLittleEndian(44_100, byteCount: 4)
        packet.appendZeros(count: 3)
        return packet.bytes
    }

    static func opusTags(_ entries: [String] = []) -> [UInt8] {
        Array("OpusTags".utf8) + FLACBuilder.vorbisCommentBlock(entries: entries)
    }

    /// 20 ms, 960 samples.
    static let opus: [UInt8] = [0xF8, 1, 2, 3]

    static func vorbisIdentification(rate: Int = 44_100) -> [UInt8] {
        var packet = ByteBuilder([1] + "vorbis".utf8)
        packet.appendZeros(count: 4)
        packet.append([2])
        packet.appendLittleEndian(rate, byteCount: 4)
        packet.appendZeros(count: 12)
        // Windows of 2^8 and 2^11 samples.
        packet.append([0xB8, 1])
        return packet.bytes
    }

    static func vorbisComment(_ entries: [String] = []) -> [UInt8] {
        [3] + "vorbis".utf8 + FLACBuilder.vorbisCommentBlock(entries: entries) + [1]
    }

    /// A setup header with `books` bytes of codebooks and two modes, with the short and the long window.
    static func vorbisSetup(books: Int = 50) -> [UInt8] {
        var bits: [Int] = []
        func put(_ value: Int, _ count: Int) { bits += (0..<count).map { value >> $0 & 1 } }
        put(1, 6)
        for isLong in 0...1 {
            put(isLong, 1)
            put(0, 32)
            put(0, 8)
        }
        put(1, 1)
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) { $0 | UInt8($1.element << $1.offset) }
        }
        return [5] + "vorbis".utf8 + [UInt8](repeating: 0xFF, count: books) + bytes
    }

    static func vorbisAudio(isLongWindow: Bool) -> [UInt8] { [isLongWindow ? 2 : 0, 0x55, 0x55] }

    static func speexHeader(framesPerPacket: Int = 2, extra: Int = 0) -> [UInt8] {
        var packet = ByteBuilder(Array("Speex   1.2".utf8))
        packet.appendZeros(count: 17)
        for value in [1, 80, 16_000, 1, 4, 1, -1, 320, 0, framesPerPacket, extra, 0, 0] {
            packet.appendLittleEndian(value, byteCount: 4)
        }
        return packet.bytes
    }

    static func flacMappingHeader(_ builder: FLACBuilder) -> [UInt8] {
        [0x7F] + "FLAC".utf8 + [1, 0, 0, 1] + "fLaC".utf8 + [0, 0, 0, 34] + builder.streamInfo
    }
}

extension OggBuilder {
    /// Opus from `start` on: `pages` with 10 packets or 9,600 samples each, the last of which discards `trim` samples.
    static func makeOpusStream(
        pages: Int, start: Int = 0, trim: Int = 0, serial: Int = 7, isEnded: Bool = true, tags: [String] = []
    ) -> OggBuilder {
        var ogg = OggBuilder(serial: serial)
        ogg.appendPage([OggPackets.opusHead()], isFirst: true)
        ogg.appendPage([OggPackets.opusTags(tags)], isLast: pages == 0 && isEnded)
        for page in 0..<pages {
            let isLast = page == pages - 1
            ogg.appendPage(
                Array(repeating: OggPackets.opus, count: 10), granule: start + 9600 * (page + 1) - (isLast ? trim : 0),
                isLast: isLast && isEnded)
        }
        return ogg
    }

    /// Vorbis: 10 packets with long windows on each page, with 1,024 samples each, except the first, which has none.
    static func makeVorbisStream(pages: Int, start: Int = 0, trim: Int = 0, rate: Int = 44_100, serial: Int = 9)
        -> OggBuilder
    {
        var ogg = OggBuilder(serial: serial)
        ogg.appendPage([OggPackets.vorbisIdentification(rate: rate)], isFirst: true)
        ogg.appendPage([OggPackets.vorbisComment(), OggPackets.vorbisSetup()])
        for page in 0..<pages {
            let isLast = page == pages - 1
            ogg.appendPage(
                Array(repeating: OggPackets.vorbisAudio(isLongWindow: true), count: 10),
                granule: start + 10_240 * (page + 1) - 1024 - (isLast ? trim : 0), isLast: isLast)
        }
        return ogg
    }
}
