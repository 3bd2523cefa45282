/// A color space of high dynamic range: a transfer function of ITU-R BT.2100, with any primaries.
struct HighDynamicRangeSpace: Hashable {
    enum TransferFunction: Hashable {
        case pq, hlg

        /// Creates the transfer function of a code point of H.273, table 3, or returns `nil` for all others.
        init?(codePoint: Int) {
            switch codePoint {
            case 16: self = .pq
            case 18: self = .hlg
            default: return nil
            }
        }
    }

    let primaries: Chromaticities
    let transferFunction: TransferFunction
    /// The name for the manifest.
    let name: String
    /// The luminance that the brightest parts have at most, in cd/m².
    let peakLuminance: Int

    /// The luminance of white paper in the image, which becomes the white of sRGB, in cd/m². Source: ITU-R BT.2408.
    static let referenceWhite = 203
    /// The peak of a usual mastering display, and the nominal one of HLG, in cd/m².
    private static let usualPeak = 1000

    /// Creates a color space.
    ///
    /// - Parameters:
    ///   - primaries: The chromaticities.
    ///   - transferFunction: The transfer function.
    ///   - name: The name for the manifest.
    ///   - statedPeak: The luminance of the brightest pixel (MaxCLL) in cd/m²; `nil` or 0 if the file does not state
    ///     it. HLG is relative to the display, so there it does not count.
    init(primaries: Chromaticities, transferFunction: TransferFunction, name: String, statedPeak: Int?) {
        self.primaries = primaries
        self.transferFunction = transferFunction
        self.name = name
        let peak = transferFunction == .pq ? statedPeak ?? 0 : 0
        peakLuminance = peak == 0 ? Self.usualPeak : min(max(peak, Self.referenceWhite), 10_000)
    }
}
