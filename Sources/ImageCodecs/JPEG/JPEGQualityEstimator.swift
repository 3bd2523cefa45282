// `unsafe`: C reads quantization steps from an array.

internal import CJPEGEncoder

/// Estimates a JPEG's quality, on libjpeg's scale of 1 to 100, from its luma quantization table.
///
/// Source: ITU-T T.81, table K.1, and the Independent JPEG Group's scaling of it.
struct JPEGQualityEstimator {
    /// The estimated quality.
    let quality: Int
    /// Whether the table is exactly the one that the compact encoder has for this quality.
    let isCompactTable: Bool

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

    /// Estimates the quality from `table`: that of the compact encoder's table that equals it, or else the quality at
    /// which the sum of libjpeg's table is nearest.
    ///
    /// - Parameters:
    ///   - table: The 64 steps in natural order.
    ///   - pixelsPerChromaSample: The number of pixels for each chroma sample, on which the compact encoder's luma
    ///     table depends; 0 for a gray image.
    /// - Returns: `nil` if the table is missing.
    init?(table: [UInt16], pixelsPerChromaSample: Int) {
        let sum = table.reduce(0) { $0 + Int($1) }
        guard sum > 0, table.count == 64 else { return nil }
        let compactQuality = unsafe prep_jpeg_compact_quality(table, Int32(pixelsPerChromaSample))
        if compactQuality > 0 {
            (quality, isCompactTable) = (Int(compactQuality), true)
            return
        }
        let nearest = Self.tableSumsByQuality.indices.min {
            abs(Self.tableSumsByQuality[$0] - sum) < abs(Self.tableSumsByQuality[$1] - sum)
        }
        guard let nearest else { return nil }
        (quality, isCompactTable) = (nearest + 1, false)
    }
}
