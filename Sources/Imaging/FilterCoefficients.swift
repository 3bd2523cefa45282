/// The filter coefficients of one axis in fixed point, with the first source sample of each output sample.
struct FilterCoefficients: Sendable {
    /// The pass that uses the coefficients. The passes differ in the precision of their sums and the padding of their
    /// loops.
    enum ConvolutionPass: Hashable, Sendable {
        /// 8-bit samples, taps in pairs. 255 times a coefficient sum of up to 2^22 fits in 31 bits.
        case vertical
        /// The same with samples of up to 12 bits, and as many fewer in a coefficient.
        case wideVertical(sampleBitCount: Int)
        /// Samples with 6 fractional bits, taps in groups of 16. With more than 16 fraction bits the sum could
        /// overflow.
        case horizontal

        fileprivate var maxFractionBits: Int {
            switch self {
            case .vertical: 22
            case .wideVertical(let sampleBitCount): 30 - sampleBitCount
            case .horizontal: 16
            }
        }

        /// The fractional bits that the pass adds to those of its samples, in units of 8 bits. The last one removes
        /// them.
        fileprivate var addedFractionBits: Int32 {
            switch self {
            case .vertical: FilterCoefficients.intermediateFractionBits
            case .wideVertical(let sampleBitCount):
                FilterCoefficients.intermediateFractionBits - Int32(sampleBitCount - 8)
            case .horizontal: -FilterCoefficients.intermediateFractionBits
            }
        }

        fileprivate var tapCountMultiple: Int { self == .horizontal ? 16 : 2 }
        fileprivate var outputCountMultiple: Int { self == .horizontal ? PixelKernels.outputBlockSize : 1 }
    }

    /// The fractional bits of the intermediate samples. With 6 and no clipping, the result is within 0.1 dB of float64.
    static let intermediateFractionBits: Int32 = 6

    /// The number of coefficients for each output sample, padded with zeros to a multiple of 2 or 16.
    let paddedTapCount: Int
    /// The maximum number of source samples that one output sample uses, without padding.
    let tapCount: Int
    /// The right shift of the sums, in bits.
    let rightShift: Int32
    /// The first source sample of each output sample. For the horizontal pass the last one is repeated as padding.
    let sourceStarts: ContiguousArray<Int32>
    /// `paddedTapCount` coefficients for each output sample. The sum of each is exactly the same power of two.
    let values: ContiguousArray<Int16>
    /// The largest of `sourceStarts`.
    let maxSourceStart: Int

    init(mapping: AxisMapping, filter: ResampleFilter, pass: ConvolutionPass) {
        let windows = FilterWindows(mapping: mapping, filter: filter)
        let maxTapCount = windows.distinct.map(\.coefficients.count).max() ?? 1
        let fractionBits = Self.coefficientFractionBits(for: windows.distinct, upTo: pass.maxFractionBits)
        let taps = maxTapCount.roundedUp(toMultipleOf: pass.tapCountMultiple)
        let count = windows.uses.count.roundedUp(toMultipleOf: pass.outputCountMultiple)
        let paddedCoefficients = windows.distinct.map { window in
            let coefficients = window.fixedPointCoefficients(fractionBits: fractionBits)
            return coefficients + repeatElement(0, count: taps - coefficients.count)
        }

        var starts: ContiguousArray<Int32> = []
        var weights: ContiguousArray<Int16> = []
        starts.reserveCapacity(count)
        weights.reserveCapacity(count * taps)
        for output in 0..<count {
            let use = windows.uses[min(output, windows.uses.count - 1)]
            starts.append(Int32(use.sourceStart))
            weights += paddedCoefficients[use.index]
        }
        self.paddedTapCount = taps
        tapCount = maxTapCount
        rightShift = Int32(fractionBits) - pass.addedFractionBits
        self.sourceStarts = starts
        self.values = weights
        maxSourceStart = Int(starts.max() ?? 0)
    }

    /// Returns the most fraction bits, at least 14, with which the largest coefficient fits in 16 bits.
    private static func coefficientFractionBits(for windows: [FilterWindow], upTo maximum: Int) -> Int {
        let largest = windows.reduce(0) { $1.coefficients.reduce($0) { max($0, abs($1)) } }
        var bits = 14
        while bits < maximum && largest * Double(1 << (bits + 1)) < 32_766 { bits += 1 }
        return bits
    }
}

