/// The mapping from the output samples to the source samples of one axis of one plane, in exact fractions.
///
/// Output sample `k` covers the source interval from `(originNumerator + k * stepNumerator) / denominator` to
/// `(originNumerator + (k + 1) * stepNumerator) / denominator`; source sample `i` covers `i` to `i + 1`.
package struct AxisMapping: Hashable, Sendable {
    /// The number of source samples within the image. A decoder may deliver padding after them, and a sample that
    /// averages samples of the image and padding.
    package var sourceSampleCount: Int
    /// The number of output samples.
    package var outputSampleCount: Int
    var originNumerator: Int
    var stepNumerator: Int
    var denominator: Int
    /// The number of the plane's stored samples that the decoder averaged to one source sample.
    var shrinkFactor: Int

    /// Creates the mapping of one axis from lengths in image pixels.
    ///
    /// Every plane of an image is placed on the same grid, which follows from the ratio of the image's lengths and from
    /// the plane's sampling. The ratio of the plane's lengths would be off by up to a sample at the far edge, because a
    /// subsampled plane of an odd width covers more than the image.
    /// - Parameters:
    ///   - imageLength: The length of the source image along this axis, in pixels.
    ///   - targetLength: The length of the output image along this axis, in pixels.
    ///   - samplingFactor: The number of samples of this plane for every `maxSamplingFactor` pixels.
    ///   - maxSamplingFactor: The largest sampling factor of the image's components.
    ///   - shrinkFactor: The number of this plane's stored samples in one source sample.
    ///   - outputReduction: The number of output pixels for one output sample of this plane.
    ///   - isMirrored: Whether the axis will be reversed afterwards. The output grid is then anchored at its far end.
    package init(
        imageLength: Int, targetLength: Int, samplingFactor: Int = 1, maxSamplingFactor: Int = 1,
        shrinkFactor: Int = 1, outputReduction: Int = 1,
        isMirrored: Bool = false
    ) {
        let storedSampleCount = (imageLength * samplingFactor).dividedRoundingUp(by: maxSamplingFactor)
        sourceSampleCount = max(storedSampleCount / shrinkFactor, 1)
        outputSampleCount = targetLength.dividedRoundingUp(by: outputReduction)
        let firstPixel = isMirrored ? targetLength - outputSampleCount * outputReduction : 0
        let pixelNumerator = imageLength * samplingFactor
        self.shrinkFactor = shrinkFactor
        originNumerator = firstPixel * pixelNumerator
        stepNumerator = outputReduction * pixelNumerator
        denominator = targetLength * maxSamplingFactor * shrinkFactor
        let divisor = greatestCommonDivisor(greatestCommonDivisor(stepNumerator, denominator), abs(originNumerator))
        (originNumerator, stepNumerator, denominator) = (
            originNumerator / divisor, stepNumerator / divisor, denominator / divisor
        )
    }

    /// The number of source samples for one output sample.
    var sourceSamplesPerOutput: Double { Double(stepNumerator) / Double(denominator) }

    /// The smallest number of output samples that cover a whole number of source samples, and that number.
    var period: (outputSampleCount: Int, sourceSampleCount: Int) {
        let divisor = greatestCommonDivisor(stepNumerator, denominator)
        return (denominator / divisor, stepNumerator / divisor)
    }

    /// Returns whether an output sample covers at least `count` stored samples, compared exactly.
    func coversAtLeast(_ count: Int) -> Bool { stepNumerator * shrinkFactor >= count * denominator }

    /// Returns the center of output sample `k`, in source samples.
    func sourceCenter(ofOutputSample k: Int) -> Double {
        Double(2 * originNumerator + (2 * k + 1) * stepNumerator) / Double(2 * denominator)
    }

    /// The number of adjacent source samples to average before filtering: 1 up to a ratio of 64, and beyond it as many
    /// as leave a ratio between 32 and 64.
    var boxShrinkFactor: Int { stepNumerator > 64 * denominator ? stepNumerator / (32 * denominator) : 1 }

    /// The mapping that remains after `boxShrinkFactor` samples are averaged.
    var remaining: AxisMapping {
        if boxShrinkFactor == 1 { return self }
        var mapping = self
        mapping.shrinkFactor = 1
        mapping.sourceSampleCount = sourceSampleCount.dividedRoundingUp(by: boxShrinkFactor)
        mapping.denominator = denominator * boxShrinkFactor
        return mapping
    }
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}
