/// The noise of an image, from the places with least fine detail.
enum NoiseMeasure {
    /// The share of the places that are used, in per cent.
    private static let quietPercentage = 10
    /// The energy of a sample's fine detail in all four directions, for white noise with a standard deviation of 1.
    ///
    /// The coefficients of the detail are 6, four times -1 and four times -1/2, with a sum of squares of 41. Details
    /// two samples apart have a covariance of 1.5, and of 0.25 along a diagonal: 4 * (41 - 1.5) + 4 * (41 - 0.25).
    private static let energyOfUnitNoise = 321.0

    /// Returns the standard deviation of the noise, in levels. It is lower than that of the source if the image was
    /// reduced, or compressed.
    static func standardDeviation(_ places: DetailPlaces, at indices: [Int]) -> Double {
        if indices.isEmpty { return 0 }
        var sums = indices.map { index in
            let first = DetailPlaces.directionCount * index
            return (first..<(first + DetailPlaces.directionCount)).reduce(0) { $0 + UInt64(places.fineEnergies[$1]) }
        }
        let quietCount = max(1, sums.count * quietPercentage / 100)
        sums.moveSmallest(quietCount)
        let quiet = sums.prefix(quietCount)
        let samples = Double(quiet.count * DetailPlaces.side * DetailPlaces.side)
        return (Double(quiet.reduce(0, +)) / samples / energyOfUnitNoise).squareRoot()
    }
}
