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

    /// Whether the transfer function is of high dynamic range: PQ or HLG.
    var isHighDynamicRange: Bool { transfer == 16 || transfer == 18 }

    /// The color space, if it is not that of sRGB; `nil` if it is, or if it is not known.
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
    /// - Throws: ``CodecError/Code/unsupportedColor`` for another matrix, and for high dynamic range.
    func supportedEncoding() throws(CodecError) -> YCbCrEncoding {
        if isHighDynamicRange {
            throw CodecError(
                .unsupportedColor, stage: .decode,
                message: "images of high dynamic range (PQ or HLG) are not supported; export the image as JPEG first")
        }
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
        return YCbCrEncoding(matrix: matrix, isFullRange: isFullRange)
    }
}
