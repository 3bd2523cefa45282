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
        let end = position + count
        var value = 0
        while position < end {
            let first = position & 7, taken = min(8 - first, end - position)
            let byte = Int(bytes[bytes.startIndex + position >> 3])
            value = value << taken | byte >> (8 - first - taken) & (1 << taken - 1)
            position += taken
        }
        return value
    }

    /// Zeros up to the next one, which is taken too; nil if there is none. A byte of zeros is one step.
    mutating func zeros() -> Int? {
        let start = position
        while remaining > 0 {
            let rest = bytes[bytes.startIndex + position >> 3] << UInt8(position & 7)
            if rest != 0 {
                position += rest.leadingZeroBitCount + 1
                return position - start - 1
            }
            position = (position | 7) + 1
        }
        return nil
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
