/// Averages blocks of samples before filtering, so that an extreme ratio does not need hundreds of rows in memory.
struct BoxShrinker {
    private let sourceWidth: Int
    private let sourceHeight: Int
    private let horizontalFactor: Int
    private let verticalFactor: Int
    private let bytesPerSample: Int
    private var columnSums: [UInt64]
    private var accumulatedRowCount = 0
    private var consumedRowCount = 0

    /// The ring of the averaged rows in `outputBytes`.
    private(set) var outputRing: RowRingBuffer.ComponentRing
    private(set) var outputBytes: ContiguousArray<UInt8>

    /// Creates a shrinker for one plane.
    ///
    /// - Parameters:
    ///   - horizontal: The mapping of the horizontal axis.
    ///   - vertical: The mapping of the vertical axis.
    ///   - rows: The number of averaged rows to retain.
    ///   - bytesPerSample: The bytes of a sample and of an average: 1, or 2 with the lower one first.
    init(horizontal: AxisMapping, vertical: AxisMapping, retainedRowCount rows: Int, bytesPerSample: Int = 1) {
        sourceWidth = horizontal.sourceSampleCount
        sourceHeight = vertical.sourceSampleCount
        horizontalFactor = horizontal.boxShrinkFactor
        verticalFactor = vertical.boxShrinkFactor
        let shrunkWidth = sourceWidth.dividedRoundingUp(by: horizontalFactor)
        self.bytesPerSample = bytesPerSample
        columnSums = [UInt64](repeating: 0, count: shrunkWidth)
        let stride = shrunkWidth.roundedUp(toMultipleOf: PixelKernels.columnBlockSize) * bytesPerSample
        outputRing = RowRingBuffer.ComponentRing(
            startOffset: 0, stride: stride, rowCapacity: rows + 1, batchRowCount: 1)
        outputBytes = ContiguousArray(repeating: 0, count: stride * outputRing.rowCapacity)
    }

    /// Consumes rows of `source` until an averaged row is complete. Returns `false` if there are too few rows.
    mutating func shrinkNextRow(from source: Span<UInt8>, ring sourceRing: RowRingBuffer.ComponentRing) -> Bool {
        while consumedRowCount < min(sourceRing.writtenRowCount, sourceHeight) {
            let start = sourceRing.byteOffset(ofRow: consumedRowCount)
            accumulateRow(source.extracting(start..<(start + sourceWidth * bytesPerSample)))
            consumedRowCount += 1
            accumulatedRowCount += 1
            if accumulatedRowCount == verticalFactor || consumedRowCount == sourceHeight {
                writeAveragedRow()
                return true
            }
        }
        return false
    }

    private mutating func accumulateRow(_ row: Span<UInt8>) {
        for i in columnSums.indices {
            var sum: UInt32 = 0
            let columns = (i * horizontalFactor)..<min((i + 1) * horizontalFactor, sourceWidth)
            if bytesPerSample == 1 {
                for x in columns { sum &+= UInt32(row[x]) }
            } else {
                for x in columns { sum &+= UInt32(row[2 * x]) | UInt32(row[2 * x + 1]) << 8 }
            }
            columnSums[i] &+= UInt64(sum)
        }
    }

    private mutating func writeAveragedRow() {
        let start = outputRing.nextBatchOffset
        for i in columnSums.indices {
            let area = UInt64(
                accumulatedRowCount * (min((i + 1) * horizontalFactor, sourceWidth) - i * horizontalFactor))
            let average = (columnSums[i] + area / 2) / area
            outputBytes[start + i * bytesPerSample] = UInt8(truncatingIfNeeded: average)
            if bytesPerSample == 2 { outputBytes[start + 2 * i + 1] = UInt8(truncatingIfNeeded: average >> 8) }
            columnSums[i] = 0
        }
        accumulatedRowCount = 0
        outputRing.writtenRowCount += 1
    }
}
