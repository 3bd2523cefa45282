/// How the samples of Y, Cb and Cr represent colors: their matrix and their range.
///
/// Source: ITU-T H.273, 8.3.
public struct YCbCrEncoding: Hashable, Sendable {
    /// The matrix by which Y, Cb and Cr are computed from red, green and blue.
    public enum Matrix: Sendable {
        /// ITU-R BT.601, as in JPEG.
        case bt601
        /// ITU-R BT.709.
        case bt709
        /// ITU-R BT.2020 with non-constant luminance.
        case bt2020

        /// The weights of red and of blue in luma. The weight of green is the rest of 1.
        var lumaWeights: (red: Double, blue: Double) {
            switch self {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        }
    }

    /// The matrix.
    public var matrix: Matrix
    /// Whether samples use all values from 0 to `2^n - 1`, with n bits. If not, luma uses 16 to 235 and chroma 16 to
    /// 240, each times `2^(n - 8)`.
    public var isFullRange: Bool
    /// The number of bits of the samples, 8 to 12.
    public var bitDepth: Int

    /// Creates an encoding.
    ///
    /// - Parameters:
    ///   - matrix: The matrix.
    ///   - isFullRange: Whether samples use all values from 0 to `2^n - 1`.
    ///   - bitDepth: The number of bits of the samples, 8 to 12.
    public init(matrix: Matrix, isFullRange: Bool, bitDepth: Int = 8) {
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.bitDepth = bitDepth
    }

    /// The factor from samples of full range, in units of 8 bits, to levels of 0 to 255: 1 with 8 bits, and 1020 / 1023
    /// with 10.
    var fullRangeScale: Double { Double(255 << (bitDepth - 8)) / Double(1 << bitDepth - 1) }

    /// Returns Y, Cb and Cr of a color whose components are 0 to 255.
    ///
    /// - Parameter bitCount: The number of bits of the result, at least `bitDepth`. Those beyond it are fractional.
    package func samples(red: UInt8, green: UInt8, blue: UInt8, bitCount: Int) -> [Int] {
        let (redWeight, blueWeight) = matrix.lumaWeights
        let (r, g, b) = (Double(red), Double(green), Double(blue))
        let luma = redWeight * r + (1 - redWeight - blueWeight) * g + blueWeight * b
        let (cb, cr) = ((b - luma) / (2 * (1 - blueWeight)), (r - luma) / (2 * (1 - redWeight)))
        let samples =
            isFullRange
            ? [luma / fullRangeScale, 128 + cb / fullRangeScale, 128 + cr / fullRangeScale]
            : [16 + luma * 219 / 255, 128 + cb * 224 / 255, 128 + cr * 224 / 255]
        return samples.map { min(max(Int(($0 * Double(1 << (bitCount - 8))).rounded()), 0), 1 << bitCount - 1) }
    }

    /// The encoding of JPEG: BT.601 with full range.
    public static let jpeg = YCbCrEncoding(matrix: .bt601, isFullRange: true)
}
