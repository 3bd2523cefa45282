/// Formats numbers with a fixed number of decimals, without a formatter and its locale data.
package enum DecimalFormat {
    /// Returns `value` with `fractionDigits` decimals. NaN is formatted as 0. The magnitude of the scaled value is
    /// limited to 9 × 10^18.
    package static func string(from value: Double, fractionDigits: Int) -> String {
        let scale = (0..<fractionDigits).reduce(1) { product, _ in product * 10 }
        let scaled = Int(saturating: (abs(value) * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        return "\(value < 0 && scaled > 0 ? "-" : "")\(scaled / scale)."
            + String(repeating: "0", count: fractionDigits - fraction.count) + fraction
    }
}

extension Int {
    /// Creates the integral part of `value`, limited to ±9 × 10^18, or 0 for NaN.
    package init(saturating value: Double) { self = value.isNaN ? 0 : Int(Swift.max(-9e18, Swift.min(value, 9e18))) }
}

extension Duration {
    /// The duration in milliseconds, truncated to three decimals.
    package var milliseconds: Double {
        let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        return Double(microseconds) / 1000
    }
}
