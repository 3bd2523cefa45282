import Foundation
public import Imaging

/// One axis of a resampling in float64: where the output samples lie among the source samples.
public struct ReferenceResampleAxis: Sendable {
    /// Source samples.
    public var sourceCount: Int
    /// Output samples.
    public var outputCount: Int
    /// Where the first output sample begins, in source samples.
    public var sourceOrigin: Double
    /// Source samples for one output sample.
    public var sourceStep: Double

    /// `outputCount` samples over all of `sourceCount`.
    public init(sourceCount: Int, outputCount: Int) {
        self.init(imagePixelCount: sourceCount, targetPixelCount: outputCount)
    }

    /// A plane's axis on the grid of its image.
    ///
    /// - Parameters:
    ///   - imagePixelCount: Source pixels of the image.
    ///   - targetPixelCount: Output pixels of the image.
    ///   - sampleDensity: Samples of the source plane for a pixel, 1/2 for chroma of half the width.
    ///   - chromaReduction: Output pixels for one sample of the output plane.
    ///   - firstPixel: The output pixel at which the first output sample begins; below 0 on a mirrored axis.
    public init(
        imagePixelCount: Int, targetPixelCount: Int, sampleDensity: Double = 1, chromaReduction: Int = 1,
        firstPixel: Int = 0
    ) {
        sourceCount = Int((Double(imagePixelCount) * sampleDensity).rounded(.up))
        outputCount = (targetPixelCount - firstPixel + chromaReduction - 1) / chromaReduction
        let pixel = Double(imagePixelCount) * sampleDensity / Double(targetPixelCount)
        sourceOrigin = Double(firstPixel) * pixel
        sourceStep = Double(chromaReduction) * pixel
    }

    /// For each output sample the weights of the source samples from `start` on. They sum to 1.
    func normalizedCoefficients(of filter: ResampleFilter) -> [(start: Int, weights: [Double])] {
        let scale = max(sourceStep, 1)
        return (0..<outputCount).map { k in
            let center = sourceOrigin + (Double(k) + 0.5) * sourceStep
            // No filter reaches further than 3; what lies beyond its reach weighs nothing.
            let first = max(0, min(sourceCount - 1, Int((center - 3 * scale).rounded(.down)) - 1))
            let end = max(first + 1, min(sourceCount, Int((center + 3 * scale).rounded(.up)) + 1))
            let raw = (first..<end).map { filterValue(filter, at: abs(Double($0) + 0.5 - center) / scale) }
            let sum = raw.reduce(0, +)
            return (first, raw.map { $0 / sum })
        }
    }
}

/// A plane of unrounded samples.
public struct ReferencePlane: Sendable {
    /// Samples across.
    public var width: Int
    /// Rows.
    public var height: Int
    /// The samples, row by row.
    public var unroundedSamples: [Double]

    /// `plane` resampled in float64 and clipped to what a byte can say, but not rounded.
    ///
    /// It follows the filters' definitions, with nothing of what the package computes with: the tables are its own, and
    /// sines are the machine's.
    public init(
        resampling plane: Plane, horizontalAxis: ReferenceResampleAxis, verticalAxis: ReferenceResampleAxis,
        filter: ResampleFilter
    ) {
        width = horizontalAxis.outputCount
        height = verticalAxis.outputCount
        unroundedSamples = []
        unroundedSamples.reserveCapacity(width * height)
        let columns = horizontalAxis.normalizedCoefficients(of: filter)
        for (start, weights) in verticalAxis.normalizedCoefficients(of: filter) {
            var blended = [Double](repeating: 0, count: horizontalAxis.sourceCount)
            for (k, weight) in weights.enumerated() where weight != 0 {
                let row = (start + k) * plane.stride
                for x in 0..<horizontalAxis.sourceCount { blended[x] += weight * Double(plane.samples[row + x]) }
            }
            for (first, factors) in columns {
                var sum = 0.0
                for k in 0..<factors.count { sum += factors[k] * blended[first + k] }
                unroundedSamples.append(min(max(sum, 0), 255))
            }
        }
    }

    /// How far the samples of `plane` are from these: the peak signal-to-noise ratio in dB, and the largest difference.
    public func psnrAndLargestDifference(from plane: Plane) -> (psnr: Double, largest: Double) {
        var squares = 0.0
        var largest = 0.0
        for y in 0..<height {
            for x in 0..<width {
                let difference = abs(Double(plane.samples[y * plane.stride + x]) - unroundedSamples[y * width + x])
                squares += difference * difference
                largest = max(largest, difference)
            }
        }
        return (10 * log10(255 * 255 * Double(unroundedSamples.count) / squares), largest)
    }
}

/// The filters by their textbook definitions: Duchon (1979), and Mitchell and Netravali (1988), equation 8.
private func filterValue(_ filter: ResampleFilter, at x: Double) -> Double {
    switch filter {
    case .lanczos3:
        if x == 0 { return 1 }
        return x < 3 ? 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x) : 0
    case .mitchell: return cubicFilterValue(at: x, b: 1.0 / 3, c: 1.0 / 3)
    case .catmullrom: return cubicFilterValue(at: x, b: 0, c: 0.5)
    case .triangle: return x < 1 ? 1 - x : 0
    case .box:
        // A sample whose centre lies on the edge belongs half to either side. Floating point misses the edge by
        // 1e-11 at most; fractions of sizes below 65,536 that don't lie on it are more than 1e-7 away.
        if abs(x - 0.5) < 1e-9 { return 0.5 }
        return x < 0.5 ? 1 : 0
    }
}

private func cubicFilterValue(at x: Double, b: Double, c: Double) -> Double {
    let (square, cube) = (x * x, x * x * x)
    if x < 1 { return ((12 - 9 * b - 6 * c) * cube + (-18 + 12 * b + 6 * c) * square + 6 - 2 * b) / 6 }
    if x < 2 {
        return ((-b - 6 * c) * cube + (6 * b + 30 * c) * square + (-12 * b - 48 * c) * x + 8 * b + 24 * c) / 6
    }
    return 0
}
