/// The weights of one axis in fixed point: for each output sample, where its source samples start and what each counts.
struct WeightTable: Sendable {
    /// The two passes differ in what their sums may hold and in how their loops are padded.
    enum Pass: Hashable, Sendable {
        /// 8-bit samples in, taps in pairs: 255 times a sum of up to 2^22 fits 31 bits.
        case vertical
        /// Samples with 6 fractional bits in, taps in sixteens: at more than 16 bits the sum could overflow.
        case horizontal

        fileprivate var maximumShift: Int { self == .vertical ? 22 : 16 }
        fileprivate var tapUnit: Int { self == .vertical ? 2 : 16 }
        fileprivate var outputUnit: Int { self == .vertical ? 1 : Kernels.outputBlock }
    }

    /// Fractional bits of the intermediate samples: with 6, unclipped, the result is within 0.1 dB of float64.
    static let intermediateBits: Int32 = 6

    /// Weights for each output sample, padded with zeros to a multiple of 2 or 16.
    let taps: Int
    /// Source samples that an output sample really needs, at most.
    let neededTaps: Int
    /// How far the weighted sum is shifted right.
    let shift: Int32
    /// The first source sample of each output sample. Horizontally, padded by repeating the last.
    let starts: ContiguousArray<Int32>
    /// `taps` weights for each output sample, which sum to the same power of two exactly.
    let weights: ContiguousArray<Int16>
    /// The largest of `starts`.
    let lastStart: Int

    init(_ mapping: AxisMapping, filter: ResampleFilter, pass: Pass) {
        let windows = (0..<mapping.outputCount).map { Window(mapping, output: $0, filter: filter) }
        let needed = windows.map(\.weights.count).max() ?? 1
        let bits = Self.weightBits(for: windows, upTo: pass.maximumShift)
        let taps = needed.roundedUp(to: pass.tapUnit)
        let count = windows.count.roundedUp(to: pass.outputUnit)

        var starts: ContiguousArray<Int32> = []
        var weights: ContiguousArray<Int16> = []
        starts.reserveCapacity(count)
        weights.reserveCapacity(count * taps)
        for output in 0..<count {
            let window = windows[min(output, windows.count - 1)]
            starts.append(Int32(window.start))
            weights += window.fixedPoint(bits: bits)
            weights += repeatElement(0, count: (output + 1) * taps - weights.count)
        }
        self.taps = taps
        neededTaps = needed
        shift = Int32(bits) + (pass == .vertical ? -Self.intermediateBits : Self.intermediateBits)
        self.starts = starts
        self.weights = weights
        lastStart = Int(starts.max() ?? 0)
    }

    /// The most fractional bits, 14 at least, with which the largest weight still fits 16 bits.
    private static func weightBits(for windows: [Window], upTo maximum: Int) -> Int {
        let largest = windows.reduce(0) { $1.weights.reduce($0) { max($0, abs($1)) } }
        var bits = 14
        while bits < maximum && largest * Double(1 << (bits + 1)) < 32_766 { bits += 1 }
        return bits
    }
}

/// The source samples that one output sample is made of, and their weights, which sum to 1.
private struct Window {
    var start: Int
    var weights: [Double]

    init(_ mapping: AxisMapping, output: Int, filter: ResampleFilter) {
        let scale = max(mapping.ratio, 1)
        let center = mapping.center(of: output)
        let reach = filter.support * scale
        let first = min(max(Int((center - reach).rounded(.down)), 0), mapping.sourceCount - 1)
        let end = min(max(Int((center + reach).rounded(.up)), first + 1), mapping.sourceCount)
        start = first
        weights = (first..<end).map { filter.weight((Double($0) + 0.5 - center) / scale) }
        // Not when enlarging: a window that is all zeros but for one sample would then start behind the next one's start,
        // and rows that are still needed would be gone.
        if mapping.ratio >= 1 { trimZeros() }
        let sum = weights.reduce(0, +)
        // A window wholly beside the samples can't happen for a picture's own grid; the nearest sample stands in for it.
        weights = sum > 0 ? weights.map { $0 / sum } : [1]
    }

    private mutating func trimZeros() {
        let leading = weights.prefix { $0 == 0 }.count
        let trailing = weights.dropFirst(leading).reversed().prefix { $0 == 0 }.count
        weights = Array(weights.dropFirst(leading).dropLast(trailing))
        if !weights.isEmpty { start += leading }
    }

    /// The weights times 2^bits, rounded so that they sum to it exactly: each takes the rounding error of those before
    /// it along. A flat picture so stays exactly flat.
    func fixedPoint(bits: Int) -> [Int16] {
        let one = Double(1 << bits)
        var exact = 0.0
        var rounded = 0
        return weights.indices.map { k in
            exact += weights[k] * one
            let next = k == weights.count - 1 ? 1 << bits : Int(exact.rounded(.toNearestOrEven))
            defer { rounded = next }
            return Int16(next - rounded)
        }
    }
}
