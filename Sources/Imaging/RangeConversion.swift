/// The conversion of resampled rows to the full range of 8 bits, rounded once.
///
/// The rows have the 6 fractional bits of the intermediate samples, and the factors 15. Their products fit in 32 bits.
///
/// Source: ITU-T H.273, 8.3, equations for `VideoFullRangeFlag` 0 and 1.
struct RangeConversion {
    private let factor: Int32
    private let offset: Int32

    private static let factorFractionBits: Int32 = 15
    private static let shift = FilterCoefficients.intermediateFractionBits + factorFractionBits

    /// The conversion of luma of limited range: 16 becomes 0, and 235 becomes 255.
    static let luma = RangeConversion(zero: 16, span: 219, convertedZero: 0, convertedSpan: 255)
    /// The conversion of chroma of limited range: 128 stays, and a distance of 112 from it becomes 127.5.
    static let chroma = RangeConversion(zero: 128, span: 224, convertedZero: 128, convertedSpan: 255)

    /// Creates the conversion of samples of `encoding`, in units of 8 bits.
    ///
    /// The largest luma of full range is `2^n - 1`, with 10 bits 255.75 units.
    init(from encoding: YCbCrEncoding, isLuma: Bool) {
        if encoding.isFullRange {
            let zero: Int32 = isLuma ? 0 : 128, span = Int32(1) << encoding.bitDepth - 1
            self.init(zero: zero, span: span, convertedZero: zero, convertedSpan: 255 << (encoding.bitDepth - 8))
        } else {
            self = isLuma ? .luma : .chroma
        }
    }

    private init(zero: Int32, span: Int32, convertedZero: Int32, convertedSpan: Int32) {
        factor = (convertedSpan << (Self.factorFractionBits + 1) / span + 1) / 2
        offset =
            convertedZero << Self.shift + 1 << (Self.shift - 1)
            - (zero << FilterCoefficients.intermediateFractionBits) * factor
    }

    /// Converts the first `count` samples of `row` to 8 bits.
    ///
    /// - Parameters:
    ///   - row: Samples with 6 fractional bits.
    ///   - count: The number of samples.
    ///   - samples: Receives the converted samples.
    ///   - start: The index in `samples` of the first one.
    func convertRow(_ row: Span<Int16>, count: Int, into samples: inout ContiguousArray<UInt8>, at start: Int) {
        precondition(count <= row.count && start >= 0 && start + count <= samples.count)
        var target = samples.mutableSpan
        for i in 0..<count { target[start + i] = UInt8(clamping: (Int32(row[i]) &* factor &+ offset) >> Self.shift) }
    }
}
