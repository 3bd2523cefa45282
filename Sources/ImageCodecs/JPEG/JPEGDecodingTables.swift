/// The quantization and Huffman tables of a JPEG, updated by one segment after another.
///
/// Source: ITU-T T.81, B.2.4.
struct JPEGDecodingTables {
    struct HuffmanTable {
        /// The number of codes of each length, from 1 to 16 bits.
        var codeCounts: [UInt8]
        var symbols: [UInt8]
    }

    /// The quantization tables in zigzag order, by table number.
    private(set) var quantizationTables: [Int: [UInt16]] = [:]
    /// The Huffman tables for DC coefficients, by table number.
    private(set) var dcTables: [Int: HuffmanTable] = [:]
    /// The Huffman tables for AC coefficients, by table number.
    private(set) var acTables: [Int: HuffmanTable] = [:]
    /// The number of MCUs between restart markers; 0 for none.
    private(set) var restartInterval = 0

    /// Reads the tables in a segment; segments of other kinds are ignored. Returns `false` if a table is invalid.
    mutating func readTables(in segment: JPEGStructure.MarkerSegment, of bytes: [UInt8]) -> Bool {
        var reader = ByteReader(bytes, in: segment.payloadRange)
        switch segment.marker {
        case JPEGMarker.quantizationTables:
            while reader.remainingByteCount > 0 { guard readQuantizationTable(from: &reader) else { return false } }
        case JPEGMarker.huffmanTables:
            // An invalid length below 2 also gives an empty segment. libjpeg rejects it, so one table must be read.
            repeat { guard readHuffmanTable(from: &reader) else { return false } } while reader.remainingByteCount > 0
        case JPEGMarker.restartInterval:
            guard let interval = reader.readUInt16(), reader.remainingByteCount == 0 else { return false }
            restartInterval = interval
        default: break
        }
        return true
    }

    private mutating func readQuantizationTable(from reader: inout ByteReader) -> Bool {
        guard let precisionAndIndex = reader.readUInt8(), precisionAndIndex >> 4 <= 1, precisionAndIndex & 15 < 4 else {
            return false
        }
        var table: [UInt16] = []
        for _ in 0..<64 {
            guard let value = precisionAndIndex >> 4 == 0 ? reader.readUInt8() : reader.readUInt16() else {
                return false
            }
            table.append(UInt16(value))
        }
        quantizationTables[precisionAndIndex & 15] = table
        return true
    }

    private mutating func readHuffmanTable(from reader: inout ByteReader) -> Bool {
        guard let classAndIndex = reader.readUInt8(), classAndIndex >> 4 <= 1, classAndIndex & 15 < 4,
            let counts = reader.readBytes(count: 16)
        else {
            return false
        }
        let total = counts.reduce(0) { $0 + Int($1) }
        guard total <= 256, let symbols = reader.readBytes(count: total) else { return false }
        let table = HuffmanTable(codeCounts: counts, symbols: symbols)
        if classAndIndex >> 4 == 0 {
            dcTables[classAndIndex & 15] = table
        } else {
            acTables[classAndIndex & 15] = table
        }
        return true
    }
}

extension ByteReader {
    fileprivate mutating func readBytes(count: Int) -> [UInt8]? {
        guard count <= remainingByteCount else { return nil }
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }
}
