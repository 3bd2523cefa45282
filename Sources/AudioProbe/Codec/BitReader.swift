/// Bits of some bytes, the highest of each byte first. What isn't there is nil.
struct BitReader {
    private let bytes: ArraySlice<UInt8>
    /// Bits read so far.
    private(set) var position = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var remaining: Int { bytes.count * 8 - position }

    /// The next `count` bits, 0 to 32, as a number.
    mutating func bits(_ count: Int) -> Int? {
        guard count <= remaining else { return nil }
        defer { position += count }
        return (position..<position + count).reduce(0) { value, bit in
            value << 1 | Int(bytes[bytes.startIndex + bit >> 3] >> (7 - UInt8(bit & 7)) & 1)
        }
    }

    /// Steps over `count` bits; false if there are fewer, or the count is negative.
    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, count <= remaining else { return false }
        position += count
        return true
    }
}

extension Collection<UInt8> where Index == Int {
    /// The `count` bytes at `offset`, counted from the first, as a number whose lowest byte comes first.
    ///
    /// - Precondition: they are there, and are 7 at most.
    func littleEndian(at offset: Int, count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(self[startIndex + offset + $1]) << (8 * $1) }
    }
}
