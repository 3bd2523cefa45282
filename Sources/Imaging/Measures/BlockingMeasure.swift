/// The blocks that strong JPEG compression leaves: how much more the luma changes from one block of 8 by 8 samples to
/// the next than beside it.
///
/// An image that was reduced after it was compressed has no such blocks, and needs no rule for them.
enum BlockingMeasure {
    static let blockSide = 8

    /// Returns the excess of the differences at the edges of blocks, in levels, along the axis where it is lower. A
    /// pattern of the image itself rarely repeats after 8 samples along both axes.
    ///
    /// - Parameter bounds: The samples to measure.
    static func excess(_ plane: Plane, in bounds: SampleBounds, kernels: PixelKernels) -> Double {
        let (width, height) = (bounds.columns.count, bounds.rows.count)
        // Two blocks have one edge.
        guard width > 2 * blockSide, height > 2 * blockSide else { return 0 }
        let sums = kernels.measureBlocks(of: plane, in: bounds)
        return max(
            0,
            min(
                largestExcess(sums.columns, length: width, lineLength: height),
                largestExcess(sums.rows, length: height, lineLength: width)))
    }

    /// Returns by how much the mean difference at one of the 8 places exceeds that of its two neighbors, at most.
    private static func largestExcess(_ sums: [UInt64], length: Int, lineLength: Int) -> Double {
        let means = sums.indices.map { place in
            Double(sums[place]) / Double((length - 1 - place).dividedRoundingUp(by: blockSide) * lineLength)
        }
        let excesses = means.indices.map { place in
            let neighbors = (place + 1, place + blockSide - 1)
            return means[place] - (means[neighbors.0 % blockSide] + means[neighbors.1 % blockSide]) / 2
        }
        return excesses.max() ?? 0
    }
}
