/// The sharpness of an image, and where it is sharpest.
///
/// It is a ratio of fine to coarse detail, see ``EnergyRatio``. The direction with the lowest ratio counts, because
/// motion blurs only one. The ratio does not depend on what the image shows, as the variance of a Laplacian does.
///
/// An image that is sharp in one place only, such as an eardrum in focus, is as sharp as that place: the ratio is also
/// computed in windows of a third of the width and the height.
struct SharpnessMeasures {
    /// The fewest rich places of a window that decides the sharpness, as a share of all places, in per cent.
    private static let minDecidingPercentage = 3
    /// The same for the sharpest window if none decides. A tenth of all places is rich, and a window has a ninth of
    /// them if detail is everywhere, as in most photos of phones.
    private static let minWindowPercentage = 1
    /// The factors of the energies' units: fine detail has 256 samples for 16 cells, and a gain of 8 instead of 4,096.
    private static let unitOfRatio = 4096.0 * 4096 / (8 * 8 * 16)

    /// The ratio of the amplitudes of fine and coarse detail, at most 1. A fine pattern with little coarse detail would
    /// exceed it.
    private(set) var sharpness = 0.0
    /// The window with the highest ratio; `nil` if no window has enough detail.
    private(set) var sharpestWindow: DetailPlaces.Window?

    /// Measures the places at `indices`.
    init(_ places: DetailPlaces, at indices: [Int]) {
        guard !indices.isEmpty else { return }
        let directions = (0..<DetailPlaces.directionCount).map { direction in
            Self.richPlaces(places, at: indices, direction: direction)
        }
        func sharpest(minPercentage: Int) -> (window: DetailPlaces.Window, ratio: Double)? {
            let minCount = max(1, indices.count * minPercentage / 100)
            return places.windows.compactMap { window in
                Self.leastRatio(of: directions, in: window, minCount: minCount).map { (window, $0) }
            }.filter { $0.1 > 0 }.max { $0.1 < $1.1 }
        }
        let deciding = sharpest(minPercentage: Self.minDecidingPercentage)
        let ofAll = Self.leastRatio(of: directions, in: places.wholeWindow, minCount: 1) ?? 0
        sharpness = min(1, (max(ofAll, deciding?.ratio ?? 0) * Self.unitOfRatio).squareRoot())
        sharpestWindow = (deciding ?? sharpest(minPercentage: Self.minWindowPercentage))?.window
    }

    /// A place with much coarse detail, and where it is.
    private typealias LocatedPlace = (column: Int, row: Int, place: EnergyRatio.RichPlace)

    private static func richPlaces(_ places: DetailPlaces, at indices: [Int], direction: Int) -> [LocatedPlace] {
        EnergyRatio(
            fine: places.fineEnergies, coarse: places.coarseEnergies, at: indices, direction: direction
        ).richPlaces.map { ($0.index % places.columnCount, $0.index / places.columnCount, $0) }
    }

    /// Returns the least ratio of the directions; `nil` if one has fewer than `minCount` rich places in the window.
    private static func leastRatio(
        of directions: [[LocatedPlace]], in window: DetailPlaces.Window, minCount: Int
    ) -> Double? {
        var least = Double.infinity
        for richPlaces in directions {
            var total = EnergyRatio.Sum()
            for (column, row, place) in richPlaces
            where window.rows.contains(row) && window.columns.contains(column) { total += place }
            if total.count < minCount { return nil }
            least = min(least, total.ratio)
        }
        return max(0, least)
    }
}
