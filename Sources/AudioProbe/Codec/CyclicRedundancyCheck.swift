/// A cyclic redundancy check with the initial value 0 and the most significant bit of each byte first.
///
/// FLAC uses 16 bits and Ogg uses 32. Eight bytes are processed per step, with one table for each: five times as fast
/// as one byte per step.
struct CyclicRedundancyCheck<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    /// For each of 8 positions and each byte value, the remainder of that byte after the bytes that follow it in the
    /// step.
    private let lookupTables: [Word]

    /// Creates the tables of a polynomial.
    ///
    /// - Parameter polynomial: The polynomial without its highest term.
    init(polynomial: Word) {
        var tables = [Word](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            tables[byte] = (0..<8).reduce(Word(byte) << Word(Word.bitWidth - 8)) { crc, _ in
                crc.leadingZeroBitCount == 0 ? crc << 1 ^ polynomial : crc << 1
            }
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before << 8 ^ tables[Int(before >> Word(Word.bitWidth - 8))]
        }
        self.lookupTables = tables
    }

    /// Returns the checksum of `bytes`, continuing from the checksum of the preceding bytes.
    func checksum(continuing checksum: Word = 0, of bytes: [UInt8]) -> Word {
        var crc = checksum, position = 0
        while position + 8 <= bytes.count {
            var next: Word = 0
            for place in 0..<8 {
                let shift = Word.bitWidth - 8 - 8 * place
                let byte =
                    shift >= 0
                    ? bytes[position + place] ^ UInt8(truncatingIfNeeded: crc >> Word(shift))
                    : bytes[position + place]
                next ^= lookupTables[(7 - place) << 8 | Int(byte)]
            }
            crc = next
            position += 8
        }
        for byte in bytes[position...] {
            crc = crc << 8 ^ lookupTables[Int(UInt8(truncatingIfNeeded: crc >> Word(Word.bitWidth - 8)) ^ byte)]
        }
        return crc
    }

    /// Returns the checksum of a range of the file, which is read in pieces of 16 KiB.
    ///
    /// If the file ends before `range` does, the bytes up to the end are used.
    func checksum(continuing checksum: Word = 0, of range: Range<Int>, in reader: inout BufferedFileReader)
        throws(AudioError) -> Word
    {
        var crc = checksum, position = range.lowerBound
        while position < range.upperBound,
            let bytes = try reader.bytes(at: position, count: min(16 << 10, range.upperBound - position))
        {
            crc = self.checksum(continuing: crc, of: bytes)
            position += bytes.count
        }
        return crc
    }
}
