/// The head of a FLAC frame, guarded by a checksum: RFC 9639, 9.1.
struct FLACFrameHeader {
    /// Samples of each channel in the frame.
    let blockSize: Int
    /// Whether `readCodedNumber` counts samples; otherwise it counts frames, all of one size but the last.
    let hasVariableBlockSize: Bool
    /// Which frame, or which sample, it begins with.
    let codedNumber: Int
    /// Nil if the stream's header says it.
    let sampleRate: Int?
    let channels: Int
    /// Nil if the stream's header says it.
    let bitsPerSample: Int?
    /// Bytes of the header, checksum included.
    let headerLength: Int

    /// The longest header.
    static let maxHeaderLength = 16

    /// Whether the first four bytes of a header may be `word`: the synchronisation and no reserved code.
    static func canBegin(with word: Int) -> Bool {
        word >> 17 == 0xFFF8 >> 1 && word >> 12 & 15 != 0 && word >> 8 & 15 != 15
            && word >> 4 & 15 <= 10 && word >> 1 & 7 != 3 && word & 1 == 0
    }

    /// - Parameter b: as many bytes as are there, of which at most 16 are looked at.
    init?(bytes b: [UInt8]) {
        guard b.count >= 6, Self.canBegin(with: b[..<4].reduce(0) { $0 << 8 | Int($1) }) else { return nil }
        hasVariableBlockSize = b[1] & 1 == 1
        var position = 4
        guard let number = Self.readCodedNumber(from: b, position: &position) else { return nil }
        self.codedNumber = number

        func integer(_ count: Int) -> Int? {
            guard position + count <= b.count else { return nil }
            defer { position += count }
            return b[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
        }
        let size: Int?
        switch b[2] >> 4 {
        case 0: size = nil
        case 1: size = 192
        case 6: size = integer(1).map { $0 + 1 }
        case 7: size = integer(2).map { $0 + 1 }
        case let code where code < 6: size = 576 << (Int(code) - 2)
        case let code: size = 256 << (Int(code) - 8)
        }
        guard let size else { return nil }
        blockSize = size
        switch b[2] & 15 {
        case 0: sampleRate = nil
        case 12: sampleRate = integer(1).map { $0 * 1000 }
        case 13: sampleRate = integer(2)
        case 14: sampleRate = integer(2).map { $0 * 10 }
        case let code:
            sampleRate =
                [88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000][Int(code) - 1]
        }
        guard sampleRate != 0 else { return nil }
        channels = b[3] >> 4 < 8 ? Int(b[3] >> 4) + 1 : 2
        bitsPerSample = [nil, 8, 12, nil, 16, 20, 24, 32][Int(b[3] >> 1 & 7)]
        guard position < b.count, Self.crc8(of: b[..<position]) == b[position] else { return nil }
        headerLength = position + 1
    }

    /// A number of up to 36 bits, written as UTF-8 once was.
    private static func readCodedNumber(from b: [UInt8], position: inout Int) -> Int? {
        let first = b[position]
        let ones = (~first).leadingZeroBitCount
        position += 1
        if ones == 0 { return Int(first) }
        guard (2...7).contains(ones), position + ones - 1 <= b.count else { return nil }
        var value = ones == 7 ? 0 : Int(first & (0x7F >> UInt8(ones)))
        for _ in 1..<ones {
            guard b[position] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | Int(b[position] & 0x3F)
            position += 1
        }
        return value
    }

    /// CRC-8 with the polynomial x^8 + x^2 + x + 1.
    private static func crc8(of bytes: ArraySlice<UInt8>) -> UInt8 { bytes.reduce(0) { remainders[Int($0 ^ $1)] } }

    private static let remainders: [UInt8] = (0..<256).map { byte in
        (0..<8).reduce(UInt8(byte)) { (crc: UInt8, _) -> UInt8 in crc & 0x80 != 0 ? crc << 1 ^ 0x07 : crc << 1 }
    }
}
