public import Diagnostics

/// The warnings of images: anomalies and losses that did not prevent reading the image.
extension Diagnostic.Code {
    /// Exif declares the colors as uncalibrated, and there is no profile. They are treated as sRGB.
    public static let unknownColorSpace = Diagnostic.Code(rawValue: "color-space-unknown")
    /// The ICC profile is invalid, incomplete or too large, and is left out.
    public static let profileDropped = Diagnostic.Code(rawValue: "icc-dropped")
    /// The ICC profile does not apply to the decoded colors, and is left out.
    public static let profileNotApplied = Diagnostic.Code(rawValue: "icc-not-applied")
    /// The image has a high dynamic range (PQ or HLG), and its highlights are compressed to the range of sRGB.
    public static let toneMapped = Diagnostic.Code(rawValue: "hdr-tone-mapped")
    /// The end-of-image marker of a JPEG is missing.
    public static let missingEndOfImage = Diagnostic.Code(rawValue: "missing-eoi")
    /// The end chunk of a PNG is missing.
    public static let missingEndChunk = Diagnostic.Code(rawValue: "missing-iend")
    /// The HDR gain map of a JPEG is left out.
    public static let gainMapDropped = Diagnostic.Code(rawValue: "gain-map-dropped")
    /// Further images of the file are left out.
    public static let extraImagesDropped = Diagnostic.Code(rawValue: "extra-images-dropped")
    /// The animation is left out, except its first image.
    public static let animationDropped = Diagnostic.Code(rawValue: "animation-dropped")
    /// The video of a motion photo, which phones append to the image, is left out.
    public static let motionVideoDropped = Diagnostic.Code(rawValue: "motion-video-dropped")
    /// The decoder reported an irregularity that has no code of its own.
    public static let irregular = Diagnostic.Code(rawValue: "irregular")

    /// Creates the code of a warning about an error that the options allow.
    init(_ code: CodecError.Code) { self.init(rawValue: code.rawValue) }
}

extension Diagnostic {
    /// Creates the warning about the video of a motion photo that starts at `offset`.
    static func motionVideoDropped(at offset: Int) -> Diagnostic {
        Diagnostic(.motionVideoDropped, offset: offset, message: "the video of a motion photo is left out")
    }

    /// Creates the warning about the conversion of an image of high dynamic range.
    static func toneMapped(from space: HighDynamicRangeSpace) -> Diagnostic {
        Diagnostic(
            .toneMapped,
            message: "the image has a high dynamic range (\(space.transferFunction == .pq ? "PQ" : "HLG"), up to "
                + "\(space.peakLuminance) cd/m²); its highlights are compressed to the range of sRGB")
    }

    static let unknownColorSpace = Diagnostic(
        .unknownColorSpace,
        message: "Exif declares uncalibrated colors and there is no profile; sRGB is assumed")
}
