/// Records which coefficients the scans of a JPEG have coded so far, and to which bit.
///
/// Source: ITU-T T.81, G.1.1.
struct CoefficientCoverage {
    /// For each component and coefficient, the number of low bits still missing; `allBitsMissing` before its first
    /// scan.
    private var missingLowBits: [[Int]]
    private static let allBitsMissing = 16

    /// Whether all scans were in order. A scan must code missing bits, for a refinement exactly the next one, and the
    /// DC coefficient must precede all AC coefficients.
    private(set) var isInOrder = true

    init(componentCount: Int) {
        missingLowBits = [[Int]](repeating: [Int](repeating: Self.allBitsMissing, count: 64), count: componentCount)
    }

    /// Whether the scans have coded every bit of every coefficient.
    var isComplete: Bool { missingLowBits.allSatisfy { $0.allSatisfy { $0 == 0 } } }

    /// Records a scan of the components at `indices`.
    mutating func recordScan(_ scan: JPEGScanHeader, componentIndices indices: [Int]) {
        for c in indices {
            isInOrder =
                isInOrder && (scan.spectralSelection.lowerBound == 0 || missingLowBits[c][0] < Self.allBitsMissing)
            for k in scan.spectralSelection {
                let isNext =
                    scan.approximationHigh == 0
                    ? missingLowBits[c][k] == Self.allBitsMissing
                    : missingLowBits[c][k] == scan.approximationHigh
                        && scan.approximationLow == scan.approximationHigh - 1
                isInOrder = isInOrder && isNext
                missingLowBits[c][k] = scan.approximationLow
            }
        }
    }
}
