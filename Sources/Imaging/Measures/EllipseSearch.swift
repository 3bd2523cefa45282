/// A search for the ellipse at whose edge the brightness drops most.
///
/// The best circle of a coarse search is changed in smaller and smaller steps. All arithmetic is that of integers, and
/// the best of all changes is taken, so that a turned image gives the turned ellipse.
///
/// Source: the integro-differential operator of Daugman, "High Confidence Visual Recognition of Persons by a Test of
/// Statistical Independence" (1993), for rings inside and outside of the edge.
///
/// The rings of the search are far apart, because the edge of the light is often soft. At a hard edge, many ellipses
/// have the same drop between these rings. The refinement therefore also compares rings that are close together.
struct EllipseSearch {
    /// The unit of lengths is a 16th of a unit of the grid.
    static let fractions = 16
    static let angleCount = 64
    /// The unit of drops, as a fraction of a level of ``BrightnessGrid``: 256. With whole levels two changes are often
    /// equally good, and a turned image then does not give the turned ellipse.
    static let dropsPerLevel = fractions * fractions
    /// The most that one angle counts, so that a reflection at the edge does not decide. With 40 for circles, too, many
    /// of them are equal.
    private static let maxDrop = 40, maxDropOfCircle = 128
    /// A change of brightness by less than this is no drop.
    private static let minDrop = 4
    /// The largest ratio of the axes, as a fraction. Frames of 500 by 500 pixels have been stretched to 420 by 380.
    private static let maxAxisRatio = (numerator: 5, denominator: 4)

    /// An ellipse along the axes, in 16ths of a unit.
    struct Ellipse {
        var x, y, radiusX, radiusY: Int
    }

    private let grid: BrightnessGrid

    init(_ grid: BrightnessGrid) { self.grid = grid }

    /// Two rings, one inside the edge and one outside, as the vectors of all angles from the center.
    private struct Rings {
        /// Vectors in parts of the radii, times 2^14.
        let inner, outer: [(x: Int, y: Int)]

        /// - Parameter distance: The distance of each ring from the edge, in parts of the radii.
        init(distance: Double) {
            func ring(_ radius: Double) -> [(x: Int, y: Int)] {
                (0..<angleCount).map { index in
                    let halfTurns = 2 * Double(index) / Double(angleCount), scale = radius * 16384
                    return (Int((scale * sinPi(halfTurns + 0.5)).rounded()), Int((scale * sinPi(halfTurns)).rounded()))
                }
            }
            (inner, outer) = (ring(1 - distance), ring(1 + distance))
        }
    }

    private static let wideRings = Rings(distance: 0.06), narrowRings = Rings(distance: 0.03)

    /// Returns the ellipse with the largest drop that is reached from a circle.
    func bestEllipse(near circle: Ellipse) -> Ellipse {
        climb(from: circle, steps: [16, 8, 4, 2]) { edge(of: $0).drop }
    }

    /// Returns the ellipse near `ellipse` with the largest drop, summed over the wide and the narrow rings.
    ///
    /// At half of the angles at least, the wide rings are in the image.
    func refined(_ ellipse: Ellipse) -> Ellipse {
        climb(from: ellipse, steps: [8, 4, 2]) { ellipse in
            let wide = edge(of: ellipse)
            guard 2 * wide.angleCount >= Self.angleCount else { return .min }
            return wide.drop + edge(of: ellipse, rings: Self.narrowRings, maxDrop: Self.maxDrop).drop
        }
    }

    /// Changes an ellipse as long as a change raises the drop. Returns the start if no change does.
    ///
    /// - Parameters:
    ///   - start: The first ellipse.
    ///   - steps: The sizes of the changes, in 16ths of a unit, in their order.
    ///   - drop: Returns the drop at the edge of an ellipse.
    private func climb(from start: Ellipse, steps: [Int], drop: (Ellipse) -> Drop) -> Ellipse {
        var ellipse = start, best = drop(start)
        for step in steps {
            while let next = changes(of: ellipse, by: step).map({ ($0, drop($0)) }).max(by: { $0.1 < $1.1 }),
                best < next.1
            {
                (ellipse, best) = next
            }
        }
        return ellipse
    }

    /// The sum of the drops of all angles, see ``dropsPerLevel``.
    ///
    /// Many ellipses have the same sum, because no angle counts more than the maximum. The sum without a maximum then
    /// decides, so that the order of the search does not.
    struct Drop: Comparable {
        static let min = Drop(sum: .min, sumWithoutMaximum: .min)

