package import Imaging

/// A conversion of an image's planes to sRGB.
package enum ColorConversion: Sendable {
    /// The conversion of color images.
    case color(ColorConversionTable)
    /// The conversion of gray images: a value for each of 256.
    case gray([UInt8])
    /// The conversion of CMYK, which decoders apply before resampling.
    case ink(InkTable)
}

/// The kind of an image's stored samples.
enum StoredColorModel: Hashable {
    case gray, color, ink
}

/// What the color profile of an image means for its conversion to sRGB.
package struct ColorInterpretation: Sendable {
    package enum Kind: Sendable {
        /// The colors are those of sRGB.
        case sRGB
        /// The colors can be converted.
        case convertible(ColorConversion)
        /// The profile is invalid, for the given reason.
        case invalid(String)
        /// The profile is for other colors than those of the image.
        case inapplicable(String)
        /// The profile needs Little CMS, which is not installed.
        case unavailable
    }

    /// The profile's name, without control characters; `nil` if it has none.
    package var profileName: String?
    package var kind: Kind
}

/// How the colors of a decoded image are described.
enum ColorDescription: Hashable {
    /// By an ICC profile.
    case iccProfile([UInt8])
    /// By numbers, as in PNG.
    case coded(CodedColorSpace)
}

extension ColorInterpretation {
    /// Interprets a description. This takes milliseconds, so results are cached: ``ColorInterpretationCache``.
    ///
    /// - Parameters:
    ///   - description: The description of the colors.
    ///   - samples: The kind of the image's samples.
    init(_ description: ColorDescription, samples: StoredColorModel) {
        switch description {
        case .iccProfile(let bytes): self.init(iccProfile: bytes, samples: samples)
        case .coded(let space): self.init(space, isGray: samples == .gray)
        }
    }

    private init(iccProfile bytes: [UInt8], samples: StoredColorModel) {
        let profile: ColorProfile
        do throws(ColorProfile.InvalidProfile) {
            profile = try ColorProfile(bytes)
        } catch {
            self.init(profileName: nil, kind: .invalid(error.message))
            return
        }
        let kind: Kind =
            switch (profile.colorSpace, samples) {
            case (.rgb, .gray), (.rgb, .color), (.gray, .gray):
                profile.isSRGB ? .sRGB : Self.kind(of: profile, bytes, isGray: samples == .gray)
            case (.cmyk, .ink): Self.kind(ofInkProfile: bytes)
            case (.gray, _): .inapplicable("the gray profile does not apply to a color image")
            case (.rgb, .ink): .inapplicable("the RGB profile does not apply to a CMYK image")
            case (.cmyk, _): .inapplicable("the CMYK profile does not apply to the image")
            }
        self.init(profileName: profile.name, kind: kind)
    }

    private init(_ space: CodedColorSpace, isGray: Bool) {
        guard let matrix = space.primaries.matrixToXYZ, matrix.inverse != nil else {
            self.init(profileName: space.name, kind: .invalid("the chromaticities are invalid"))
            return
        }
        let curve = space.transferFunction.curve
        let isSRGB = curve.isSRGB && matrix.isThatOfSRGB
        self.init(
            profileName: space.name,
            kind: isSRGB
                ? .sRGB : .convertible(Self.conversion(curves: [curve, curve, curve], matrix, isGray: isGray)))
    }

    private static func kind(of profile: ColorProfile, _ bytes: [UInt8], isGray: Bool) -> Kind {
        do throws(LittleCMS.Failure) {
            switch profile.model {
            case .gray(let curve): return .convertible(.gray(grayTable { curve($0) }))
            case .matrix(let curves, let matrix):
                return .convertible(conversion(curves: curves, matrix, isGray: isGray))
            case .lookupTables:
                return .convertible(
                    try conversion(
                        iccProfile: bytes, channelCount: profile.colorSpace.channelCount, isGray: isGray))
            }
        } catch {
            switch error {
            case .unavailable: return .unavailable
            case .invalidProfile(let message): return .invalid(message)
            }
        }
    }

    private static func kind(ofInkProfile bytes: [UInt8]) -> Kind {
        do throws(LittleCMS.Failure) {
            let linear = linearSRGB(
                fromXYZ: try LittleCMS.xyz(of: InkTable.nodeColors, profile: bytes, channelCount: 4))
            return .convertible(
                .ink(InkTable(encodedSRGB: linear.map(SRGBTransferFunction.encoded(fromLinear:)))))
        } catch {
            switch error {
            case .unavailable: return .unavailable
            case .invalidProfile(let message): return .invalid(message)
            }
        }
    }

    /// Returns the conversion of three curves and a matrix, which is computed without Little CMS, so that it is the
    /// same on every machine.
    private static func conversion(curves: [ToneCurve], _ matrix: Matrix3x3, isGray: Bool) -> ColorConversion {
        let toLinearSRGB = Matrix3x3.xyzToLinearSRGB * matrix
        let (red, green, blue) = (curves[0], curves[1], curves[2])
        if isGray {
            return .gray(
                grayTable { value in
                    let (r, g, b) = toLinearSRGB.applied(to: red(value), green(value), blue(value))
                    return luminance(r, g, b)
                })
        }
        return .color(
            ColorTableBuilder.makeTable { colors in
                for i in stride(from: 0, to: colors.count, by: 3) {
                    (colors[i], colors[i + 1], colors[i + 2]) = toLinearSRGB.applied(
                        to: red(colors[i]), green(colors[i + 1]), blue(colors[i + 2]))
                }
            })
    }

    private static func conversion(
        iccProfile bytes: [UInt8], channelCount: Int, isGray: Bool
    ) throws(LittleCMS.Failure) -> ColorConversion {
        if isGray {
            let values = (0...255).flatMap { [Double](repeating: Double($0) / 255, count: channelCount) }
            let linear = linearSRGB(
                fromXYZ: try LittleCMS.xyz(of: values, profile: bytes, channelCount: channelCount))
            return .gray(
                grayTable { value in
                    let i = Int((value * 255).rounded()) * 3
                    return luminance(linear[i], linear[i + 1], linear[i + 2])
                })
        }
        return .color(
            try ColorTableBuilder.makeTable { (colors) throws(LittleCMS.Failure) in
                colors = linearSRGB(
                    fromXYZ: try LittleCMS.xyz(of: colors, profile: bytes, channelCount: channelCount))
            })
    }

    /// Returns colors in linear sRGB, rounded to 20 fractional bits. Floating-point results of Little CMS may differ in
    /// their last bits from one processor to another, and most of these differences end here.
    private static func linearSRGB(fromXYZ xyz: [Double]) -> [Double] {
        let toLinearSRGB = Matrix3x3.xyzToLinearSRGB
        var colors = xyz
        for i in stride(from: 0, to: xyz.count, by: 3) {
            (colors[i], colors[i + 1], colors[i + 2]) = toLinearSRGB.applied(to: xyz[i], xyz[i + 1], xyz[i + 2])
        }
        return colors.map { ($0 * 0x1p20).rounded() * 0x1p-20 }
    }

    /// Returns the table of a function from a device value to a luminance.
    private static func grayTable(_ luminance: (Double) -> Double) -> [UInt8] {
        (0...255).map { value in
            let encoded = SRGBTransferFunction.encoded(fromLinear: min(max(luminance(Double(value) / 255), 0), 1))
            return UInt8((encoded * 255).rounded(.toNearestOrAwayFromZero))
        }
    }

    /// The luminance of linear sRGB. Source: ITU-R BT.709.
    private static func luminance(_ r: Double, _ g: Double, _ b: Double) -> Double {
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }
}
