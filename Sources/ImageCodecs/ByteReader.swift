/// A place in some bytes, and reading from there on. Nothing is read beyond `end`: what isn't there is nil.
struct ByteReader {
    enum ByteOrder { case bigEndian, littleEndian }

    let bytes: [UInt8]
    let end: Int
    var position: Int
    var order = ByteOrder.bigEndian

    /// Reads `range` of `bytes`, as far as it is there.
    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = min(range.lowerBound, bytes.count)
        end = min(range.upperBound, bytes.count)
    }

    init(_ bytes: [UInt8]) { self.init(bytes, in: 0..<bytes.count) }

    var remaining: Int { end - position }

    mutating func integer(bytes count: Int) -> Int? {
        guard count <= remaining else { return nil }
        defer { position += count }
        return (0..<count).reduce(0) { value, i in
            let byte = Int(bytes[position + i])
            return order == .bigEndian ? value << 8 | byte : value | byte << (8 * i)
        }
    }

    mutating func uint8() -> Int? { integer(bytes: 1) }
    mutating func uint16() -> Int? { integer(bytes: 2) }
    mutating func uint32() -> Int? { integer(bytes: 4) }

    /// Moves to `offset`, counted from the start of the bytes; false if that lies outside.
    mutating func seek(to offset: Int) -> Bool {
        guard offset >= 0, offset <= end else { return false }
        position = offset
        return true
    }

    /// Whether the bytes here are those of `text`, which is ASCII.
    func starts(with text: String) -> Bool {
        text.utf8.count <= remaining && bytes[position...].starts(with: text.utf8)
    }
}