        var sum = 0
        var sumWithoutMaximum = 0

        static func < (lhs: Drop, rhs: Drop) -> Bool {
            (lhs.sum, lhs.sumWithoutMaximum) < (rhs.sum, rhs.sumWithoutMaximum)
        }

        static func + (lhs: Drop, rhs: Drop) -> Drop {
            Drop(sum: lhs.sum + rhs.sum, sumWithoutMaximum: lhs.sumWithoutMaximum + rhs.sumWithoutMaximum)
        }
    }

    /// The drops of brightness at the edge of an ellipse.
    struct Edge {
        /// The number of angles at which both rings are in the image.
        var angleCount = 0
        /// The number of these at which the brightness drops.
        var dropCount = 0
        var drop = Drop()
    }

    /// Returns the drops of brightness at the edge of an ellipse.
    func edge(of ellipse: Ellipse) -> Edge { edge(of: ellipse, rings: Self.wideRings, maxDrop: Self.maxDrop) }

    private func edge(of ellipse: Ellipse, rings: Rings, angleStep: Int = 1, maxDrop: Int) -> Edge {
        var edge = Edge()
        let unit = Self.dropsPerLevel
        func place(_ direction: (x: Int, y: Int)) -> (x: Int, y: Int) {
            (
                ellipse.x + Self.scaled(ellipse.radiusX * direction.x),
                ellipse.y + Self.scaled(ellipse.radiusY * direction.y)
            )
        }
        for index in stride(from: 0, to: Self.angleCount, by: angleStep) {
            let outer = place(rings.outer[index]), inner = place(rings.inner[index])
            guard grid.contains(x: outer.x, y: outer.y), grid.contains(x: inner.x, y: inner.y) else { continue }
            let drop = grid.level(x: inner.x, y: inner.y) - grid.level(x: outer.x, y: outer.y)
            edge.angleCount += 1
            if drop > Self.minDrop * unit { edge.dropCount += 1 }
            edge.drop.sum += min(max(drop, -maxDrop * unit), maxDrop * unit)
            edge.drop.sumWithoutMaximum += drop
        }
        return edge
    }

    /// Returns a product of a length and a direction, rounded to the nearest, halves away from 0.
    private static func scaled(_ product: Int) -> Int {
        product < 0 ? -((8192 - product) >> 14) : (8192 + product) >> 14
    }

    /// Returns the best circle with a center in the middle quarter of each axis.
    func bestCircle() -> Ellipse {
        let shorter = min(grid.columnCount, grid.rowCount)
        var best = (circle: Ellipse(x: 0, y: 0, radiusX: 1, radiusY: 1), drop: Drop.min)
        for radius in (shorter / 4)...(shorter * 9 / 16) {
            let length = radius * Self.fractions
            // A 16th of an axis has as many 16ths of a unit as the axis has units.
            for y in (6...10).map({ $0 * grid.rowCount }) {
                for x in (6...10).map({ $0 * grid.columnCount }) {
                    let circle = Ellipse(x: x, y: y, radiusX: length, radiusY: length)
                    // Every fourth angle is enough to compare circles.
                    let drop = edge(
                        of: circle, rings: Self.wideRings, angleStep: 4, maxDrop: Self.maxDropOfCircle
                    ).drop
                    if best.drop < drop { best = (circle, drop) }
                }
            }
        }
        return best.circle
    }

    /// The changes of center and radii. The last ones move one side only.
    private static let changes: [Change] = {
        let changes: [Change] = [
            (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 1, 1), (1, 0, 1, 0), (1, 0, -1, 0),
            (0, 1, 0, 1), (0, 1, 0, -1), (1, 1, 0, 0), (1, -1, 0, 0),
        ]
        return changes + changes.map { (-$0.x, -$0.y, -$0.radiusX, -$0.radiusY) }
    }()

    private typealias Change = (x: Int, y: Int, radiusX: Int, radiusY: Int)

    private func changes(of ellipse: Ellipse, by step: Int) -> [Ellipse] {
        let limit = Self.maxAxisRatio
        return Self.changes.compactMap { change in
            let next = Ellipse(
                x: ellipse.x + step * change.x, y: ellipse.y + step * change.y,
                radiusX: ellipse.radiusX + step * change.radiusX, radiusY: ellipse.radiusY + step * change.radiusY)
            let (longer, shorter) = (max(next.radiusX, next.radiusY), min(next.radiusX, next.radiusY))
            return shorter > 0 && longer * limit.denominator <= shorter * limit.numerator ? next : nil
        }
    }
}
