/// The brightness of an image on a coarse grid: logarithms of means, 0 to 255.
///
/// Equal steps are about equal ratios of brightness, so that the dim edge of a field counts as much as a bright one.
struct BrightnessGrid {
    private static let maxLength = 64

    /// The number of cells along a side of a unit of the grid.
    let cellsPerUnit: Int
    let columnCount: Int
    let rowCount: Int
    /// The first unit, in cells.
    let origin: (x: Double, y: Double)
    private let levels: ContiguousArray<Int32>

    init(_ cells: LumaCells) {
        let (columns, rows) = (cells.columnCount, cells.rowCount)
        // Cells are an even number, and so are those that are left out on both sides of a power of two.
        var side = 1
        while side * Self.maxLength < max(columns, rows) { side *= 2 }
        (cellsPerUnit, columnCount, rowCount) = (side, columns / side, rows / side)
        let first = (column: columns % side / 2, row: rows % side / 2)
        origin = (Double(first.column), Double(first.row))
        let samples = side * side * LumaCells.side * LumaCells.side
        let table = Self.logarithms
        levels = ContiguousArray(
            (0..<rowCount).flatMap { [columnCount] row in
                PixelKernels.addCells(
                    of: cells, side: side, from: (first.row + row * side) * cells.columnCount + first.column,
                    count: columnCount
                ).map { table[Int($0) / samples] }
            })
    }

    /// The logarithm of each luma level plus 16, scaled to 0 to 255.
    private static let logarithms: [Int32] = {
        let offset = 16.0, smallest = binaryLogarithm(offset), range = binaryLogarithm(255 + offset) - smallest
        return (0...255).map { Int32((255 * (binaryLogarithm(Double($0) + offset) - smallest) / range).rounded()) }
    }()

    /// Returns whether a place is on the grid.
    ///
    /// - Parameters:
    ///   - x: The distance from the left edge, in fractions of a unit, see ``EllipseSearch/fractions``.
    ///   - y: The distance from the top edge.
    func contains(x: Int, y: Int) -> Bool {
        x >= 0 && y >= 0 && x <= columnCount * EllipseSearch.fractions && y <= rowCount * EllipseSearch.fractions
    }

    /// Returns the level at a place on the grid, interpolated between the centers of units, in 256ths.
    func level(x: Int, y: Int) -> Int {
        let whole = EllipseSearch.fractions, left = x + whole / 2, top = y + whole / 2
        // Units are counted from 1 here, so that nothing is negative.
        let (column, row) = (left / whole, top / whole), (a, b) = (left % whole, top % whole)
        let columns = (max(column - 1, 0), min(column, columnCount - 1))
        let rows = (max(row - 1, 0) * columnCount, min(row, rowCount - 1) * columnCount)
        let levels = levels.span
        let upper = Int(levels[rows.0 + columns.0]) * (whole - a) + Int(levels[rows.0 + columns.1]) * a
        let lower = Int(levels[rows.1 + columns.0]) * (whole - a) + Int(levels[rows.1 + columns.1]) * a
        return upper * (whole - b) + lower * b
    }
}

/// Returns the binary logarithm of a number of at least 1, with 12 fractional bits. Only multiplications are used, so
/// that the result does not depend on a math library.
private func binaryLogarithm(_ number: Double) -> Double {
    var number = number, logarithm = 0.0, bit = 1.0
    while number >= 2 { (number, logarithm) = (number / 2, logarithm + 1) }
    for _ in 0..<12 {
        number *= number
        bit /= 2
        if number >= 2 { (number, logarithm) = (number / 2, logarithm + bit) }
    }
    return logarithm
}
