/// Which coefficients the scans of a JPEG have given so far, and to how many bits.
///
/// Source: ITU-T T.81, G.1.1.
struct CoefficientCoverage {
    /// For each component and coefficient: the low bits that are still missing; more than there are, if all are.
    private var missingLowBits: [[Int]]
    private static let allBitsMissing = 16

    init(componentCount: Int) {
        missingLowBits = [[Int]](repeating: [Int](repeating: Self.allBitsMissing, count: 64), count: componentCount)
    }

    /// Whether every component, and every bit of it, was in some scan.
    var isComplete: Bool { missingLowBits.allSatisfy { $0.allSatisfy { $0 == 0 } } }

    /// Adds a scan of the components at `indices`; whether it is in order: it gives bits that are missing, and just the
    /// next ones, and the first coefficient before all others.
    @discardableResult mutating func recordScan(_ scan: JPEGScanHeader, componentIndices indices: [Int]) -> Bool {
        var isInOrder = true
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
        return isInOrder
    }
}
