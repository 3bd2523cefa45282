// `unsafe`: the bytes of literals. Comparing names as `String` takes a fifth of the time for a small MP4.

/// A four-character code that identifies a box, a chunk or a codec.
struct FourCC: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    let code: UInt32

    init(code: UInt32) { self.code = code }

    /// Creates a code from four characters up to U+00FF, each one byte, as in MP4's `©xyz`.
    @inline(__always)
    init(stringLiteral text: StaticString) {
        code = text.withUTF8Buffer { bytes in
            if bytes.count == 4 {
                return unsafe UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8 | UInt32(bytes[3])
            }
            return unsafe String(decoding: bytes, as: UTF8.self).unicodeScalars.reduce(0) { $0 << 8 | $1.value & 0xFF }
        }
    }

    /// The four characters as bytes.
    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) } }
    /// Whether all characters are printable ASCII.
    var isPrintable: Bool { bytes.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// The four characters, or hexadecimal digits if they are not printable.
    var description: String {
        isPrintable ? String(decoding: bytes, as: UTF8.self) : "0x" + String(code, radix: 16)
    }
}
