/// Durations of recordings that follow one another, added up exactly as long as a common unit can be had.
struct DurationSum {
    private(set) var ticks = 0
    private(set) var timescale = 1
    /// Seconds that it may be off by.
    private(set) var errorBound = 0.0

    /// Used once no unit of all rates is at hand.
    private static let nanosecondsPerSecond = 1_000_000_000
    /// Units up to here, so that 2^31 seconds fit.
    private static let maxTimescale = Int(UInt32.max)

    /// - Parameters:
    ///   - addedTicks: below 2^62.
    ///   - rate: at least 1.
    ///   - addedErrorBound: seconds that it may be off by.
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
        // A unit for each addition, and what 52 bits of a sum leave out.
        errorBound += 1 / Double(Self.nanosecondsPerSecond) + seconds.ulp + max(0, seconds - limit)
    }

    /// The greatest common divisor.
    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}
