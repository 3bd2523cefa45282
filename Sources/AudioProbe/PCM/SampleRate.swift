/// A sample rate that need not be a whole number, as AIFF and CAF write it: the first Macs recorded at 22,254.5454 Hz.
struct SampleRate {
    /// Samples a second, rounded.
    let roundedHertz: Int
    /// Parts of a second in which durations are counted, and how many of them a sample takes.
    private let timescale: Int
    private let ticksPerSample: Int
    /// By how much of itself a duration counted so may be off.
    private let relativeError: Double

    /// A whole number, which is positive.
    init(_ rate: Int) {
        roundedHertz = rate
        timescale = rate
        ticksPerSample = 1
        relativeError = 0
    }

    /// Nil for what is no rate: less than 1 Hz, above 32 bits, or not a number.
    init?(_ rate: Double) {
        guard rate >= 1, rate <= 0xFFFF_FFFF else { return nil }
        roundedHertz = Int(rate.rounded())
        // 16 bits of fraction, as the first Macs had them.
        let scaled = (rate * 65_536).rounded()
        let isWhole = rate == rate.rounded()
        timescale = isWhole ? roundedHertz : Int(scaled)
        ticksPerSample = isWhole ? 1 : 65_536
        relativeError = isWhole ? 0 : abs(scaled / (rate * 65_536) - 1)
    }

    /// An IEEE 754 number of 80 bits: a sign, 15 bits of exponent, and 64 of significand with its leading 1.
    ///
    /// - Parameters:
    ///   - exponent: the first 16 bits.
    ///   - significand: the others.
    init?(extendedExponent exponent: Int, significand: UInt64) {
        guard exponent < 0x7FFF else { return nil }
        self.init(Double(sign: .plus, exponent: exponent - 16_383 - 63, significand: Double(significand)))
    }

    /// How long so many samples last.
    ///
    /// - Throws: `damaged` if they are too many to count.
    func duration(sampleCount: Int, method: AudioDuration.Method) throws(AudioError) -> AudioDuration {
        guard let ticks = sampleCount.multipliedIfNoOverflow(by: ticksPerSample) else {
            throw AudioError.tooManySamples
        }
        let seconds = Double(ticks) / Double(timescale)
        return AudioDuration(ticks: ticks, timescale: timescale, method: method, errorBound: seconds * relativeError)
    }
}

extension AudioError {
    /// Samples that no `Int` counts.
    static let tooManySamples = AudioError(.damaged, message: "the header claims more samples than can be counted")
}
