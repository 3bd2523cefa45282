/// Numbers in a row, read from the file a little at a time, and never more of them than there are.
struct IntegerTableCursor {
    private let integerWidth: Int
    private var nextReadOffset: Int
    private let endOffset: Int
    private var buffer: [UInt8] = []
    private var bufferPosition = 0

    /// How much is read at a time: small files have no more than the first, and large ones are read in few parts.
    private static let (initialReadSize, subsequentReadSize) = (1 << 10, 16 << 10)

    /// `count` numbers of `integerWidth` bytes each from `nextReadOffset` on, or as many as are before `endOffset`.
    init(offset: Int, endOffset end: Int, count: Int, integerWidth: Int) {
        self.integerWidth = integerWidth
        self.nextReadOffset = offset
        self.endOffset = offset + min(count, max(0, end - offset) / integerWidth) * integerWidth
    }

    /// The entries of a full box that counts them, each of so many fields; and whether it claims more than it holds.
    static func makeCursor(
        box: ISOBox?, fieldsPerEntry: Int, integerWidth: Int = 4, in reader: inout BufferedFileReader
    ) throws(AudioError) -> (IntegerTableCursor, isShort: Bool) {
        guard let box, let count = try box.uint32(at: 4, in: &reader) else {
            return (IntegerTableCursor(offset: 0, endOffset: 0, count: 0, integerWidth: integerWidth), false)
        }
        let start = box.contentRange.lowerBound + 8
        let storedCount = (box.contentRange.upperBound - start) / (fieldsPerEntry * integerWidth)
        let cursor = IntegerTableCursor(
            offset: start, endOffset: box.contentRange.upperBound, count: min(count, storedCount) * fieldsPerEntry,
            integerWidth: integerWidth)
        return (cursor, count > storedCount)
    }

    /// The next number, its highest byte first; nil at the end. What exceeds an `Int` is its maximum.
    @inline(__always)
    mutating func nextInteger(in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        if bufferPosition == buffer.count, try !refillBuffer(in: &reader) { return nil }
        var value: UInt64 = 0
        for i in bufferPosition..<bufferPosition + integerWidth { value = value << 8 | UInt64(buffer[i]) }
        bufferPosition += integerWidth
        return Int(clamping: value)
    }

    @inline(never)
    private mutating func refillBuffer(in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        let length = min(buffer.isEmpty ? Self.initialReadSize : Self.subsequentReadSize, endOffset - nextReadOffset)
        guard length > 0, let bytes = try reader.bytes(at: nextReadOffset, count: length) else { return false }
        (buffer, bufferPosition) = (bytes, 0)
        nextReadOffset += length
        return true
    }
}
