/// The conversion of resampled rows from limited to full range, rounded once.
///
/// The rows have the 6 fractional bits of the intermediate samples, and the factors 15. Their products fit in 32 bits.
///
/// Source: ITU-T H.273, 8.3, equations for `VideoFullRangeFlag` 0 and 1.
struct RangeExpansion {
    private let factor: Int32
    private let offset: Int32

    private static let factorFractionBits: Int32 = 15
    private static let shift = FilterCoefficients.intermediateFractionBits + factorFractionBits

    /// The conversion of luma: 16 becomes 0, and 235 becomes 255.
    static let luma = RangeExpansion(zero: 16, span: 219, expandedZero: 0)
    /// The conversion of chroma: 128 stays, and a distance of 112 from it becomes 127.5.
    static let chroma = RangeExpansion(zero: 128, span: 224, expandedZero: 128)

    private init(zero: Int32, span: Int32, expandedZero: Int32) {
        factor = (255 << (Self.factorFractionBits + 1) / span + 1) / 2
        offset =
            expandedZero << Self.shift + 1 << (Self.shift - 1)
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
