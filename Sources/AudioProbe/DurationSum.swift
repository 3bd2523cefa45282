/// A sum of the durations of joined streams. It is exact as long as a common timescale exists.
struct DurationSum {
    private(set) var ticks = 0
    private(set) var timescale = 1
    /// The greatest error of the sum in seconds.
    private(set) var errorBound = 0.0

    /// The timescale that is used when no common timescale of all addends fits.
    private static let nanosecondsPerSecond = 1_000_000_000
    /// The largest common timescale: with it, 2^31 seconds still fit.
    private static let maxTimescale = Int(UInt32.max)

    /// Adds a duration.
    ///
    /// - Parameters:
    ///   - addedTicks: The duration in units of `1 / rate` seconds, below 2^62.
    ///   - rate: Ticks per second, at least 1.
    ///   - addedErrorBound: The greatest error of the duration in seconds.
    mutating func add(ticks addedTicks: Int, timescale rate: Int, errorBound addedErrorBound: Double = 0) {
        errorBound += addedErrorBound
        let common = timescale / Self.greatestCommonDivisor(timescale, rate)
        if let unit = common.multipliedIfNoOverflow(by: rate), unit <= Self.maxTimescale,
            let scaledTicks = ticks.multipliedIfNoOverflow(by: unit / timescale),
            let scaledAddend = addedTicks.multipliedIfNoOverflow(by: unit / rate),
            let sum = scaledTicks.addingIfNoOverflow(scaledAddend)
        {
            (ticks, timescale) = (sum, unit)
            return
        }
        let seconds = Double(ticks) / Double(timescale) + Double(addedTicks) / Double(rate)
        let limit = Double(Int.max >> 1) / Double(Self.nanosecondsPerSecond)
        (ticks, timescale) = (Int(min(seconds, limit) * Double(Self.nanosecondsPerSecond)), Self.nanosecondsPerSecond)
        // Each addition may lose one tick, and what exceeds the 52 bits of the sum's significand.
        errorBound += 1 / Double(Self.nanosecondsPerSecond) + seconds.ulp + max(0, seconds - limit)
    }

    /// Returns the greatest common divisor.
    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}
