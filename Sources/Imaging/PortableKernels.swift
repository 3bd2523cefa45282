/// The resampler's two inner loops in plain Swift. This is the specification: every other implementation must
/// produce the same bits. The layouts and units are those of `Kernels`.
enum PortableKernels {
    /// Samples of the intermediate row that are summed at a time: the sums of a block stay in the first-level cache.
    private static let block = 64

    static func blendRows(
        _ rows: Span<UInt8>, offsets: Span<Int32>, weights: Span<Int16>, shift: Int32, columns: Int,
        into target: inout [Int16]
    ) {
        var out = target.mutableSpan
        var sums = [Int32](repeating: 0, count: block)
        let half = Int32(1) << (shift - 1)
        var x = 0
        while x < columns {
            var accumulators = sums.mutableSpan
            for i in 0..<block { accumulators[i] = half }
            for k in weights.indices {
                let row = rows.extracting((Int(offsets[k]) + x)..<(Int(offsets[k]) + x + block))
                let weight = Int32(weights[k])
                for i in 0..<block { accumulators[i] &+= weight &* Int32(row[i]) }
            }
            for i in 0..<block { out[x + i] = Int16(truncatingIfNeeded: accumulators[i] >> shift) }
            x += block
        }
    }

    static func convolveRow(
        _ row: Span<Int16>, starts: Span<Int32>, weights: Span<Int16>, taps: Int, shift: Int32,
        into target: inout [UInt8], at start: Int
    ) {
        var out = target.mutableSpan
        let half = Int32(1) << (shift - 1)
        for i in starts.indices {
            let window = row.extracting(Int(starts[i])..<(Int(starts[i]) + taps))
            let factors = weights.extracting((i * taps)..<((i + 1) * taps))
            var sum = half
            for k in 0..<taps { sum &+= Int32(window[k]) &* Int32(factors[k]) }
            out[start + i] = UInt8(clamping: sum >> shift)
        }
    }
}