/// The windows of all output samples.
///
/// The positions of output samples between source samples repeat: 4,032 samples to 1,024 are 63 to 16, so that all but
/// the windows at the edges are 16 windows. Computing each one took 3% of the instructions of preparing a photo.
private struct FilterWindows {
    private(set) var distinct: [FilterWindow] = []
    /// The window of each output sample, by its index among the distinct ones, and where it starts.
    private(set) var uses: [(index: Int, sourceStart: Int)] = []

    init(mapping: AxisMapping, filter: ResampleFilter) {
        let (period, shift) = mapping.period
        uses.reserveCapacity(mapping.outputSampleCount)
        for output in 0..<mapping.outputSampleCount {
            if output >= period {
                let last = uses[output - period], window = distinct[last.index]
                let start = last.sourceStart + shift
                if window.isWhole, start + window.coefficients.count <= mapping.sourceSampleCount {
                    uses.append((last.index, start))
                    continue
                }
            }
            let window = FilterWindow(mapping: mapping, outputIndex: output, filter: filter)
            uses.append((distinct.count, window.sourceStart))
            distinct.append(window)
        }
    }
}

/// The source samples of one output sample and their coefficients, which sum to 1.
private struct FilterWindow {
    var sourceStart: Int
    var coefficients: [Double]
    /// Whether the edges of the image cut nothing off.
    var isWhole: Bool

    init(mapping: AxisMapping, outputIndex: Int, filter: ResampleFilter) {
        let scale = max(mapping.sourceSamplesPerOutput, 1)
        let center = mapping.sourceCenter(ofOutputSample: outputIndex)
        let radius = filter.supportRadius * scale + (mapping.shrinkFactor == 2 ? 1 : 0)
        let support = Int((center - radius).rounded(.down))..<Int((center + radius).rounded(.up))
        let first = min(max(support.lowerBound, 0), mapping.sourceSampleCount - 1)
        let end = min(max(support.upperBound, first + 1), mapping.sourceSampleCount)
        sourceStart = first
        isWhole = support == first..<end
        coefficients = (first..<end).map { sample in
            func weight(offset: Double) -> Double {
                filter.weight(atDistance: (Double(sample) + 0.5 + offset - center) / scale)
            }
            // The average of two samples at frequency f, in cycles per average, is attenuated to cos(πf / 2). This
            // amplifies it by the same up to the second order: 1 + (πf)² / 8. It halves the error at a reduction of 6.
            return mapping.shrinkFactor == 2
                ? (34 * weight(offset: 0) - weight(offset: -1) - weight(offset: 1)) / 32 : weight(offset: 0)
        }
        // Not when enlarging: a window with zeros for all but one sample would then start after the next window's
        // start, and rows that are still needed would have been dropped.
        if mapping.sourceSamplesPerOutput >= 1 { trimZeroCoefficients() }
        let sum = coefficients.reduce(0, +)
        // The grid of an image has no window without samples. If one occurred, the nearest sample would be used.
        coefficients = sum > 0 ? coefficients.map { $0 / sum } : [1]
    }

    private mutating func trimZeroCoefficients() {
        let leading = coefficients.prefix { $0 == 0 }.count
        let trailing = coefficients.dropFirst(leading).reversed().prefix { $0 == 0 }.count
        coefficients = Array(coefficients.dropFirst(leading).dropLast(trailing))
        if !coefficients.isEmpty { sourceStart += leading }
    }

    /// Returns the coefficients times 2^bits, rounded so that their sum is exactly 2^bits.
    ///
    /// Each coefficient carries the rounding error of those before it, so a uniform image stays exactly uniform.
    func fixedPointCoefficients(fractionBits: Int) -> [Int16] {
        let one = Double(1 << fractionBits)
        var exact = 0.0
        var rounded = 0
        return coefficients.indices.map { k in
            exact += coefficients[k] * one
            let next = k == coefficients.count - 1 ? 1 << fractionBits : Int(exact.rounded(.toNearestOrEven))
            defer { rounded = next }
            return Int16(next - rounded)
        }
    }
}
