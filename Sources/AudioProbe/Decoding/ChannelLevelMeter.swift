/// Measures one channel of audio as it is decoded.
struct ChannelLevelMeter {
    /// The sums of some of the channel's samples.
    private struct SampleSums {
        var sampleCount = 0
        var sum = 0.0
        var sumOfSquares = 0.0

        /// The mean power without the DC offset.
        var power: Double {
            let count = Double(sampleCount)
            return sampleCount > 0 ? max(0, (sumOfSquares - sum * sum / count) / count) : 0
        }

        mutating func add(_ other: SampleSums) {
            sampleCount += other.sampleCount
            sum += other.sum
            sumOfSquares += other.sumOfSquares
        }
    }

    /// The number of consecutive samples at full scale that count as clipping. The peak of a sound that was scaled to
    /// full scale has one or two.
    private static let minClippedRunLength = 3

    /// The highest absolute sample that is finite.
    private(set) var peakMagnitude: Float = 0
    /// Samples at full scale or beyond, and samples that are not finite.
    private(set) var fullScaleSampleCount = 0
    /// Those of them that are in runs of at least ``minClippedRunLength``.
    private(set) var clippedSampleCount = 0
    /// The power of the loudest block without its DC offset.
    private(set) var loudestBlockPower = 0.0

    private var runLength = 0
    private var total = SampleSums()
    private var block = SampleSums()
    private var window = SampleSums()

    /// The sum of the squares of all finite samples.
    var sumOfSquares: Double { total.sumOfSquares }
    /// The mean sample; 0 without samples.
    var dcOffset: Double { total.sampleCount > 0 ? total.sum / Double(total.sampleCount) : 0 }

    /// Adds samples of the channel to the current window.
    ///
    /// - Parameters:
    ///   - samples: Interleaved samples of all channels.
    ///   - indices: The indices of the samples of this channel.
    ///   - clippingThreshold: The lowest absolute sample at full scale.
    mutating func addSamples(_ samples: [Float], at indices: StrideTo<Int>, clippingThreshold: Float) {
        // Local variables stay in registers.
        var (sums, peak, runLength) = (window, peakMagnitude, runLength)
        for index in indices {
            let sample = samples[index]
            let magnitude = abs(sample)
            // False for NaN, too.
            if magnitude < clippingThreshold {
                runLength = 0
            } else {
                runLength += 1
                addFullScaleSample(runLength: runLength)
                guard magnitude.isFinite else { continue }
            }
            if magnitude > peak { peak = magnitude }
            sums.sampleCount += 1
            sums.sum += Double(sample)
            sums.sumOfSquares += Double(sample) * Double(sample)
        }
        (window, peakMagnitude, self.runLength) = (sums, peak, runLength)
    }

    private mutating func addFullScaleSample(runLength: Int) {
        fullScaleSampleCount += 1
        if runLength == Self.minClippedRunLength {
            clippedSampleCount += Self.minClippedRunLength
        } else if runLength > Self.minClippedRunLength {
            clippedSampleCount += 1
        }
    }

    /// Ends the current window, and returns its power without the DC offset.
    mutating func finishWindow() -> Double {
        let power = window.power
        total.add(window)
        block.add(window)
        window = SampleSums()
        return power
    }

    /// Ends the current block, and returns its power without the DC offset.
    mutating func finishBlock() -> Double {
        let power = block.power
        loudestBlockPower = max(loudestBlockPower, power)
        block = SampleSums()
        return power
    }
}
