/// Estimates a JPEG's quality, on libjpeg's scale of 1 to 100, from its luma quantization table.
///
/// Source: ITU-T T.81, table K.1, and the Independent JPEG Group's scaling of it.
enum JPEGQualityEstimator {
    private static let standardLumaTable = [
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55,
        14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
        18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
        49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
    ]

    /// The sum of the luma table for each quality, from 1. The sums decrease as the quality increases.
    private static let tableSumsByQuality = (1...100).map { quality in
        let scale = quality < 50 ? 5000 / quality : 200 - 2 * quality
        return standardLumaTable.reduce(0) { $0 + min(max(($1 * scale + 50) / 100, 1), 255) }
    }

    /// Returns the quality with the sum nearest to that of `table`, or `nil` if the table is missing.
    static func estimatedQuality(ofTable table: [Int]) -> Int? {
        let sum = table.reduce(0, +)
        guard sum > 0 else { return nil }
        let nearest = tableSumsByQuality.indices.min {
            abs(tableSumsByQuality[$0] - sum) < abs(tableSumsByQuality[$1] - sum)
        }
        return nearest.map { $0 + 1 }
    }
}
