/// The inner loops of resampling and of colour conversion in plain Swift. This is the specification: every other implementation must
/// produce the same bits. The layouts and units are those of `Kernels`.
enum PortableKernels {
    /// Samples of the intermediate row that are summed at a time: the sums of a block stay in the first-level cache.
    private static let block = 64

    static func blendRows(
        _ rows: Span<UInt8>, offsets: Span<Int32>, weights: Span<Int16>, shift: Int32, columns: Int,
        into target: inout ContiguousArray<Int16>
    ) {
        var out = target.mutableSpan
        var sums = ContiguousArray<Int32>(repeating: 0, count: block)
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
        into target: inout ContiguousArray<UInt8>, at start: Int
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

    /// Those in `range` of the pixels.
    static func convertPixels(
        _ pixels: Span<UInt8>, _ range: Range<Int>, over background: [UInt8]?,
        into planes: inout ContiguousArray<UInt8>,
        at starts: [Int]
    ) {
        var samples = planes.mutableSpan
        let channels = background == nil ? 3 : 4
        let (y, cb, cr) = (starts[0], starts[1], starts[2])
        for x in range {
            var (r, g, b) = (pixels[x * channels], pixels[x * channels + 1], pixels[x * channels + 2])
            if let background {
                let alpha = pixels[x * channels + 3]
                r = AlphaBlend.blend(r, over: background[0], alpha: alpha)
                g = AlphaBlend.blend(g, over: background[1], alpha: alpha)
                b = AlphaBlend.blend(b, over: background[2], alpha: alpha)
            }
            (samples[y + x], samples[cb + x], samples[cr + x]) = yCbCr(Int32(r), Int32(g), Int32(b))
        }
    }

    /// With 16 fractional bits.
    @inline(__always)
    private static func yCbCr(_ r: Int32, _ g: Int32, _ b: Int32) -> (UInt8, UInt8, UInt8) {
        let half: Int32 = 1 << 15
        // Just under a half, so that 255.5 can't round up to 256.
        let bias: Int32 = 128 << 16 + half - 1
        let y = (19_595 &* r &+ 38_470 &* g &+ 7_471 &* b &+ half) >> 16
        let cb = (-11_059 &* r &- 21_709 &* g &+ 32_768 &* b &+ bias) >> 16
        let cr = (32_768 &* r &- 27_439 &* g &- 5_329 &* b &+ bias) >> 16
        return (UInt8(truncatingIfNeeded: y), UInt8(truncatingIfNeeded: cb), UInt8(truncatingIfNeeded: cr))
    }
}

/// What is seen through something transparent.
package enum AlphaBlend {
    /// `value` at `alpha` of 255 on an opaque `background`, rounded. Before resampling, so that no edge takes colour from
    /// what is invisible.
    @inline(__always)
    package static func blend(_ value: UInt8, over background: UInt8, alpha: UInt8) -> UInt8 {
        let alpha = UInt32(alpha)
        return UInt8(truncatingIfNeeded: (UInt32(value) &* alpha &+ UInt32(background) &* (255 &- alpha) &+ 127) / 255)
    }
}
