/// The energies of fine and of coarse detail in places of 16 by 16 samples, in four directions.
///
/// Fine detail is the difference between a sample and the binomial mean of 3 by 3 samples, a Gaussian of about 0.7
/// samples. Coarse detail is the difference between Gaussians of about 2.3 and 4.1 samples. It is computed from cells
/// of 4 by 4 samples. An energy is the sum of squared differences of detail between the two neighbors of a sample, or
/// of a cell, in a direction.
///
/// Like the cells, the places are centered on the plane. At least one cell remains at each edge.
struct DetailPlaces {
    static let side = 16, directionCount = 4
    private static let cellsPerSide = side / LumaCells.side
    /// The most white samples of a place that is used.
    private static let maxWhiteCount = 64

    let columnCount: Int
    let rowCount: Int
    /// The first cell of the first place.
    private let firstCell: (column: Int, row: Int)
    private let cellColumnCount: Int
    /// The first sample of the first place.
    let origin: (x: Int, y: Int)
    /// Energies, four for each place.
    private(set) var fineEnergies: ContiguousArray<UInt32>
    /// Energies of fine detail after the plane is reduced by two.
    private(set) var mediumEnergies: ContiguousArray<UInt32>
    private(set) var coarseEnergies: ContiguousArray<UInt64>

    init(_ plane: Plane, cells: LumaCells, kernels: PixelKernels) {
        columnCount = max(0, (cells.columnCount - 2) / Self.cellsPerSide)
        rowCount = max(0, (cells.rowCount - 2) / Self.cellsPerSide)
        firstCell = (
            (cells.columnCount - columnCount * Self.cellsPerSide) / 2,
            (cells.rowCount - rowCount * Self.cellsPerSide) / 2
        )
        cellColumnCount = cells.columnCount
        origin = (
            cells.origin.x + firstCell.column * LumaCells.side, cells.origin.y + firstCell.row * LumaCells.side
        )
        let count = columnCount * rowCount * Self.directionCount
        fineEnergies = ContiguousArray(repeating: 0, count: count)
        mediumEnergies = fineEnergies
        coarseEnergies = ContiguousArray(repeating: 0, count: count)
        if count == 0 { return }
        let half = PixelKernels.halve(plane, fromColumn: origin.x % 2, row: origin.y % 2)
        defer { SampleBufferPool.shared.recycle(half.samples) }
        for row in 0..<rowCount {
            let start = row * columnCount * Self.directionCount
            kernels.measureGradients(
                of: plane, x: origin.x, y: origin.y + row * Self.side, side: Self.side, count: columnCount, at: start,
                into: &fineEnergies)
            kernels.measureGradients(
                of: half, x: origin.x / 2, y: origin.y / 2 + row * Self.side / 2, side: Self.side / 2,
                count: columnCount, at: start, into: &mediumEnergies)
        }
        measureCoarseDetail(of: cells, kernels: kernels)
    }

    /// Returns the places that are in the field of view, and not largely white.
    ///
    /// The edge of a white spot is hard even in a blurred image, because brighter light was cut off.
    func indices(in isInField: ContiguousArray<Bool>, of cells: LumaCells) -> [Int] {
        var indices: [Int] = []
        indices.reserveCapacity(columnCount * rowCount)
        for row in 0..<rowCount {
            let found = PixelKernels.countInPlaces(
                of: cells, isInField: isInField,
                from: (firstCell.row + row * Self.cellsPerSide) * cellColumnCount + firstCell.column,
                count: columnCount)
            for column in 0..<columnCount where found.isInside[column] {
                if found.whiteCounts[column] <= Self.maxWhiteCount { indices.append(row * columnCount + column) }
            }
        }
        return indices
    }

    /// A rectangle of places.
    struct Window {
        var columns, rows: Range<Int>
    }

    var wholeWindow: Window { Window(columns: 0..<columnCount, rows: 0..<rowCount) }

    /// The windows of a third of the columns and the rows, or one more, at five positions along each axis, symmetric to
    /// the center.
    var windows: [Window] {
        func ranges(_ count: Int) -> [Range<Int>] {
            let third = count.dividedRoundingUp(by: 3), length = third + (count - third) % 2, last = count - length
            return [0, (last + 2) / 4, last / 2, last - (last + 2) / 4, last].map { $0..<($0 + length) }
        }
        let columns = ranges(columnCount)
        return ranges(rowCount).flatMap { rows in columns.map { Window(columns: $0, rows: rows) } }
    }

    /// Returns the part of the image that the places of `window` cover.
    func region(_ window: Window, planeSize: PixelSize) -> ImageRegion {
        ImageRegion(
            x: Double(origin.x + Self.side * window.columns.lowerBound) / Double(planeSize.width),
            y: Double(origin.y + Self.side * window.rows.lowerBound) / Double(planeSize.height),
            width: Double(Self.side * window.columns.count) / Double(planeSize.width),
            height: Double(Self.side * window.rows.count) / Double(planeSize.height))
    }

    /// Measures the difference between two binomial means of cells.
    private mutating func measureCoarseDetail(of cells: LumaCells, kernels: PixelKernels) {
        // There is a border of one value around the cells.
        let stride = cells.columnCount + 2
        let values = kernels.coarseDetail(
            ofSums: cells.sums, columnCount: cells.columnCount, rowCount: cells.rowCount)
        for row in 0..<rowCount {
            kernels.measureCoarseGradients(
                of: values, stride: stride,
                from: (firstCell.row + row * Self.cellsPerSide + 1) * stride + firstCell.column + 1,
                count: columnCount, at: row * columnCount * Self.directionCount, into: &coarseEnergies)
        }
    }
}
