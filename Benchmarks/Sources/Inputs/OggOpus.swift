/// Opus in Ogg with 50 packets per page, as recorders write it (RFC 3533, section 6).
struct OggOpus {
    private var bytes: [UInt8] = []
    private var pages = 0

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { sum, _ in sum >> 31 == 1 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }

    static func file(seconds: Int) -> [UInt8] {
        var ogg = OggOpus(), random = SplitMix64(seed: 4)
        ogg.add([OpusPackets.head], until: 0, flags: 2)
        ogg.add([Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8)], until: 0)
        for second in 1...seconds {
            let packets = (0..<50).map { _ in OpusPackets.packet(&random) }
            ogg.add(packets, until: 48_000 * second, flags: second == seconds ? 4 : 0)
        }
        return ogg.bytes
    }

    /// Adds a page of packets, each shorter than 255 bytes.
    private mutating func add(_ packets: [[UInt8]], until granule: Int, flags: UInt8 = 0) {
        var page = Array("OggS\0".utf8) + [flags]
        page.appendLittleEndian(granule, bytes: 8)
        page.appendLittleEndian(7, bytes: 4)
        page.appendLittleEndian(pages, bytes: 4)
        page.appendLittleEndian(0, bytes: 4)
        page += [UInt8(packets.count)] + packets.map { UInt8($0.count) }
        for packet in packets { page += packet }
        let checksum = page.reduce(UInt32(0)) { $0 << 8 ^ Self.table[Int($0 >> 24 ^ UInt32($1))] }
        for index in 0..<4 { page[22 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
        bytes += page
        pages += 1
    }
}
