/// Numbers in a row, read from the file a little at a time, and never more of them than there are.
struct TableCursor {
    private let width: Int
    private var offset: Int
    private let end: Int
    private var buffer: [UInt8] = []
    private var position = 0

    /// How much is read at a time: small files have no more than the first, and large ones are read in few parts.
    private static let (firstPart, part) = (1 << 10, 16 << 10)

    /// `count` numbers of `width` bytes each from `offset` on, or as many as are before `end`.
    init(at offset: Int, before end: Int, count: Int, width: Int) {
        self.width = width
        self.offset = offset
        self.end = offset + min(count, max(0, end - offset) / width) * width
    }

    /// The entries of a full box that counts them, each of so many fields; and whether it claims more than it holds.
    static func entries(
        of box: Box?, fields: Int, width: Int = 4, in window: inout ByteWindow
    ) throws(AudioError) -> (TableCursor, isShort: Bool) {
        guard let box, let count = try box.uint32(at: 4, in: &window) else {
            return (TableCursor(at: 0, before: 0, count: 0, width: width), false)
        }
        let start = box.content.lowerBound + 8
        let held = (box.content.upperBound - start) / (fields * width)
        let cursor = TableCursor(
            at: start, before: box.content.upperBound, count: min(count, held) * fields, width: width)
        return (cursor, count > held)
    }

    /// The next number, its highest byte first; nil at the end. What exceeds an `Int` is its maximum.
    @inline(__always)
    mutating func next(in window: inout ByteWindow) throws(AudioError) -> Int? {
        if position == buffer.count, try !fill(&window) { return nil }
        var value: UInt64 = 0
        for i in position..<position + width { value = value << 8 | UInt64(buffer[i]) }
        position += width
        return Int(clamping: value)
    }

    @inline(never)
    private mutating func fill(_ window: inout ByteWindow) throws(AudioError) -> Bool {
        let length = min(buffer.isEmpty ? Self.firstPart : Self.part, end - offset)
        guard length > 0, let bytes = try window.bytes(at: offset, count: length) else { return false }
        (buffer, position) = (bytes, 0)
        offset += length
        return true
    }
}
