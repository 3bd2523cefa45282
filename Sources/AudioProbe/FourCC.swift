// `unsafe`: a literal's own bytes. Through `String` names cost a fifth of the time that a small MP4 takes.

/// Four characters that name a box, a chunk or a codec.
struct FourCC: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    let code: UInt32

    init(code: UInt32) { self.code = code }

    /// Characters up to U+00FF, a byte each, as MP4 writes `©xyz`.
    @inline(__always)
    init(stringLiteral text: StaticString) {
        code = text.withUTF8Buffer { bytes in
            if bytes.count == 4 {
                return unsafe UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8 | UInt32(bytes[3])
            }
            return unsafe String(decoding: bytes, as: UTF8.self).unicodeScalars.reduce(0) { $0 << 8 | $1.value & 0xFF }
        }
    }

    /// Its characters, a byte each.
    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) } }
    /// Whether they are of ASCII, and can be printed.
    var isPrintable: Bool { bytes.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// What can't be printed as hexadecimal digits.
    var description: String {
        isPrintable ? String(decoding: bytes, as: UTF8.self) : "0x" + String(code, radix: 16)
    }
}
