internal import Diagnostics
internal import ImageCodecs

/// The color space of an image's source.
public struct ImageColor: Hashable, Sendable {
    /// The name of the color profile, or of the color space that a file describes by numbers; `nil` if it has none.
    ///
    /// Control characters are escaped. The name has at most 100 characters otherwise.
    public var profileName: String?
    /// Whether the colors were converted to sRGB.
    public var isConverted: Bool
}

/// The handling of an image's colors.
struct ColorPreparation {
    /// The color space of the source; `nil` if the file describes none.
    private(set) var sourceColor: ImageColor?
    private var conversion: ColorConversion?
    /// The profile that the conversion removes; `nil` if there is no conversion, or another description.
    private var convertedProfile: [UInt8]?

    /// Decides what happens to the colors of `decoded`. A profile that is invalid, or not needed, is removed from it.
    init(_ decoded: inout ImageSource.DecodedImage, option: ImageOptions.ColorHandling) {
        if let space = decoded.convertedColorSpace {
            sourceColor = ImageColor(profileName: space.name, isConverted: true)
        }
        guard let interpretation = decoded.colorInterpretation else { return }
        sourceColor = ImageColor(profileName: interpretation.profileName, isConverted: false)
        switch interpretation.kind {
        // Invalid bytes may hold anything, also private data. They are never carried along.
        case .invalid(let reason): Self.removeProfile(of: &decoded, code: .profileDropped, reason: reason)
        case .inapplicable(let reason): Self.removeProfile(of: &decoded, code: .profileNotApplied, reason: reason)
        case _ where option == .keep:
            if let reason = Self.trailingBytesReason(of: decoded.iccProfile) {
                Self.removeProfile(of: &decoded, code: .profileDropped, reason: reason)
            } else {
                sourceColor?.profileName = decoded.colorSpaceName
            }
        case .sRGB: decoded.removeColorDescription()
        case .convertible(let conversion): self.conversion = conversion
        case .unavailable:
            decoded.warnings.append(
                Diagnostic(
                    .colorConverterUnavailable,
                    message: "the color profile has tables, and Little CMS is not installed (Debian: liblcms2-2)"))
        }
    }

    /// Whether the colors were converted to sRGB.
    var isConverted: Bool { sourceColor?.isConverted == true }

    /// Converts `decoded` to sRGB if it needs that.
    mutating func convert(_ decoded: inout ImageSource.DecodedImage) {
        guard let conversion else { return }
        convertedProfile = decoded.iccProfile
        decoded.convertToSRGB(with: conversion)
        sourceColor?.isConverted = true
    }

    /// Records that the source is passed through with its profile instead of the converted image.
    mutating func keepProfile(of decoded: inout ImageSource.DecodedImage) {
        sourceColor?.isConverted = false
        decoded.iccProfile = convertedProfile
        decoded.warnings.append(
            Diagnostic(
                .profileKept,
                message: "the color profile is kept: converted to sRGB at its quality, the image would have more bytes")
        )
    }

    /// Returns why a profile is not carried along if more bytes follow it than its padding to a multiple of 4.
    private static func trailingBytesReason(of profile: [UInt8]?) -> String? {
        guard let profile, profile.count >= 4 else { return nil }
        let byteCount = profile.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return profile.count > byteCount + 3 ? "\(profile.count - byteCount) bytes follow the color profile" : nil
    }

    private static func removeProfile(
        of decoded: inout ImageSource.DecodedImage, code: Diagnostic.Code, reason: String
    ) {
        decoded.removeColorDescription()
        decoded.warnings.append(Diagnostic(code, message: "\(reason); the colors are treated as sRGB"))
    }
}
