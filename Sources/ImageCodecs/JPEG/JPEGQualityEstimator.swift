// `unsafe`: C writes quantization steps to an array.

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

    /// The luma table of the compact encoder for each quality, from 1.
    private static let compactTablesByQuality = (1...100).map { quality in
        var steps = [UInt8](repeating: 0, count: 64)
        unsafe steps.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { unsafe prep_jpeg_compact_luma_steps(Int32(quality), base) }
        }
        return steps.map(Int.init)
    }

    /// Estimates the quality from `table`: that of the compact encoder's table that equals it, or else the quality at
    /// which the sum of libjpeg's table is nearest.
    ///
    /// - Parameter table: The 64 steps in natural order.
    /// - Returns: `nil` if the table is missing.
    init?(table: [Int]) {
        let sum = table.reduce(0, +)
        guard sum > 0 else { return nil }
        if let index = Self.compactTablesByQuality.firstIndex(of: table) {
            (quality, isCompactTable) = (index + 1, true)
            return
        }
        let nearest = Self.tableSumsByQuality.indices.min {
            abs(Self.tableSumsByQuality[$0] - sum) < abs(Self.tableSumsByQuality[$1] - sum)
        }
        guard let nearest else { return nil }
        (quality, isCompactTable) = (nearest + 1, false)
    }
}
