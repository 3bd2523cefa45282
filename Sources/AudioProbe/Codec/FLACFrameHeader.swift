/// The header of a FLAC frame, which its own checksum protects: RFC 9639, section 9.1.
struct FLACFrameHeader {
    /// Samples per channel in the frame.
    let blockSize: Int
    /// Whether `codedNumber` is a sample number. Otherwise it is a frame number, and all frames but the last have one
    /// size.
    let hasVariableBlockSize: Bool
    /// The number of the frame, or of its first sample, from 0.
    let codedNumber: Int
    /// Samples per second, in Hz, or `nil` if only the stream's header states it.
    let sampleRate: Int?
    let channels: Int
    /// Bits per sample, or `nil` if only the stream's header states it.
    let bitsPerSample: Int?
    /// Bytes of the header, including its checksum.
    let headerLength: Int

    /// The size of the longest header in bytes.
    static let maxHeaderLength = 16

    /// Returns whether a header may begin with the four bytes in `word`: the sync code, and no reserved values.
    static func canBegin(with word: Int) -> Bool {
        word >> 17 == 0xFFF8 >> 1 && word >> 12 & 15 != 0 && word >> 8 & 15 != 15
            && word >> 4 & 15 <= 10 && word >> 1 & 7 != 3 && word & 1 == 0
    }

    /// Parses a header. Returns `nil` if it is invalid or its checksum is wrong.
    ///
    /// - Parameter b: The bytes from the header on. At most 16 are used.
    init?(bytes b: [UInt8]) {
        guard b.count >= 6, Self.canBegin(with: b[..<4].reduce(0) { $0 << 8 | Int($1) }) else { return nil }
        hasVariableBlockSize = b[1] & 1 == 1
        var position = 4
        guard let number = Self.readCodedNumber(from: b, position: &position) else { return nil }
        self.codedNumber = number

        func readInteger(byteCount count: Int) -> Int? {
            guard position + count <= b.count else { return nil }
            defer { position += count }
            return b[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
        }
        let size: Int?
        switch b[2] >> 4 {
        case 0: size = nil
        case 1: size = 192
        case 6: size = readInteger(byteCount: 1).map { $0 + 1 }
        case 7: size = readInteger(byteCount: 2).map { $0 + 1 }
        case let code where code < 6: size = 576 << (Int(code) - 2)
        case let code: size = 256 << (Int(code) - 8)
        }
        guard let size else { return nil }
        blockSize = size
        switch b[2] & 15 {
        case 0: sampleRate = nil
        case 12: sampleRate = readInteger(byteCount: 1).map { $0 * 1000 }
        case 13: sampleRate = readInteger(byteCount: 2)
        case 14: sampleRate = readInteger(byteCount: 2).map { $0 * 10 }
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

    /// Reads a number of up to 36 bits in the original, longer form of UTF-8.
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
