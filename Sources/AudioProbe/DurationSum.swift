/// Durations of recordings that follow one another, added up exactly as long as a common unit can be had.
struct DurationSum {
    private(set) var ticks = 0
    private(set) var timescale = 1
    /// Seconds that it may be off by.
    private(set) var errorBound = 0.0

    /// Used once no unit of all rates is at hand.
    private static let nanoseconds = 1_000_000_000
    /// Units up to here, so that 2^31 seconds fit.
    private static let largest = Int(UInt32.max)

    /// - Parameters:
    ///   - more: below 2^62.
    ///   - rate: at least 1.
    ///   - doubt: seconds that it may be off by.
    mutating func add(_ more: Int, per rate: Int, offBy doubt: Double = 0) {
        errorBound += doubt
        let common = timescale / Self.divisor(timescale, rate)
        if let unit = common.multiplied(by: rate), unit <= Self.largest,
            let here = ticks.multiplied(by: unit / timescale), let there = more.multiplied(by: unit / rate),
            let sum = here.adding(there)
        {
            (ticks, timescale) = (sum, unit)
            return
        }
        let seconds = Double(ticks) / Double(timescale) + Double(more) / Double(rate)
        let limit = Double(Int.max >> 1) / Double(Self.nanoseconds)
        (ticks, timescale) = (Int(min(seconds, limit) * Double(Self.nanoseconds)), Self.nanoseconds)
        // A unit for each addition, and what 52 bits of a sum leave out.
        errorBound += 1 / Double(Self.nanoseconds) + seconds.ulp + max(0, seconds - limit)
    }

    /// The greatest common divisor.
    private static func divisor(_ a: Int, _ b: Int) -> Int {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}
