/// The filter coefficients of one axis in fixed point, with the first source sample of each output sample.
struct FilterCoefficients: Sendable {
    /// The pass that uses the coefficients. The passes differ in the precision of their sums and the padding of their
    /// loops.
    enum ConvolutionPass: Hashable, Sendable {
        /// 8-bit samples, taps in pairs. 255 times a coefficient sum of up to 2^22 fits in 31 bits.
        case vertical
        /// Samples with 6 fractional bits, taps in groups of 16. With more than 16 fraction bits the sum could
        /// overflow.
        case horizontal

        fileprivate var maxFractionBits: Int { self == .vertical ? 22 : 16 }
        fileprivate var tapCountMultiple: Int { self == .vertical ? 2 : 16 }
        fileprivate var outputCountMultiple: Int { self == .vertical ? 1 : PixelKernels.outputBlockSize }
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
        let windows = (0..<mapping.outputSampleCount).map {
            FilterWindow(mapping: mapping, outputIndex: $0, filter: filter)
        }
        let maxTapCount = windows.map(\.coefficients.count).max() ?? 1
        let fractionBits = Self.coefficientFractionBits(for: windows, upTo: pass.maxFractionBits)
        let taps = maxTapCount.roundedUp(toMultipleOf: pass.tapCountMultiple)
        let count = windows.count.roundedUp(toMultipleOf: pass.outputCountMultiple)

        var starts: ContiguousArray<Int32> = []
        var weights: ContiguousArray<Int16> = []
        starts.reserveCapacity(count)
        weights.reserveCapacity(count * taps)
        for output in 0..<count {
            let window = windows[min(output, windows.count - 1)]
            starts.append(Int32(window.sourceStart))
            weights += window.fixedPointCoefficients(fractionBits: fractionBits)
            weights += repeatElement(0, count: (output + 1) * taps - weights.count)
        }
        self.paddedTapCount = taps
        tapCount = maxTapCount
        rightShift =
            Int32(fractionBits) + (pass == .vertical ? -Self.intermediateFractionBits : Self.intermediateFractionBits)
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

/// The source samples of one output sample and their coefficients, which sum to 1.
private struct FilterWindow {
    var sourceStart: Int
    var coefficients: [Double]

    init(mapping: AxisMapping, outputIndex: Int, filter: ResampleFilter) {
        let scale = max(mapping.sourceSamplesPerOutput, 1)
        let center = mapping.sourceCenter(ofOutputSample: outputIndex)
        let radius = filter.supportRadius * scale + (mapping.shrinkFactor == 2 ? 1 : 0)
        let first = min(max(Int((center - radius).rounded(.down)), 0), mapping.sourceSampleCount - 1)
        let end = min(max(Int((center + radius).rounded(.up)), first + 1), mapping.sourceSampleCount)
        sourceStart = first
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
