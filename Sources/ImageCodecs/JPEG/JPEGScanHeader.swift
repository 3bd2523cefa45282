/// A scan header's parameters.
///
/// Source: ITU-T T.81, B.2.3.
struct JPEGScanHeader {
    /// The identifiers of the components in it.
    var componentIdentifiers: [Int] = []
    /// For each, the numbers of its Huffman tables.
    var huffmanTableIndices: [(dc: Int, ac: Int)] = []
    /// The coefficients in it.
    var spectralSelection: ClosedRange<Int>
    /// How many low bits of them were missing before it; 0 if all were.
    var approximationHigh: Int
    /// How many low bits of them are still missing behind it.
    var approximationLow: Int
    /// Whether it gives all coefficients with all bits, as the scans of a sequential file do.
    var coversAllCoefficientBits: Bool

    /// Nil if the header isn't well formed. A sequential scan holds everything, whatever it states: some cameras state
    /// nonsense.
    init?(fileBytes bytes: [UInt8], segment scan: JPEGStructure.MarkerSegment, isProgressive: Bool) {
        var reader = ByteReader(bytes, in: scan.payloadRange)
        guard let count = reader.readUInt8(), reader.remainingByteCount == 2 * count + 3 else { return nil }
        for _ in 0..<count {
            guard let identifier = reader.readUInt8(), let table = reader.readUInt8() else { return nil }
            componentIdentifiers.append(identifier)
            huffmanTableIndices.append((dc: table >> 4, ac: table & 15))
        }
        guard let first = reader.readUInt8(), let last = reader.readUInt8(), let approximation = reader.readUInt8()
        else {
            return nil
        }
        coversAllCoefficientBits = first == 0 && last == 63 && approximation == 0
        (spectralSelection, approximationHigh, approximationLow) = (0...63, 0, 0)
        if !isProgressive { return }
        guard first <= last, last < 64 else { return nil }
        (spectralSelection, approximationHigh, approximationLow) = (
            first...last, approximation >> 4, approximation & 15
        )
    }
}
