/// A color space that a file describes by numbers instead of a profile.
struct CodedColorSpace: Hashable {
    /// The function from encoded to linear values.
    enum TransferFunction: Hashable {
        case sRGB
        case linear
        /// A power, with an exponent in units of 0.00001.
        case power(Int)
        /// The inverse of the camera's function of ITU-R BT.709.
        case rec709

        var curve: ToneCurve {
            switch self {
            case .sRGB: ToneCurve(SRGBTransferFunction.linear(fromEncoded:))
            case .linear: ToneCurve { $0 }
            case .power(let exponent): ToneCurve { ToneCurve.power($0, Double(exponent) / 100_000) }
            case .rec709:
                ToneCurve { $0 < 0.081 ? $0 / 4.5 : ToneCurve.power(($0 + 0.099) / 1.099, 1 / 0.45) }
            }
        }
    }

    var primaries: Chromaticities
    var transferFunction: TransferFunction
    /// The name for the manifest.
    var name: String
}
