/// Averages blocks of samples before the resampler proper, so that an extreme ratio doesn't need hundreds of rows at once.
struct BoxReducer {
    private let width: Int
    private let height: Int
    private let across: Int
    private let down: Int
    private var sums: [UInt32]
    private var rowsSummed = 0
    private var rowsTaken = 0

    /// The averaged rows, and where they are in `bytes`.
    private(set) var ring: RowWindow.Ring
    private(set) var bytes: ContiguousArray<UInt8>

    /// - Parameter rows: averaged rows to keep.
    init(horizontal: AxisMapping, vertical: AxisMapping, keeping rows: Int) {
        width = horizontal.sourceCount
        height = vertical.sourceCount
        across = horizontal.boxFactor
        down = vertical.boxFactor
        let reduced = width.dividedRoundingUp(by: across)
        sums = [UInt32](repeating: 0, count: reduced)
        let stride = reduced.roundedUp(to: Kernels.columnBlock)
        ring = RowWindow.Ring(offset: 0, stride: stride, capacity: rows + 1, batch: 1)
        bytes = ContiguousArray(repeating: 0, count: stride * ring.capacity)
    }

    /// Takes rows of `source` until an averaged row is whole; false when there are none left to take.
    mutating func produceRow(from source: Span<UInt8>, _ sourceRing: RowWindow.Ring) -> Bool {
        while rowsTaken < min(sourceRing.end, height) {
            let start = sourceRing.byteOffset(ofRow: rowsTaken)
            add(source.extracting(start..<(start + width)))
            rowsTaken += 1
            rowsSummed += 1
            if rowsSummed == down || rowsTaken == height {
                finishRow()
                return true
            }
        }
        return false
    }

    private mutating func add(_ row: Span<UInt8>) {
        for i in sums.indices {
            var sum: UInt32 = 0
            for x in (i * across)..<min((i + 1) * across, width) { sum &+= UInt32(row[x]) }
            sums[i] &+= sum
        }
    }

    private mutating func finishRow() {
        let start = ring.nextBatch
        for i in sums.indices {
            let area = UInt32(rowsSummed * (min((i + 1) * across, width) - i * across))
            bytes[start + i] = UInt8((sums[i] + area / 2) / area)
            sums[i] = 0
        }
        rowsSummed = 0
        ring.end += 1
    }
}
