/// Reads bits of a byte sequence, the most significant bit of each byte first. Reads beyond the end return `nil`.
struct BitReader {
    private let bytes: ArraySlice<UInt8>
    /// The number of bits that were read.
    private(set) var bitPosition = 0

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var remainingBitCount: Int { bytes.count * 8 - bitPosition }

    /// Returns the next `count` bits, 0 to 32, as an unsigned integer.
    mutating func readBits(_ count: Int) -> Int? {
        guard count <= remainingBitCount else { return nil }
        let end = bitPosition + count
        var value = 0
        while bitPosition < end {
            let first = bitPosition & 7, taken = min(8 - first, end - bitPosition)
            let byte = Int(bytes[bytes.startIndex + bitPosition >> 3])
            value = value << taken | byte >> (8 - first - taken) & (1 << taken - 1)
            bitPosition += taken
        }
        return value
    }

    /// Returns the number of zero bits before the next one bit, and consumes that bit too.
    ///
    /// - Returns: `nil` if there is no one bit.
    /// - Complexity: One step for each byte.
    mutating func readZeroBitCount() -> Int? {
        let start = bitPosition
        while remainingBitCount > 0 {
            let rest = bytes[bytes.startIndex + bitPosition >> 3] << UInt8(bitPosition & 7)
            if rest != 0 {
                bitPosition += rest.leadingZeroBitCount + 1
                return bitPosition - start - 1
            }
            bitPosition = (bitPosition | 7) + 1
        }
        return nil
    }

    /// Skips `count` bits. Returns `false` if fewer remain or `count` is negative.
    mutating func skipBits(_ count: Int) -> Bool {
        guard count >= 0, count <= remainingBitCount else { return false }
        bitPosition += count
        return true
    }
}

extension Collection<UInt8> where Index == Int {
    /// Returns the little-endian integer of `byteCount` bytes at `offset` from the first byte.
    ///
    /// - Precondition: The bytes exist, and `byteCount` is at most 7.
    func littleEndianInteger(at offset: Int, byteCount: Int) -> Int {
        (0..<byteCount).reduce(0) { $0 | Int(self[startIndex + offset + $1]) << (8 * $1) }
    }
}
