/// A filter kernel: the weight of a source sample by its distance from an output sample.
///
/// Source: for Mitchell and Catmull-Rom, Mitchell and Netravali, "Reconstruction Filters in Computer Graphics" (1988);
/// for Lanczos, Duchon, "Lanczos Filtering in One and Two Dimensions" (1979).
public enum ResampleFilter: String, CaseIterable, Encodable, Sendable {
    /// Windowed sinc with three lobes: the sharpest, and the default.
    case lanczos3
    /// Cubic with B = C = 1/3: softer, with little ringing.
    case mitchell
    /// Cubic with B = 0 and C = 1/2.
    case catmullrom
    /// Linear interpolation when enlarging, a triangle average when reducing.
    case triangle
    /// The unweighted average.
    case box

    /// Half the kernel's width, in output samples.
    var supportRadius: Double {
        switch self {
        case .lanczos3: 3
        case .mitchell, .catmullrom: 2
        case .triangle: 1
        case .box: 0.5
        }
    }

    /// Returns the kernel's value at `x` output samples from its center, not normalized. Kernels are symmetric about
    /// zero.
    func weight(atDistance x: Double) -> Double {
        let distance = abs(x)
        switch self {
        case .lanczos3: return distance < 3 ? sinc(distance) * sinc(distance / 3) : 0
        case .mitchell: return cubicKernelWeight(atDistance: distance, b: 1.0 / 3, c: 1.0 / 3)
        case .catmullrom: return cubicKernelWeight(atDistance: distance, b: 0, c: 0.5)
        case .triangle: return max(0, 1 - distance)
        // Half a sample where the edge falls on a sample's center, so that a mirrored image gives the mirrored result.
        // Floating-point error at such an edge is at most 1e-11; any other center is at least 1e-7 away.
        case .box: return abs(distance - 0.5) < 1e-9 ? 0.5 : distance < 0.5 ? 1 : 0
        }
    }

    private func cubicKernelWeight(atDistance x: Double, b: Double, c: Double) -> Double {
        if x < 1 { return ((12 - 9 * b - 6 * c) * x - 18 + 12 * b + 6 * c) * x * x + 6 - 2 * b }
        if x < 2 { return (((-b - 6 * c) * x + 6 * b + 30 * c) * x - 12 * b - 48 * c) * x + 8 * b + 24 * c }
        return 0
    }
}

/// Returns sin(πx) / (πx), or 1 at zero.
func sinc(_ x: Double) -> Double { x == 0 ? 1 : sinPi(x) / (.pi * x) }

/// Returns sin(πx), computed only with additions and multiplications, so that results do not depend on a math library.
///
/// The argument is reduced to ±½ exactly, so zeros are exact. The Taylor series up to the 21st power then has an error
/// below 3e-16.
func sinPi(_ x: Double) -> Double {
    let nearest = x.rounded(.toNearestOrEven)
    let angle = (x - nearest) * .pi
    let square = angle * angle
    // Each constant is the reciprocal of a factorial, computed at compile time. A division for each took 4% of a
    // batch's time.
    var series = 1 / 51_090_942_171_709_440_000.0
    series = series * square - 1 / 121_645_100_408_832_000
    series = series * square + 1 / 355_687_428_096_000
    series = series * square - 1 / 1_307_674_368_000
    series = series * square + 1 / 6_227_020_800
    series = series * square - 1 / 39_916_800
    series = series * square + 1 / 362_880
    series = series * square - 1 / 5040
    series = series * square + 1 / 120
    series = series * square - 1 / 6
    let sine = angle + angle * square * series
    return Int(nearest) & 1 == 0 ? sine : -sine
}
