import Foundation

/// A color in CIELAB relative to D50, and the difference of two colors.
public struct LabColor: Sendable {
    public var l, a, b: Double

    /// Creates a color.
    public init(l: Double, a: Double, b: Double) { (self.l, self.a, self.b) = (l, a, b) }

    /// The color of XYZ relative to D50.
    public init(xyz: [Double]) {
        func f(_ t: Double) -> Double { t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116 }
        let (x, y, z) = (f(xyz[0] / 0.9642), f(xyz[1]), f(xyz[2] / 0.8249))
        self.init(l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
    }

    /// XYZ relative to D50.
    public var xyz: [Double] {
        func g(_ t: Double) -> Double { t > 6.0 / 29 ? t * t * t : (116 * t - 16) * 27 / 24389 }
        let y = (l + 16) / 116
        return [0.9642 * g(y + a / 500), g(y), 0.8249 * g(y - b / 200)]
    }

    /// The difference by CIEDE2000. Source: Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula" (2005).
    public func difference(from other: LabColor) -> Double {
        let meanChroma = (hypot(a, b) + hypot(other.a, other.b)) / 2
        let g = 0.5 * (1 - sqrt(pow(meanChroma, 7) / (pow(meanChroma, 7) + pow(25, 7))))
        let (a1, a2) = ((1 + g) * a, (1 + g) * other.a)
        let (c1, c2) = (hypot(a1, b), hypot(a2, other.b))
        func hue(_ a: Double, _ b: Double) -> Double {
            let degrees = a == 0 && b == 0 ? 0 : atan2(b, a) * 180 / .pi
            return degrees < 0 ? degrees + 360 : degrees
        }
        let (h1, h2) = (hue(a1, b), hue(a2, other.b))
        var hueDifference = 0.0, meanHue = h1 + h2
        if c1 * c2 != 0 {
            hueDifference = h2 - h1
            if hueDifference > 180 { hueDifference -= 360 } else if hueDifference < -180 { hueDifference += 360 }
            meanHue = abs(h1 - h2) <= 180 ? (h1 + h2) / 2 : h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2
        }
        func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
        let dL = other.l - l, dC = c2 - c1, dH = 2 * sqrt(c1 * c2) * sin(hueDifference / 2 * .pi / 180)
        let meanL = (l + other.l) / 2, meanC = (c1 + c2) / 2
        let t =
            1 - 0.17 * cosine(meanHue - 30) + 0.24 * cosine(2 * meanHue) + 0.32 * cosine(3 * meanHue + 6)
            - 0.2 * cosine(4 * meanHue - 63)
        let rotation =
            -2 * sqrt(pow(meanC, 7) / (pow(meanC, 7) + pow(25, 7)))
            * sin(60 * exp(-pow((meanHue - 275) / 25, 2)) * .pi / 180)
        let sL = 1 + 0.015 * pow(meanL - 50, 2) / sqrt(20 + pow(meanL - 50, 2))
        let (sC, sH) = (1 + 0.045 * meanC, 1 + 0.015 * meanC * t)
        return sqrt(pow(dL / sL, 2) + pow(dC / sC, 2) + pow(dH / sH, 2) + rotation * (dC / sC) * (dH / sH))
    }

    /// The 24 patches of the ColorChecker Classic, as X-Rite published them for charts before November 2014.
    public static let colorChecker = [
        [37.986, 13.555, 14.059], [65.711, 18.130, 17.810], [49.927, -4.880, -21.925], [43.139, -13.095, 21.905],
        [55.112, 8.844, -25.399], [70.719, -33.397, -0.199], [62.661, 36.067, 57.096], [40.020, 10.410, -45.964],
        [51.124, 48.239, 16.248], [30.325, 22.976, -21.587], [72.532, -23.709, 57.255], [71.941, 19.363, 67.857],
        [28.778, 14.179, -50.297], [55.261, -38.342, 31.370], [42.101, 53.378, 28.190], [81.733, 4.039, 79.819],
        [51.935, 49.986, -14.574], [51.038, -28.631, -28.638], [96.539, -0.425, 1.186], [81.257, -0.638, -0.335],
        [66.766, -0.734, -0.504], [50.867, -0.153, -0.270], [35.656, -0.421, -1.231], [20.461, -0.079, -0.973],
    ].map { LabColor(l: $0[0], a: $0[1], b: $0[2]) }
}
