/// Functions that use only additions, multiplications and divisions, so that their results do not depend on a math
/// library.
enum PortableMath {
    /// Returns `base` to the power of `exponent`, for a base above 0 and up to 1.
    static func power(base: Double, exponent: Double) -> Double {
        // base = m * 2^e with m in [1, 2); ln m = 2 artanh((m - 1) / (m + 1)). 30 terms of its series have an error
        // below 1e-16.
        let ratio = (base.significand - 1) / (base.significand + 1)
        var series = 0.0
        for k in stride(from: 59.0, through: 1, by: -2) { series = series * ratio * ratio + 1 / k }
        let naturalLogarithmOf2 = 0.693_147_180_559_945_3
        let logarithm = 2 * ratio * series + Double(base.exponent) * naturalLogarithmOf2
        return exponential(logarithm * exponent)
    }

    /// Returns e to the power of `x`, for x of 0 or below.
    private static func exponential(_ x: Double) -> Double {
        if x < -700 { return 0 }
        // Halved until 18 terms suffice, then squared as many times.
        var halvings = 0, small = x
        while small < -0.5 { (small, halvings) = (small / 2, halvings + 1) }
        var sum = 1.0
        for k in stride(from: 18.0, through: 1, by: -1) { sum = 1 + sum * small / k }
        for _ in 0..<halvings { sum *= sum }
        return sum
    }
}
