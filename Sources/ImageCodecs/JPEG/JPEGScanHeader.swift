/// The parameters of a scan header.
///
/// Source: ITU-T T.81, B.2.3.
struct JPEGScanHeader {
    /// The identifiers of the scan's components.
    var componentIdentifiers: [Int] = []
    /// The Huffman table numbers of each component.
    var huffmanTableIndices: [(dc: Int, ac: Int)] = []
    /// The range of coefficients in the scan.
    var spectralSelection: ClosedRange<Int>
    /// The number of low bits that were missing before the scan; 0 if this is the first scan of the coefficients.
    var approximationHigh: Int
    /// The number of low bits that are still missing after the scan.
    var approximationLow: Int
    /// Whether the scan codes all bits of all coefficients, as those of sequential files do.
    var coversAllCoefficientBits: Bool

    /// Reads a scan header, or returns `nil` if it is invalid.
    ///
    /// A sequential scan codes all coefficients, whatever its header declares: some cameras write invalid values.
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
