/// White blobs in the field of view: reflections of the light, in which nothing can be seen.
///
/// A sample is white from a luma of 250 on. No other color is so bright: yellow has a luma of 226.
struct GlareMeasures {
    /// The fewest cells of a blob. Smaller ones are the small reflections of any moist surface.
    private static let minCellCount = 4

    /// The share of the field's cells in blobs.
    private(set) var share = 0.0
    /// The bounds of the largest blob.
    private(set) var largestBlob: ImageRegion?

    /// A blob of white cells that touch each other.
    private struct Blob {
        var cellCount = 0
        var left = Int.max, top = Int.max, right = 0, bottom = 0

        mutating func add(column: Int, row: Int) {
            cellCount += 1
            (left, right) = (min(left, column), max(right, column))
            (top, bottom) = (min(top, row), max(bottom, row))
        }
    }

    /// Finds the blobs of cells of which at least half is white.
    ///
    /// - Parameter fieldCellCount: The number of cells in the field.
    init(_ cells: LumaCells, isInField: ContiguousArray<Bool>, fieldCellCount: Int) {
        let minWhiteCount = LumaCells.side * LumaCells.side / 2
        var isUnvisited = ContiguousArray(repeating: false, count: isInField.count), white: [Int] = []
        let field = isInField.span, whiteCounts = cells.whiteCounts.span
        for i in whiteCounts.indices where whiteCounts[i] >= minWhiteCount && field[i] {
            isUnvisited[i] = true
            white.append(i)
        }
        var largest = Blob(), sum = 0
        for start in white where isUnvisited[start] {
            let blob = Self.takeBlob(at: start, from: &isUnvisited, columnCount: cells.columnCount)
            if blob.cellCount < Self.minCellCount { continue }
            sum += blob.cellCount
            if blob.cellCount > largest.cellCount { largest = blob }
        }
        if sum == 0 { return }
        share = Double(sum) / Double(fieldCellCount)
        largestBlob = cells.region(
            left: Double(largest.left), top: Double(largest.top), right: Double(largest.right + 1),
            bottom: Double(largest.bottom + 1))
    }

    /// Removes the cells that are connected to `start`, and returns them as a blob.
    private static func takeBlob(
        at start: Int, from isUnvisited: inout ContiguousArray<Bool>, columnCount: Int
    ) -> Blob {
        var blob = Blob(), queue = [start]
        isUnvisited[start] = false
        while let cell = queue.popLast() {
            let (row, column) = cell.quotientAndRemainder(dividingBy: columnCount)
            blob.add(column: column, row: row)
            func open(_ neighbor: Int, if exists: Bool) {
                guard exists, isUnvisited[neighbor] else { return }
                isUnvisited[neighbor] = false
                queue.append(neighbor)
            }
            open(cell - columnCount, if: row > 0)
            open(cell + columnCount, if: cell + columnCount < isUnvisited.count)
            open(cell - 1, if: column > 0)
            open(cell + 1, if: column < columnCount - 1)
        }
        return blob
    }
}
