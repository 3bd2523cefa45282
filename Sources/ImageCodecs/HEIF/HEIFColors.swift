internal import Imaging

/// The colors of an image as code points of ITU-T H.273.
struct HEIFColors: Hashable {
    var primaries: Int
    var transfer: Int
    var matrix: Int
    var isFullRange: Bool

    /// The code point of a property that is not stated.
    private static let unspecified = 2

    /// Returns these colors with what they leave open taken from `other`. The range is always stated.
    func completed(by other: HEIFColors) -> HEIFColors {
        HEIFColors(
            primaries: primaries == Self.unspecified ? other.primaries : primaries,
            transfer: transfer == Self.unspecified ? other.transfer : transfer,
            matrix: matrix == Self.unspecified ? other.matrix : matrix, isFullRange: isFullRange)
    }

    /// Finds the color properties of an image. The last ones count.
    static func find(in properties: [HEIFProperty]) -> (HEIFColors?, iccProfile: Range<Int>?) {
        var colors: HEIFColors?
        var profile: Range<Int>?
        for property in properties {
            if case .colors(let primaries, let transfer, let matrix, let isFullRange) = property {
                colors = HEIFColors(
                    primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: isFullRange)
            }
            if case .iccProfile(let range) = property { profile = range }
        }
        return (colors, profile)
    }

    /// Returns the color space, if it is of high dynamic range; `nil` if it is not.
    ///
    /// - Parameter statedPeak: The luminance of the brightest pixel in cd/m²; `nil` if the file does not state it.
    /// - Throws: ``CodecError/Code/unsupportedColor`` for other primaries than those of H.273 that are supported.
    func highDynamicRangeSpace(statedPeak: Int?) throws(CodecError) -> HighDynamicRangeSpace? {
        guard let function = HighDynamicRangeSpace.TransferFunction(codePoint: transfer) else { return nil }
        guard let chromaticities = Chromaticities(codePoint: primaries) else {
            throw CodecError(
                .unsupportedColor, stage: .decode, message: "the color primaries are unsupported: \(primaries)")
        }
        return HighDynamicRangeSpace(
            primaries: chromaticities, transferFunction: function, name: "nclx \(primaries)/\(transfer)",
            statedPeak: statedPeak)
    }

    /// The color space, if it is not that of sRGB; `nil` if it is, or if it is not known or of high dynamic range.
    ///
    /// Cameras and encoders state the transfer function of BT.709 for images that are sRGB, so both count as sRGB's.
    var codedColorSpace: CodedColorSpace? {
        guard let chromaticities = Chromaticities(codePoint: primaries),
            let stated = CodedColorSpace.TransferFunction(codePoint: transfer)
        else { return nil }
        let transferFunction = stated == .rec709 ? .sRGB : stated
        if chromaticities == .rec709 && transferFunction == .sRGB { return nil }
        return CodedColorSpace(
            primaries: chromaticities, transferFunction: transferFunction, name: "nclx \(primaries)/\(transfer)")
    }

    /// Returns the encoding of the samples. An unspecified matrix is that of BT.601.
    ///
    /// Source: ITU-T H.273, table 4.
    ///
    /// - Parameter bitDepth: The number of bits of the samples.
    /// - Throws: ``CodecError/Code/unsupportedColor`` for another matrix.
    func supportedEncoding(bitDepth: Int) throws(CodecError) -> YCbCrEncoding {
        let matrix: YCbCrEncoding.Matrix? =
            switch self.matrix {
            case 1: .bt709
            case 2, 5, 6: .bt601
            case 9: .bt2020
            default: nil
            }
        guard let matrix else {
            throw CodecError(
                .unsupportedColor, stage: .decode, message: "the color matrix \(self.matrix) is not supported")
        }
        return YCbCrEncoding(matrix: matrix, isFullRange: isFullRange, bitDepth: bitDepth)
    }
}
