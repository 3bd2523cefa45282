/// A cursor over bytes. Reading beyond `endPosition` returns `nil`.
struct ByteReader {
    enum ByteOrder { case bigEndian, littleEndian }

    let bytes: [UInt8]
    let endPosition: Int
    var position: Int
    var byteOrder = ByteOrder.bigEndian

    /// Creates a reader of `range`, clamped to `bytes`.
    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = min(range.lowerBound, bytes.count)
        endPosition = min(range.upperBound, bytes.count)
    }

    init(_ bytes: [UInt8]) { self.init(bytes, in: 0..<bytes.count) }

    var remainingByteCount: Int { endPosition - position }

    mutating func readInteger(byteCount count: Int) -> Int? {
        guard count <= remainingByteCount else { return nil }
        defer { position += count }
        return (0..<count).reduce(0) { value, i in
            let byte = Int(bytes[position + i])
            return byteOrder == .bigEndian ? value << 8 | byte : value | byte << (8 * i)
        }
    }

    mutating func readUInt8() -> Int? { readInteger(byteCount: 1) }
    mutating func readUInt16() -> Int? { readInteger(byteCount: 2) }
    mutating func readUInt32() -> Int? { readInteger(byteCount: 4) }

    /// Moves to `offset` from the start of `bytes`. Returns `false` if it is outside.
    mutating func seek(to offset: Int) -> Bool {
        guard offset >= 0, offset <= endPosition else { return false }
        position = offset
        return true
    }

    /// Whether the bytes at the current position begin with `text`, which is ASCII.
    func hasASCIIPrefix(_ text: String) -> Bool {
        text.utf8.count <= remainingByteCount && bytes[position...].starts(with: text.utf8)
    }
}
