/// The share of an image's resolution that it really has.
///
/// An image that was enlarged has hardly any detail of the size of a sample, compared with detail of twice that size.
/// So has a blurred image.
enum DetailMeasure {
    /// The ratio of the amplitudes of fine and medium detail in images of full resolution: the median of 64 photos. It
    /// is halved in the same photos after an enlargement by two.
    private static let fullRatio = 0.7

    /// Returns the share, 0 to 1.
    static func share(_ places: DetailPlaces, at indices: [Int]) -> Double {
        if indices.isEmpty { return 0 }
        let ratios = (0..<DetailPlaces.directionCount).map { direction in
            EnergyRatio(
                fine: places.fineEnergies, coarse: places.mediumEnergies, at: indices, direction: direction
            ).ofRichPlaces
        }
        // A place has four times as many samples as its half.
        return min(1, (max(0, ratios.min() ?? 0) / 4).squareRoot() / fullRatio)
    }
}
