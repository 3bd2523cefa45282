// `unsafe`: passes rows of planes to C, which accesses them within their sizes.

internal import CPixelKernels

/// What the chroma planes of an image lose at half the resolution.
package struct ChromaLoss: Sendable {
    /// For each block of 8 × 8 averaged cells: 1,024 times the mean squared distance of the samples of both chroma
    /// planes from the averages.
    fileprivate var blockLosses: [UInt32]

    /// Returns whether the quadratic mean of the blocks' mean squared distances exceeds `limit`, in squared levels.
    package func exceeds(_ limit: Int) -> Bool {
        // 16 times a block's mean has at most 20 bits, so that the sum has less than 64.
        let sum = blockLosses.reduce(into: UInt64(0)) { sum, loss in sum += UInt64(loss >> 6) * UInt64(loss >> 6) }
        return sum > UInt64(256 * limit * limit) * UInt64(blockLosses.count)
    }
}

extension PlanarImage {
    /// Returns this image with chroma planes of half the resolution along each axis with full resolution, and what they
    /// lose; `nil` if there are none.
    ///
    /// A chroma sample becomes the average of the samples of its cell: of two or four, or fewer at the edges.
    ///
    /// - Complexity: Linear in the samples of chroma.
    package func halvingChroma() -> (image: PlanarImage, loss: ChromaLoss)? {
        let halvesWidth = chromaSubsampling.horizontalFactor == 1, halvesHeight = chromaSubsampling.verticalFactor == 1
        guard planes.count == 3, halvesWidth || halvesHeight else { return nil }
        var losses: [UInt32] = []
        let halved = planes[1...].map {
            $0.averagingCells(halvesWidth: halvesWidth, halvesHeight: halvesHeight, &losses)
        }
        let subsampling = ChromaSubsampling(
            horizontalFactor: chromaSubsampling.horizontalFactor * (halvesWidth ? 2 : 1),
            verticalFactor: chromaSubsampling.verticalFactor * (halvesHeight ? 2 : 1))
        let image = PlanarImage(size: size, chromaSubsampling: subsampling, planes: [planes[0]] + halved)
        return (image, ChromaLoss(blockLosses: losses))
    }
}

extension Plane {
    /// Returns the averages of the cells of this plane. Adds their losses to `losses`, or sets them if it is empty.
    fileprivate func averagingCells(halvesWidth: Bool, halvesHeight: Bool, _ losses: inout [UInt32]) -> Plane {
        let (across, down) = (halvesWidth ? 2 : 1, halvesHeight ? 2 : 1)
        var halved = Plane(width: width.dividedRoundingUp(by: across), height: height.dividedRoundingUp(by: down))
        let groupCount = halved.width.dividedRoundingUp(by: 8)
        if losses.isEmpty {
            losses = [UInt32](repeating: 0, count: groupCount * halved.height.dividedRoundingUp(by: 8))
        }
        precondition(across * halved.width <= stride && hasAllSamples)
        precondition(losses.count == groupCount * halved.height.dividedRoundingUp(by: 8))
        unsafe samples.withUnsafeBufferPointer { [stride, height] source in
            unsafe halved.samples.withUnsafeMutableBufferPointer {
                [width = halved.width, rows = halved.height] target in
                unsafe losses.withUnsafeMutableBufferPointer { losses in
                    guard let source = source.baseAddress, let target = target.baseAddress,
                        let losses = losses.baseAddress
                    else { return }
                    let targetStride = width.roundedUp(toMultipleOf: 8)
                    for y in 0..<rows {
                        let first = unsafe source + down * y * stride
                        let second = unsafe source + min(down * y + down - 1, height - 1) * stride
                        unsafe prep_average_cells(
                            first, second, halvesWidth, Int32(width), target + y * targetStride,
                            losses + y / 8 * groupCount)
                    }
                }
            }
        }
        halved.padRowsToStride()
        return halved
    }
}
