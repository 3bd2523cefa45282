/// Where the output samples of one axis of one plane lie among its source samples, in exact fractions.
///
/// Output sample `k` covers the source interval from `(origin + k * step) / unit` to `(origin + (k + 1) * step) / unit`;
/// source sample `i` covers `i` to `i + 1`.
public struct AxisMapping: Hashable, Sendable {
    /// Source samples that belong to the picture (a decoder may deliver padding behind them).
    public var sourceCount: Int
    /// Output samples.
    public var outputCount: Int
    var origin: Int
    var step: Int
    var unit: Int

    /// The mapping of one axis, stated in the picture's own pixels.
    ///
    /// Every plane of a picture is placed on the same grid: what counts is the ratio of the picture's sizes and the
    /// plane's sampling. The ratio of plane sizes would be off by up to a sample at the far edge, since a subsampled
    /// plane of an odd width is wider than the picture.
    ///
    /// - Parameters:
    ///   - pictureCount: source pixels of the picture along this axis.
    ///   - targetCount: output pixels of the picture along this axis.
    ///   - sampling: samples of this plane for every `maxSampling` pixels.
    ///   - maxSampling: the largest sampling factor of the picture's components.
    ///   - reduction: output pixels for one output sample of this plane.
    ///   - mirrored: whether the axis will be reversed afterwards: then the output grid is anchored at its far end.
    public init(
        pictureCount: Int, targetCount: Int, sampling: Int = 1, maxSampling: Int = 1, reduction: Int = 1,
        mirrored: Bool = false
    ) {
        sourceCount = (pictureCount * sampling).dividedRoundingUp(by: maxSampling)
        outputCount = targetCount.dividedRoundingUp(by: reduction)
        let firstPixel = mirrored ? targetCount - outputCount * reduction : 0
        let pixel = pictureCount * sampling
        origin = firstPixel * pixel
        step = reduction * pixel
        unit = targetCount * maxSampling
        let divisor = greatestCommonDivisor(greatestCommonDivisor(step, unit), abs(origin))
        (origin, step, unit) = (origin / divisor, step / divisor, unit / divisor)
    }

    /// Source samples for one output sample.
    var ratio: Double { Double(step) / Double(unit) }

    /// The centre of output sample `k`, in source samples.
    func center(of k: Int) -> Double { Double(2 * origin + (2 * k + 1) * step) / Double(2 * unit) }

    /// How many neighbouring source samples to average first: 1 up to a ratio of 64; beyond it, so many that the
    /// remaining ratio lies between 32 and 64.
    var boxFactor: Int { step > 64 * unit ? step / (32 * unit) : 1 }

    /// The mapping that remains after averaging `boxFactor` samples.
    var afterBox: AxisMapping {
        var rest = self
        rest.sourceCount = sourceCount.dividedRoundingUp(by: boxFactor)
        rest.unit = unit * boxFactor
        return rest
    }
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}
