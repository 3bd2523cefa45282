/// The quantization and Huffman tables of a JPEG, as its segments define them, one after the other.
///
/// Source: ITU-T T.81, B.2.4.
struct JPEGTables {
    struct Huffman {
        /// Codes of each length, from 1 to 16.
        var counts: [UInt8]
        var symbols: [UInt8]
    }

    /// In zigzag order, by table number.
    private(set) var quantization: [Int: [UInt16]] = [:]
    /// By table number.
    private(set) var dc: [Int: Huffman] = [:]
    /// By table number.
    private(set) var ac: [Int: Huffman] = [:]
    /// MCUs between restart markers; 0 for none.
    private(set) var restartInterval = 0

    /// Takes over what the segment defines, if it is of such a kind; false if it isn't well formed.
    mutating func read(_ segment: JPEGStructure.Segment, of bytes: [UInt8]) -> Bool {
        var reader = ByteReader(bytes, in: segment.payload)
        switch segment.marker {
        case Marker.quantizationTables:
            while reader.remaining > 0 { guard readQuantization(&reader) else { return false } }
        case Marker.huffmanTables:
            // A length that doesn't even count itself leaves nothing either: libjpeg refuses that.
            repeat { guard readHuffman(&reader) else { return false } } while reader.remaining > 0
        case Marker.restartInterval:
            guard let interval = reader.uint16(), reader.remaining == 0 else { return false }
            restartInterval = interval
        default: break
        }
        return true
    }

    private mutating func readQuantization(_ reader: inout ByteReader) -> Bool {
        guard let kind = reader.uint8(), kind >> 4 <= 1, kind & 15 < 4 else { return false }
        var table: [UInt16] = []
        for _ in 0..<64 {
            guard let value = kind >> 4 == 0 ? reader.uint8() : reader.uint16() else { return false }
            table.append(UInt16(value))
        }
        quantization[kind & 15] = table
        return true
    }

    private mutating func readHuffman(_ reader: inout ByteReader) -> Bool {
        guard let kind = reader.uint8(), kind >> 4 <= 1, kind & 15 < 4, let counts = reader.take(16) else {
            return false
        }
        let total = counts.reduce(0) { $0 + Int($1) }
        guard total <= 256, let symbols = reader.take(total) else { return false }
        let table = Huffman(counts: counts, symbols: symbols)
        if kind >> 4 == 0 { dc[kind & 15] = table } else { ac[kind & 15] = table }
        return true
    }
}

extension ByteReader {
    fileprivate mutating func take(_ count: Int) -> [UInt8]? {
        guard count <= remaining else { return nil }
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }
}
