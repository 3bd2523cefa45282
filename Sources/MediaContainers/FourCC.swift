// `unsafe`: the bytes of literals. Comparing names as `String` takes a fifth of the time for a small MP4.

/// A four-character code that identifies a box, a chunk or a codec.
///
/// It is public because the compiler does not inline `package` initializers in other modules. Each literal would then
/// be a call.
public struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The characters, the first in the highest byte.
    public let code: UInt32

    /// Creates a code from its characters, the first in the highest byte.
    @inlinable
    public init(code: UInt32) { self.code = code }

    /// Creates a code from four characters up to U+00FF, each one byte, as in MP4's `©xyz`.
    @inlinable @inline(__always)
    public init(stringLiteral text: StaticString) {
        code = text.withUTF8Buffer { bytes in
            if bytes.count == 4 {
                return unsafe UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8 | UInt32(bytes[3])
            }
            return unsafe String(decoding: bytes, as: UTF8.self).unicodeScalars.reduce(0) { $0 << 8 | $1.value & 0xFF }
        }
    }

    /// The four characters as bytes.
    public var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) } }
    /// Whether all characters are printable ASCII.
    public var isPrintable: Bool { bytes.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// The four characters, or hexadecimal digits if they are not printable.
    public var description: String {
        isPrintable ? String(decoding: bytes, as: UTF8.self) : "0x" + String(code, radix: 16)
    }
}
