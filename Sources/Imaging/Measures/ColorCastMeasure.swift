/// The color cast of an image: how far the mean color of its field of view is from gray.
enum ColorCastMeasure {
    /// The means of cells from which a color can be seen. Darker and brighter ones are gray in any light.
    private static let usableSums: ClosedRange<UInt16> = (16 * 16)...(240 * 16)

    /// Returns the distance of the mean chroma from gray, in levels; `nil` for a grayscale image.
    ///
    /// The chroma of a cell is that of the sample at its center. The chroma planes have another size than the plane of
    /// the cells, and thousands of samples give the mean.
    static func distance(_ cells: LumaCells, isInField: ContiguousArray<Bool>, chroma: [Plane]) -> Double? {
        guard chroma.count == 2 else { return nil }
        let (width, height) = (chroma[0].width, chroma[0].height)
        func places(count: Int, origin: Int, planeLength: Int, chromaLength: Int) -> [Int] {
            (0..<count).map { (origin + LumaCells.side * $0 + LumaCells.side / 2) * chromaLength / planeLength }
        }
        let columns = places(
            count: cells.columnCount, origin: cells.origin.x, planeLength: cells.planeSize.width, chromaLength: width)
        let rows = places(
            count: cells.rowCount, origin: cells.origin.y, planeLength: cells.planeSize.height, chromaLength: height)
        let sums = cells.sums.span, field = isInField.span
        let blue = chroma[0], red = chroma[1]
        let blueSamples = blue.samples.span, redSamples = red.samples.span
        var blueSum = 0, redSum = 0, count = 0
        // Every second cell of every second row is enough.
        for row in stride(from: 0, to: rows.count, by: 2) {
            for column in stride(from: 0, to: columns.count, by: 2) {
                let cell = row * cells.columnCount + column
                guard field[cell], usableSums.contains(sums[cell]) else { continue }
                blueSum += Int(blueSamples[rows[row] * blue.stride + columns[column]])
                redSum += Int(redSamples[rows[row] * red.stride + columns[column]])
                count += 1
            }
        }
        if count == 0 { return 0 }
        let x = Double(blueSum) / Double(count) - 128, y = Double(redSum) / Double(count) - 128
        return (x * x + y * y).squareRoot()
    }
}
