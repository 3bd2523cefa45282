/// A histogram of the powers of short windows of audio, which tells sound from the noise between.
///
/// A power is a mean square, where 1 is the power of a full-scale square wave. The windows are those of the whole
/// audio, but memory is constant. Bins are found from the bits of a number, without a logarithm, and are the same on
/// every machine.
///
/// ```
///  windows
///     |     ##                                quiet: a tenth of the windows is at most this loud
///     |    ####               ######          background: up to 6 dB above quiet; its mean is the noise floor
///     |   ######           ###########        active: above that, and above silence
///     +-------|----|-----------------------> power
///           quiet  +6 dB
/// ```
struct WindowPowerHistogram {
    /// Each octave of power has 32 bins of equal width: each of them is 0.09 to 0.14 dB wide.
    private static let mantissaBits = 5
    private static let binsPerOctave = 1 << mantissaBits
    /// -144.5 dB, the least step of 24 bits. Windows below it are in bin 0 and count as digital silence.
    private static let lowestPower = 0x1p-48
    /// 24 dB, which only floating-point samples exceed.
    private static let highestPower = 0x1p8
    /// Two octaves of power: a factor of 4, or 6 dB.
    private static let backgroundBins = 2 * binsPerOctave
    /// The least number of windows of which the quietest tenth is a window.
    private static let minWindowCount = 10

    /// The highest power of silence, -60 dB.
    static let silencePower = 1e-6

    /// The number of windows.
    private(set) var windowCount = 0
    /// The number of windows in each bin.
    private var counts: [Int]
    /// The sum of the powers of the windows in each bin.
    private var powerSums: [Double]

    init() {
        let binCount = Self.bin(of: Self.highestPower) + 1
        counts = [Int](repeating: 0, count: binCount)
        powerSums = [Double](repeating: 0, count: binCount)
    }

    private static func bin(of power: Double) -> Int {
        guard power >= lowestPower else { return 0 }
        let shift = Double.significandBitCount - mantissaBits
        return 1 + Int(min(power, highestPower).bitPattern >> shift) - Int(lowestPower.bitPattern >> shift)
    }

    /// Adds the power of the next window.
    mutating func addWindow(power: Double) {
        let bin = Self.bin(of: power)
        windowCount += 1
        counts[bin] += 1
        powerSums[bin] += power
    }

    /// The share of windows that are silent; 1 without windows.
    var silentShare: Double {
        1 - share(count(in: Self.bin(of: Self.silencePower) + 1..<counts.count))
    }

    /// The share of windows that are active; 0 without windows.
    var activeShare: Double { share(count(in: activeBins)) }

    /// The mean power of active windows; of all windows if none is active.
    var activePower: Double {
        meanPower(in: activeBins) ?? (windowCount > 0 ? powerSums.reduce(0, +) / Double(windowCount) : 0)
    }

    /// The mean power of the background; 0 for digital silence, and `nil` if there are too few windows.
    var noisePower: Double? {
        quietBin.map { $0 == 0 ? 0 : meanPower(in: 1..<min($0 + Self.backgroundBins + 1, counts.count)) ?? 0 }
    }

    /// The power of the active windows without that of the background, in units of the latter; `nil` if no window is
    /// active, or the background is unknown or digital silence.
    var signalToNoiseRatio: Double? {
        guard let noisePower, noisePower > 0, let activePower = meanPower(in: activeBins) else { return nil }
        return (activePower - noisePower) / noisePower
    }

    /// The bin of the power that a tenth of the windows does not exceed, or `nil` if there are too few.
    private var quietBin: Int? {
        guard windowCount >= Self.minWindowCount else { return nil }
        var quieterCount = 0
        return counts.firstIndex {
            quieterCount += $0
            return quieterCount > windowCount / 10
        }
    }

    private var activeBins: Range<Int> {
        let background = quietBin.map { $0 + Self.backgroundBins } ?? 0
        return min(max(background, Self.bin(of: Self.silencePower)) + 1, counts.count)..<counts.count
    }

    private func count(in bins: Range<Int>) -> Int { counts[bins].reduce(0, +) }

    private func share(_ count: Int) -> Double { windowCount > 0 ? Double(count) / Double(windowCount) : 0 }

    private func meanPower(in bins: Range<Int>) -> Double? {
        let count = count(in: bins)
        return count > 0 ? powerSums[bins].reduce(0, +) / Double(count) : nil
    }
}
