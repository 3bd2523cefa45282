/// The compression of highlights to a darker display: the EETF of ITU-R BT.2390, without a lift of black.
///
/// Light below the knee stays as it is. The knee is at 88 cd/m² if a peak of 1000 is compressed to one of 203, which is
/// level 176 of sRGB. Between knee and peak it is a Hermite spline of PQ-encoded values.
struct HighlightCompression {
    private let sourcePeak, knee, targetPeak: Double

    /// Creates the compression.
    ///
    /// - Parameters:
    ///   - sourcePeak: The brightest light of the image, in cd/m².
    ///   - targetPeak: The light that it becomes, in cd/m².
    init(from sourcePeak: Double, to targetPeak: Double) {
        self.sourcePeak = PerceptualQuantizer.encoded(fromLuminance: sourcePeak)
        self.targetPeak = min(PerceptualQuantizer.encoded(fromLuminance: targetPeak) / self.sourcePeak, 1)
        knee = 1.5 * self.targetPeak - 0.5
    }

    /// Returns the compressed light of an unbounded one, both in cd/m².
    func callAsFunction(_ luminance: Double) -> Double {
        let value = min(PerceptualQuantizer.encoded(fromLuminance: luminance) / sourcePeak, 1)
        guard value > knee, knee < 1 else {
            return min(luminance, PerceptualQuantizer.luminance(fromEncoded: sourcePeak))
        }
        let t = (value - knee) / (1 - knee), t2 = t * t, t3 = t2 * t
        let spline: Double =
            (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * targetPeak
        return PerceptualQuantizer.luminance(fromEncoded: spline * sourcePeak)
    }
}
