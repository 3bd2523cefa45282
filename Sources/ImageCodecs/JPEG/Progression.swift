/// Which coefficients the scans of a JPEG have given so far, and to how many bits.
///
/// Source: ITU-T T.81, G.1.1.
struct Progression {
    /// For each component and coefficient: the low bits that are still missing; more than there are, if all are.
    private var missingBits: [[Int]]
    private static let all = 16

    init(components: Int) {
        missingBits = [[Int]](repeating: [Int](repeating: Self.all, count: 64), count: components)
    }

    /// Whether every component, and every bit of it, was in some scan.
    var isComplete: Bool { missingBits.allSatisfy { $0.allSatisfy { $0 == 0 } } }

    /// Adds a scan of the components at `indices`; whether it is in order: it gives bits that are missing, and just the next
    /// ones, and the first coefficient before all others.
    @discardableResult mutating func add(_ scan: ScanParameters, of indices: [Int]) -> Bool {
        var isInOrder = true
        for c in indices {
            isInOrder = isInOrder && (scan.spectrum.lowerBound == 0 || missingBits[c][0] < Self.all)
            for k in scan.spectrum {
                let isNext =
                    scan.highBits == 0
                    ? missingBits[c][k] == Self.all
                    : missingBits[c][k] == scan.highBits && scan.lowBits == scan.highBits - 1
                isInOrder = isInOrder && isNext
                missingBits[c][k] = scan.lowBits
            }
        }
        return isInOrder
    }
}
