/// The transfer function of sRGB. Source: IEC 61966-2-1.
///
/// Results do not depend on a math library.
enum SRGBTransferFunction {
    /// Returns the linear value of an encoded one from 0 to 1.
    static func linear(fromEncoded value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : PortableMath.power(base: min((value + 0.055) / 1.055, 1), exponent: 2.4)
    }

    /// Returns the encoded value of a linear one, by interpolation with an error of at most 0.00002.
    ///
    /// Negative values are mirrored. The curve is continued up to 8; greater values are clamped.
    static func encoded(fromLinear value: Double) -> Double {
        let magnitude = min(value.magnitude, 8)
        if magnitude > 1 {
            // With a power p, p(x) = 8^(1/2.4) p(x / 8).
            let encoded = 2.378_414_230_005_442 * (interpolate(magnitude / 8) + 0.055) - 0.055
            return value < 0 ? -encoded : encoded
        }
        return value < 0 ? -interpolate(magnitude) : interpolate(magnitude)
    }

    private static let intervalCount = 4096

    private static let encodedValues: [Double] = (0...intervalCount).map { index in
        let value = Double(index) / Double(intervalCount)
        return value <= 0.003_130_8 ? value * 12.92 : 1.055 * PortableMath.power(base: value, exponent: 1 / 2.4) - 0.055
    }

    private static func interpolate(_ value: Double) -> Double {
        let position = value * Double(intervalCount)
        let index = min(Int(position), intervalCount - 1)
        let lower = encodedValues[index]
        return lower + (encodedValues[index + 1] - lower) * (position - Double(index))
    }
}
