/// The weights of one axis in fixed point: for each output sample, where its source samples start and what each counts.
struct FilterCoefficients: Sendable {
    /// The two passes differ in what their sums may hold and in how their loops are padded.
    enum ConvolutionPass: Hashable, Sendable {
        /// 8-bit samples in, taps in pairs: 255 times a sum of up to 2^22 fits 31 bits.
        case vertical
        /// Samples with 6 fractional bits in, taps in sixteens: at more than 16 bits the sum could overflow.
        case horizontal

        fileprivate var maxFractionBits: Int { self == .vertical ? 22 : 16 }
        fileprivate var tapCountMultiple: Int { self == .vertical ? 2 : 16 }
        fileprivate var outputCountMultiple: Int { self == .vertical ? 1 : PixelKernels.outputBlockSize }
    }

    /// Fractional bits of the intermediate samples: with 6, unclipped, the result is within 0.1 dB of float64.
    static let intermediateFractionBits: Int32 = 6

    /// Weights for each output sample, padded with zeros to a multiple of 2 or 16.
    let paddedTapCount: Int
    /// Source samples that an output sample really needs, at most.
    let tapCount: Int
    /// How far the weighted sum is shifted right.
    let rightShift: Int32
    /// The first source sample of each output sample. Horizontally, padded by repeating the last.
    let sourceStarts: ContiguousArray<Int32>
    /// `paddedTapCount` weights for each output sample, which sum to the same power of two exactly.
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

    /// The most fractional bits, 14 at least, with which the largest weight still fits 16 bits.
    private static func coefficientFractionBits(for windows: [FilterWindow], upTo maximum: Int) -> Int {
        let largest = windows.reduce(0) { $1.coefficients.reduce($0) { max($0, abs($1)) } }
        var bits = 14
        while bits < maximum && largest * Double(1 << (bits + 1)) < 32_766 { bits += 1 }
        return bits
    }
}

/// The source samples that one output sample is made of, and their weights, which sum to 1.
private struct FilterWindow {
    var sourceStart: Int
    var coefficients: [Double]

    init(mapping: AxisMapping, outputIndex: Int, filter: ResampleFilter) {
        let scale = max(mapping.sourceSamplesPerOutput, 1)
        let center = mapping.sourceCenter(ofOutputSample: outputIndex)
        let radius = filter.supportRadius * scale
        let first = min(max(Int((center - radius).rounded(.down)), 0), mapping.sourceSampleCount - 1)
        let end = min(max(Int((center + radius).rounded(.up)), first + 1), mapping.sourceSampleCount)
        sourceStart = first
        coefficients = (first..<end).map { filter.weight(atDistance: (Double($0) + 0.5 - center) / scale) }
        // Not when enlarging: a window that is all zeros but for one sample would then start behind the next one's
        // start, and rows that are still needed would be gone.
        if mapping.sourceSamplesPerOutput >= 1 { trimZeroCoefficients() }
        let sum = coefficients.reduce(0, +)
        // A window wholly beside the samples can't happen for a picture's own grid; the nearest sample stands in for
        // it.
        coefficients = sum > 0 ? coefficients.map { $0 / sum } : [1]
    }

    private mutating func trimZeroCoefficients() {
        let leading = coefficients.prefix { $0 == 0 }.count
        let trailing = coefficients.dropFirst(leading).reversed().prefix { $0 == 0 }.count
        coefficients = Array(coefficients.dropFirst(leading).dropLast(trailing))
        if !coefficients.isEmpty { sourceStart += leading }
    }

    /// The weights times 2^bits, rounded so that they sum to it exactly: each takes the rounding error of those before
    /// it along. A flat picture so stays exactly flat.
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
