internal import MediaContainers

/// Reads a table of integers from a file in small pieces, up to the end of the table.
struct IntegerTableCursor {
    private let integerWidth: Int
    private var nextReadOffset: Int
    private let endOffset: Int
    private var buffer: [UInt8] = []
    private var bufferPosition = 0

    /// The sizes of reads in bytes. The tables of small files fit into the first, and large tables need few reads.
    private static let (initialReadSize, subsequentReadSize) = (1 << 10, 16 << 10)

    /// Creates a cursor over `count` integers from `offset` on, or as many as precede `endOffset`.
    ///
    /// - Parameters:
    ///   - offset: The offset of the first integer.
    ///   - end: The offset at which the table must end.
    ///   - count: The number of integers.
    ///   - integerWidth: Bytes of an integer.
    init(offset: Int, endOffset end: Int, count: Int, integerWidth: Int) {
        self.integerWidth = integerWidth
        self.nextReadOffset = offset
        self.endOffset = offset + min(count, max(0, end - offset) / integerWidth) * integerWidth
    }

    /// Creates a cursor over the entries of a full box that states their number.
    ///
    /// - Returns: The cursor, and whether the box states more entries than it contains.
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

    /// Returns the next big-endian integer, clamped to `Int.max`, or `nil` at the end.
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
