/// Where the output samples of one axis of one plane lie among its source samples, in exact fractions.
///
/// Output sample `k` covers the source interval from `(originNumerator + k * stepNumerator) / denominator` to
/// `(originNumerator + (k + 1) * stepNumerator) / denominator`; source sample `i` covers `i` to `i + 1`.
public struct AxisMapping: Hashable, Sendable {
    /// Source samples that belong to the picture (a decoder may deliver padding behind them).
    public var sourceSampleCount: Int
    /// Output samples.
    public var outputSampleCount: Int
    var originNumerator: Int
    var stepNumerator: Int
    var denominator: Int

    /// The mapping of one axis, stated in the picture's own pixels.
    ///
    /// Every plane of a picture is placed on the same grid: what counts is the ratio of the picture's sizes and the
    /// plane's sampling. The ratio of plane sizes would be off by up to a sample at the far edge, since a subsampled
    /// plane of an odd width is wider than the picture.
    ///
    /// - Parameters:
    ///   - imageLength: source pixels of the picture along this axis.
    ///   - targetLength: output pixels of the picture along this axis.
    ///   - samplingFactor: samples of this plane for every `maxSamplingFactor` pixels.
    ///   - maxSamplingFactor: the largest sampling factor of the picture's components.
    ///   - outputReduction: output pixels for one output sample of this plane.
    ///   - isMirrored: whether the axis will be reversed afterwards: then the output grid is anchored at its far end.
    public init(
        imageLength: Int, targetLength: Int, samplingFactor: Int = 1, maxSamplingFactor: Int = 1,
        outputReduction: Int = 1,
        isMirrored: Bool = false
    ) {
        sourceSampleCount = (imageLength * samplingFactor).dividedRoundingUp(by: maxSamplingFactor)
        outputSampleCount = targetLength.dividedRoundingUp(by: outputReduction)
        let firstPixel = isMirrored ? targetLength - outputSampleCount * outputReduction : 0
        let pixelNumerator = imageLength * samplingFactor
        originNumerator = firstPixel * pixelNumerator
        stepNumerator = outputReduction * pixelNumerator
        denominator = targetLength * maxSamplingFactor
        let divisor = greatestCommonDivisor(greatestCommonDivisor(stepNumerator, denominator), abs(originNumerator))
        (originNumerator, stepNumerator, denominator) = (
            originNumerator / divisor, stepNumerator / divisor, denominator / divisor
        )
    }

    /// Source samples for one output sample.
    var sourceSamplesPerOutput: Double { Double(stepNumerator) / Double(denominator) }

    /// The centre of output sample `k`, in source samples.
    func sourceCenter(ofOutputSample k: Int) -> Double {
        Double(2 * originNumerator + (2 * k + 1) * stepNumerator) / Double(2 * denominator)
    }

    /// How many neighbouring source samples to average first: 1 up to a ratio of 64; beyond it, so many that the
    /// remaining ratio lies between 32 and 64.
    var boxShrinkFactor: Int { stepNumerator > 64 * denominator ? stepNumerator / (32 * denominator) : 1 }

    /// The mapping that remains after averaging `boxShrinkFactor` samples.
    var remaining: AxisMapping {
        var mapping = self
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
