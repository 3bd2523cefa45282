/// The part of an image that shows anything: the ellipse that an otoscope lights, or the whole image without black
/// margins.
struct FieldOfView {
    /// The least mean drop of brightness at the edge of an ellipse, in levels of ``BrightnessGrid``.
    ///
    /// The second condition is that the brightness drops at 85% of the angles at least. All 64 frames of otoscopes that
    /// were tried keep both, and so do 3 of 64 photos. They are checked before the ellipse is refined.
    private static let minMeanDrop = 20, minDropPercentage = 85
    /// The radii within which detail is measured, in parts of the ellipse's. The edge of the light is no detail.
    private static let innerPart = 0.94

    /// Whether each cell is in the field.
    private(set) var isInField: ContiguousArray<Bool>
    /// Whether each cell is in the field, and not near the edge of the ellipse.
    private(set) var isInside: ContiguousArray<Bool>
    /// The bounds of the ellipse; `nil` if there is none, so that the whole image counts.
    private(set) var bounds: ImageRegion?
    /// The share of the image without black margins that is in the ellipse; 0 if there is none.
    private(set) var share = 0.0

    init(_ cells: LumaCells) {
        guard let ellipse = Self.ellipse(in: cells) else {
            isInField = ContiguousArray(repeating: true, count: cells.sums.count)
            isInside = isInField
            return
        }
        isInField = Self.cells(of: cells, in: ellipse, part: 1)
        isInside = Self.cells(of: cells, in: ellipse, part: Self.innerPart)
        share = Double(isInField.count { $0 }) / Double(isInField.count)
        bounds = cells.region(
            left: ellipse.x - ellipse.radiusX, top: ellipse.y - ellipse.radiusY,
            right: ellipse.x + ellipse.radiusX, bottom: ellipse.y + ellipse.radiusY)
    }

    /// An ellipse along the axes, in cells.
    private struct Ellipse {
        var x, y, radiusX, radiusY: Double
    }

    private static func ellipse(in cells: LumaCells) -> Ellipse? {
        let grid = BrightnessGrid(cells)
        guard grid.columnCount >= 8, grid.rowCount >= 8 else { return nil }
        let search = EllipseSearch(grid)
        let circle = search.bestCircle()
        // Most photos have no edge that could become one.
        let minSum = minMeanDrop * EllipseSearch.dropsPerLevel * EllipseSearch.angleCount
        guard 2 * search.edge(of: circle).drop.sum >= minSum else { return nil }
        let rough = search.bestEllipse(near: circle), edge = search.edge(of: rough)
        guard 2 * edge.angleCount >= EllipseSearch.angleCount,
            edge.drop.sum >= minSum,
            100 * edge.dropCount >= minDropPercentage * edge.angleCount
        else { return nil }
        let ellipse = search.refined(rough)
        let unit = Double(grid.cellsPerUnit) / Double(EllipseSearch.fractions)
        return Ellipse(
            x: Double(ellipse.x) * unit + grid.origin.x, y: Double(ellipse.y) * unit + grid.origin.y,
            radiusX: Double(ellipse.radiusX) * unit, radiusY: Double(ellipse.radiusY) * unit)
    }

    /// Returns for each cell whether its center is in a part of an ellipse.
    private static func cells(of cells: LumaCells, in ellipse: Ellipse, part: Double) -> ContiguousArray<Bool> {
        var result = ContiguousArray(repeating: false, count: cells.sums.count)
        for row in 0..<cells.rowCount {
            for column in 0..<cells.columnCount {
                let dx = (Double(column) + 0.5 - ellipse.x) / ellipse.radiusX
                let dy = (Double(row) + 0.5 - ellipse.y) / ellipse.radiusY
                result[row * cells.columnCount + column] = dx * dx + dy * dy <= part * part
            }
        }
        return result
    }
}
