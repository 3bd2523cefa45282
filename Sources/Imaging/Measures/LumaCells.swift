/// The sums of cells of 4 by 4 samples of a luma plane, from which exposure is measured.
///
/// Black margins are left out. The cells are centered on the rest, and an even number along each axis, as everything
/// that is made of them: so they are the same cells if the image is turned, or if a margin is added. Up to seven rows
/// and columns are left out, too.
struct LumaCells {
    /// The number of samples along a side of a cell.
    static let side = 4
    /// The highest luma that counts as black, and the lowest that counts as white.
    static let blackLimit: UInt8 = 3, whiteLimit: UInt8 = 250

    let planeSize: PixelSize
    let columnCount: Int
    let rowCount: Int
    /// The first sample of the first cell.
    let origin: (x: Int, y: Int)
    /// The sum of each cell's samples, 0 to 4,080.
    private(set) var sums: ContiguousArray<UInt16>
    /// The number of each cell's samples that are black, and that are white.
    private(set) var blackCounts, whiteCounts: ContiguousArray<UInt8>

    /// - Parameter lit: The plane without black margins, see ``Plane/litBounds``.
    init(_ plane: Plane, in lit: SampleBounds, kernels: PixelKernels) {
        planeSize = plane.size
        let bounds = plane.bounds(lit, cutToMultiplesOf: 2 * Self.side)
        columnCount = bounds.columns.count / Self.side
        rowCount = bounds.rows.count / Self.side
        origin = (bounds.columns.lowerBound, bounds.rows.lowerBound)
        let count = columnCount * rowCount
        sums = ContiguousArray(repeating: 0, count: count)
        blackCounts = ContiguousArray(repeating: 0, count: count)
        whiteCounts = blackCounts
        if count == 0 { return }
        for row in 0..<rowCount {
            kernels.measureCells(
                of: plane, x: origin.x, y: origin.y + row * Self.side, count: columnCount,
                limits: (Self.blackLimit, Self.whiteLimit), at: row * columnCount, sums: &sums,
                blackCounts: &blackCounts, whiteCounts: &whiteCounts)
        }
    }

    /// Returns the part of the plane between two corners, in cells. The corners are clamped to the plane.
    func region(left: Double, top: Double, right: Double, bottom: Double) -> ImageRegion {
        func part(_ cells: Double, origin: Int, length: Int) -> Double {
            min(max((Double(origin) + Double(Self.side) * cells) / Double(length), 0), 1)
        }
        let x = part(left, origin: origin.x, length: planeSize.width)
        let y = part(top, origin: origin.y, length: planeSize.height)
        return ImageRegion(
            x: x, y: y, width: part(right, origin: origin.x, length: planeSize.width) - x,
            height: part(bottom, origin: origin.y, length: planeSize.height) - y)
    }
}
