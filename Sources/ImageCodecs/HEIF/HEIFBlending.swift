internal import Imaging

/// Blends rows of stored samples with an opaque background.
///
/// The result has 12 bits, so that it is rounded to 8 only once, after range and matrix are applied.
struct HEIFBlending {
    /// The number of bits of a blended sample.
    static let sampleBitCount = 12

    /// The background in the encoding of the samples: Y, Cb and Cr, with 12 bits.
    private let backgroundSamples: [Int]
    private let bitDepth: Int
    private let alphaBitDepth: Int
    /// The number of pixels in a row of the opacity.
    private let width: Int

    init(background: RGBColor, encoding: YCbCrEncoding, alphaBitDepth: Int, width: Int) {
        backgroundSamples = encoding.samples(
            red: background.red, green: background.green, blue: background.blue, bitCount: Self.sampleBitCount)
        bitDepth = encoding.bitDepth
        self.alphaBitDepth = alphaBitDepth
        self.width = width
    }

    /// Blends a row of a plane. The opacity of a sample is the mean of that of its pixels.
    ///
    /// - Parameters:
    ///   - row: The stored samples.
    ///   - plane: The index of the plane.
    ///   - count: The number of samples.
    ///   - factors: The number of columns and of rows of pixels for each sample.
    ///   - alphaRows: Rows of the opacity.
    ///   - rows: The rows of the opacity that the samples cover.
    ///   - target: Receives the blended samples, of two bytes each, the lower one first.
    ///   - offset: The offset of the first one in `target`.
    func blend(
        _ row: ContiguousArray<UInt8>, plane: Int, count: Int, factors: (horizontal: Int, vertical: Int),
        alphaRows: ContiguousArray<UInt8>, rows: Range<Int>, into target: inout ContiguousArray<UInt8>, at offset: Int
    ) {
        let background = backgroundSamples[plane], maxAlpha = 1 << alphaBitDepth - 1
        for x in 0..<count {
            let columns = (x * factors.horizontal)..<min((x + 1) * factors.horizontal, width)
            var alpha = 0
            for y in rows {
                for column in columns { alpha += Self.sample(alphaRows, y * width + column, bitDepth: alphaBitDepth) }
            }
            let opaque = maxAlpha * rows.count * columns.count
            let sample = Self.sample(row, x, bitDepth: bitDepth) << (Self.sampleBitCount - bitDepth)
            let blended = (sample * alpha + background * (opaque - alpha) + opaque / 2) / opaque
            target[offset + 2 * x] = UInt8(truncatingIfNeeded: blended)
            target[offset + 2 * x + 1] = UInt8(truncatingIfNeeded: blended >> 8)
        }
    }

    @inline(__always)
    private static func sample(_ bytes: ContiguousArray<UInt8>, _ index: Int, bitDepth: Int) -> Int {
        bitDepth == 8 ? Int(bytes[index]) : Int(bytes[2 * index]) | Int(bytes[2 * index + 1]) << 8
    }
}
