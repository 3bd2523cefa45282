extension Int {
    /// Returns the product, or `nil` on overflow.
    func multipliedIfNoOverflow(by other: Int) -> Int? {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? nil : product
    }

    /// Returns the sum, or `nil` on overflow.
    func addingIfNoOverflow(_ other: Int) -> Int? {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? nil : sum
    }

    /// Returns `self * factor / divisor`, clamped to `Int.max`.
    ///
    /// - Parameters:
    ///   - factor: The factor.
    ///   - divisor: The divisor.
    ///   - roundingUp: `true` to round up, `false` to round down, or `nil` to round to the nearest integer.
    /// - Precondition: None of the numbers is negative.
    func scaled(by factor: Int, dividedBy divisor: Int, roundingUp: Bool? = nil) -> Int {
        if factor == divisor { return self }
        let product = UInt(self).multipliedFullWidth(by: UInt(factor))
        let addend = roundingUp.map { $0 ? UInt(divisor) - 1 : 0 } ?? UInt(divisor) / 2
        let (low, carry) = product.low.addingReportingOverflow(addend)
        let high = product.high + (carry ? 1 : 0)
        if divisor == 0 || high >= UInt(divisor) { return .max }
        return Int(clamping: UInt(divisor).dividingFullWidth((high, low)).quotient)
    }
}
