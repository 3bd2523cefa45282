/// The inner loops of resampling and of color conversion in plain Swift.
///
/// This is the reference: every other implementation must produce the same bits. Layouts and units are those of
/// `PixelKernels`.
enum PortablePixelKernels {
    /// The number of samples of the intermediate row that are summed at a time. Their sums stay in the L1 cache.
    private static let columnBlockSize = 64

    static func convolveVertically(
        _ rows: Span<UInt8>, rowOffsets: Span<Int32>, coefficients: Span<Int16>, shift: Int32, columnCount: Int,
        into target: inout ContiguousArray<Int16>
    ) {
        var out = target.mutableSpan
        var sums = ContiguousArray<Int32>(repeating: 0, count: columnBlockSize)
        let half = Int32(1) << (shift - 1)
        var x = 0
        while x < columnCount {
            var accumulators = sums.mutableSpan
            for i in 0..<columnBlockSize { accumulators[i] = half }
            for k in coefficients.indices {
                let row = rows.extracting((Int(rowOffsets[k]) + x)..<(Int(rowOffsets[k]) + x + columnBlockSize))
                let weight = Int32(coefficients[k])
                for i in 0..<columnBlockSize { accumulators[i] &+= weight &* Int32(row[i]) }
            }
            for i in 0..<columnBlockSize { out[x + i] = Int16(truncatingIfNeeded: accumulators[i] >> shift) }
            x += columnBlockSize
        }
    }

    /// The same for samples of two bytes, the lower one first.
    static func convolveWideRowsVertically(
        _ rows: Span<UInt8>, rowOffsets: Span<Int32>, coefficients: Span<Int16>, shift: Int32, columnCount: Int,
        into target: inout ContiguousArray<Int16>
    ) {
        var out = target.mutableSpan
        var sums = ContiguousArray<Int32>(repeating: 0, count: columnBlockSize)
        let half = Int32(1) << (shift - 1)
        for x in stride(from: 0, to: columnCount, by: columnBlockSize) {
            var accumulators = sums.mutableSpan
            for i in 0..<columnBlockSize { accumulators[i] = half }
            for k in coefficients.indices {
                let start = Int(rowOffsets[k]) + 2 * x
                let row = rows.extracting(start..<(start + 2 * columnBlockSize))
                let weight = Int32(coefficients[k])
                for i in 0..<columnBlockSize {
                    accumulators[i] &+= weight &* (Int32(row[2 * i]) | Int32(row[2 * i + 1]) << 8)
                }
            }
            for i in 0..<columnBlockSize { out[x + i] = Int16(truncatingIfNeeded: accumulators[i] >> shift) }
        }
    }

    /// Results are clamped to the range of `Sample`.
    static func convolveHorizontally<Sample: FixedWidthInteger>(
        _ row: Span<Int16>, coefficients table: FilterCoefficients, shift: Int32,
        into target: inout ContiguousArray<Sample>, at start: Int
    ) {
        var out = target.mutableSpan
        let sourceStarts = table.sourceStarts.span, coefficients = table.values.span, tapCount = table.paddedTapCount
        for i in sourceStarts.indices {
            let tapCoefficients = coefficients.extracting((i * tapCount)..<((i + 1) * tapCount))
            let sum = weightedSum(row, from: Int(sourceStarts[i]), coefficients: tapCoefficients, shift: shift)
            out[start + i] = Sample(clamping: sum)
        }
    }

    @inline(__always)
    private static func weightedSum(
        _ row: Span<Int16>, from start: Int, coefficients: Span<Int16>, shift: Int32
    ) -> Int32 {
        let rowSegment = row.extracting(start..<(start + coefficients.count))
        var sum = Int32(1) << (shift - 1)
        for k in coefficients.indices { sum &+= Int32(rowSegment[k]) &* Int32(coefficients[k]) }
        return sum >> shift
    }

    /// Converts the pixels in `range`.
    static func convertRGBToYCbCr(
        _ pixels: Span<UInt8>, range: Range<Int>, background: [UInt8]?,
        into planes: inout ContiguousArray<UInt8>,
        planeOffsets starts: [Int]
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
            (samples[y + x], samples[cb + x], samples[cr + x]) = yCbCr(red: Int32(r), green: Int32(g), blue: Int32(b))
        }
    }

    /// Converts one pixel, with 16 fractional bits.
    @inline(__always)
    private static func yCbCr(red r: Int32, green g: Int32, blue b: Int32) -> (UInt8, UInt8, UInt8) {
        let half: Int32 = 1 << 15
        // Just below one half, so that 255.5 cannot round up to 256.
        let bias: Int32 = 128 << 16 + half - 1
        let y = (19_595 &* r &+ 38_470 &* g &+ 7_471 &* b &+ half) >> 16
        let cb = (-11_059 &* r &- 21_709 &* g &+ 32_768 &* b &+ bias) >> 16
        let cr = (32_768 &* r &- 27_439 &* g &- 5_329 &* b &+ bias) >> 16
        return (UInt8(truncatingIfNeeded: y), UInt8(truncatingIfNeeded: cb), UInt8(truncatingIfNeeded: cr))
    }
}

/// Blending with an opaque background.
package enum AlphaBlend {
    /// Returns `value` with an opacity of `alpha` / 255 over an opaque `background`, rounded.
    ///
    /// Pixels are blended before resampling, so that edges take no color from invisible pixels.
    @inline(__always)
    package static func blend(_ value: UInt8, over background: UInt8, alpha: UInt8) -> UInt8 {
        let alpha = UInt32(alpha)
        return UInt8(truncatingIfNeeded: (UInt32(value) &* alpha &+ UInt32(background) &* (255 &- alpha) &+ 127) / 255)
    }
}
