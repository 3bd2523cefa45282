/// The transfer function of SMPTE ST 2084. Source: ITU-R BT.2100, table 4.
///
/// Results do not depend on a math library.
enum PerceptualQuantizer {
    /// The luminance of the highest value, in cd/m².
    static let maxLuminance = 10_000.0

    private static let m1 = 2610.0 / 16_384, m2 = 2523.0 / 4096 * 128
    private static let c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32, c3 = 2392.0 / 4096 * 32

    /// Returns the luminance in cd/m² of an encoded value from 0 to 1.
    static func luminance(fromEncoded value: Double) -> Double {
        let power = ToneCurve.power(value, 1 / m2)
        return maxLuminance * ToneCurve.power((power - c1) / (c2 - c3 * power), 1 / m1)
    }

    /// Returns the encoded value of a luminance in cd/m², from 0 to the maximum.
    static func encoded(fromLuminance luminance: Double) -> Double {
        let power = ToneCurve.power(luminance / maxLuminance, m1)
        return ToneCurve.power((c1 + c2 * power) / (1 + c3 * power), m2)
    }
}

/// The transfer function of ARIB STD-B67. Source: ITU-R BT.2100, table 5.
///
/// Results do not depend on a math library.
enum HybridLogGamma {
    /// The luminance of a value of 1 on the display that the images are shown on, in cd/m².
    static let peakLuminance = 1000.0
    /// The exponent by which such a display shows the light of the scene.
    static let systemGamma = 1.2

    private static let a = 0.178_832_77, b = 1 - 4 * a, c = 0.559_910_73

    /// Returns the light of the scene, from 0 to 1, of an encoded value from 0 to 1.
    static func sceneLight(fromEncoded value: Double) -> Double {
        if value <= 0.5 { return value * value / 3 }
        let eulersNumber = 2.718_281_828_459_045
        return min((ToneCurve.power(eulersNumber, (value - c) / a) + b) / 12, 1)
    }
}
