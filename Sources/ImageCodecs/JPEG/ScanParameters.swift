/// A scan header's parameters.
///
/// Source: ITU-T T.81, B.2.3.
struct ScanParameters {
    /// The identifiers of the components in it.
    var components: [Int] = []
    /// For each, the numbers of its Huffman tables.
    var tables: [(dc: Int, ac: Int)] = []
    /// The coefficients in it.
    var spectrum: ClosedRange<Int>
    /// How many low bits of them were missing before it; 0 if all were.
    var highBits: Int
    /// How many low bits of them are still missing behind it.
    var lowBits: Int
    /// Whether it gives all coefficients with all bits, as the scans of a sequential file do.
    var isSequential: Bool

    /// Nil if the header isn't well formed. A sequential scan holds everything, whatever it states: some cameras state
    /// nonsense.
    init?(_ bytes: [UInt8], _ scan: JPEGStructure.Segment, isProgressive: Bool) {
        var reader = ByteReader(bytes, in: scan.payload)
        guard let count = reader.uint8(), reader.remaining == 2 * count + 3 else { return nil }
        for _ in 0..<count {
            guard let identifier = reader.uint8(), let table = reader.uint8() else { return nil }
            components.append(identifier)
            tables.append((dc: table >> 4, ac: table & 15))
        }
        guard let first = reader.uint8(), let last = reader.uint8(), let approximation = reader.uint8() else {
            return nil
        }
        isSequential = first == 0 && last == 63 && approximation == 0
        (spectrum, highBits, lowBits) = (0...63, 0, 0)
        if !isProgressive { return }
        guard first <= last, last < 64 else { return nil }
        (spectrum, highBits, lowBits) = (first...last, approximation >> 4, approximation & 15)
    }
}
