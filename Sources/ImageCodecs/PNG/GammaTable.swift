/// Gamma correction for a PNG with a gAMA chunk other than the usual 1/2.2.
///
/// Source: W3C PNG, third edition, 11.3.2.2 and 13.13.
enum GammaTable {
    /// Returns a table of 256 values, or `nil` if the gamma is missing or within 5% of 1/2.2.
    static func makeTable(fileGamma: Int) -> [UInt8]? {
        guard fileGamma > 0, abs(fileGamma - 45_455) > 2_273 else { return nil }
        let exponent = 45_455 / Double(fileGamma)
        return (0...255).map { value in
            value == 0
                ? 0
                : UInt8(
                    (255 * PortableMath.power(base: Double(value) / 255, exponent: exponent))
                        .rounded(.toNearestOrAwayFromZero))
        }
    }
}
