/// A place in some bytes, and reading from there on. Nothing is read beyond `endPosition`: what isn't there is nil.
struct ByteReader {
    enum ByteOrder { case bigEndian, littleEndian }

    let bytes: [UInt8]
    let endPosition: Int
    var position: Int
    var byteOrder = ByteOrder.bigEndian

    /// Reads `range` of `bytes`, as far as it is there.
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

    /// Moves to `offset`, counted from the start of the bytes; false if that lies outside.
    mutating func seek(to offset: Int) -> Bool {
        guard offset >= 0, offset <= endPosition else { return false }
        position = offset
        return true
    }

    /// Whether the bytes here are those of `text`, which is ASCII.
    func hasASCIIPrefix(_ text: String) -> Bool {
        text.utf8.count <= remainingByteCount && bytes[position...].starts(with: text.utf8)
    }
}
