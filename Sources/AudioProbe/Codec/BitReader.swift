/// Bits of some bytes, the highest of each byte first. What isn't there is nil.
struct BitReader {
    private let bytes: ArraySlice<UInt8>
    /// Bits read so far.
    private(set) var bitPosition = 0

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var remainingBitCount: Int { bytes.count * 8 - bitPosition }

    /// The next `count` bits, 0 to 32, as a number.
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

    /// Zeros up to the next one, which is taken too; nil if there is none. A byte of zeros is one step.
    mutating func zeros() -> Int? {
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

    /// Steps over `count` bits; false if there are fewer, or the count is negative.
    mutating func skipBits(_ count: Int) -> Bool {
        guard count >= 0, count <= remainingBitCount else { return false }
        bitPosition += count
        return true
    }
}

extension Collection<UInt8> where Index == Int {
    /// The `byteCount` bytes at `offset`, counted from the first, as a number whose lowest byte comes first.
    ///
    /// - Precondition: they are there, and are 7 at most.
    func littleEndianInteger(at offset: Int, byteCount: Int) -> Int {
        (0..<byteCount).reduce(0) { $0 | Int(self[startIndex + offset + $1]) << (8 * $1) }
    }
}
