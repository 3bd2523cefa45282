/// A sample rate that need not be an integer, as in AIFF and CAF: early Macs recorded at 22,254.5454 Hz.
struct SampleRate {
    /// Samples per second, rounded.
    let roundedHertz: Int
    /// Ticks per second for durations.
    private let timescale: Int
    /// Ticks per sample.
    private let ticksPerSample: Int
    /// The relative error of a duration in these ticks.
    private let relativeError: Double

    /// Creates an integer sample rate, which must be positive.
    init(_ rate: Int) {
        roundedHertz = rate
        timescale = rate
        ticksPerSample = 1
        relativeError = 0
    }

    /// Creates a sample rate from a number. Returns `nil` for less than 1 Hz, more than 32 bits, or NaN.
    init?(_ rate: Double) {
        guard rate >= 1, rate <= 0xFFFF_FFFF else { return nil }
        roundedHertz = Int(rate.rounded())
        // 16 fractional bits, as on early Macs.
        let scaled = (rate * 65_536).rounded()
        let isWhole = rate == rate.rounded()
        timescale = isWhole ? roundedHertz : Int(scaled)
        ticksPerSample = isWhole ? 1 : 65_536
        relativeError = isWhole ? 0 : abs(scaled / (rate * 65_536) - 1)
    }

    /// Creates a sample rate from an 80-bit IEEE 754 number: a sign, 15 exponent bits, and 64 bits of significand with
    /// its leading 1.
    ///
    /// - Parameters:
    ///   - exponent: The first 16 bits.
    ///   - significand: The other 64 bits.
    init?(extendedExponent exponent: Int, significand: UInt64) {
        guard exponent < 0x7FFF else { return nil }
        self.init(Double(sign: .plus, exponent: exponent - 16_383 - 63, significand: Double(significand)))
    }

    /// Returns the duration of a number of samples.
    ///
    /// - Throws: ``AudioError/Code/damaged`` if the number of ticks overflows.
    func duration(sampleCount: Int, method: AudioDuration.Method) throws(AudioError) -> AudioDuration {
        guard let ticks = sampleCount.multipliedIfNoOverflow(by: ticksPerSample) else {
            throw AudioError.tooManySamples
        }
        let seconds = Double(ticks) / Double(timescale)
        return AudioDuration(ticks: ticks, timescale: timescale, method: method, errorBound: seconds * relativeError)
    }
}

extension AudioError {
    /// The error for a number of samples that overflows an `Int`.
    static let tooManySamples = AudioError(.damaged, message: "the number of samples in the header is too large")
}
