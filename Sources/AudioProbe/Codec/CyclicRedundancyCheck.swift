/// A cyclic redundancy check that starts at 0 and takes the highest bit of each byte first: FLAC's of 16 bits, Ogg's of
/// 32.
///
/// Eight bytes are taken at once, with a table for each: five times as fast as one by one.
struct CyclicRedundancyCheck<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    /// For each of 8 places and each byte, what that byte leaves behind once all behind it are taken.
    private let lookupTables: [Word]

    /// - Parameter polynomial: its terms below the highest.
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

    /// The checksum of what `checksum` is the checksum of, and `bytes` behind it.
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

    /// The same for the bytes of `range`, read a piece at a time.
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
