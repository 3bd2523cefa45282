public import Diagnostics

/// The warnings of preparation, besides those of `ImageCodecs` and `AudioProbe`.
extension Diagnostic.Code {
    /// The output is larger than the image data of the input.
    public static let grew = Diagnostic.Code(rawValue: "grew")
    /// The image keeps its color profile, although it should be converted to sRGB.
    public static let profileKept = Diagnostic.Code(rawValue: "profile-kept")
    /// The image keeps its color profile, because the library that converts such profiles is not installed.
    public static let colorConverterUnavailable = Diagnostic.Code(rawValue: "color-converter-unavailable")
    /// The policy has rules about measures of audio, which were not applied: it could not be decoded to its end.
    public static let notMeasured = Diagnostic.Code(rawValue: "not-measured")
    /// The file name extension does not fit the content.
    public static let nameMismatch = Diagnostic.Code(rawValue: "name-mismatch")
    /// The declared media type does not fit the content.
    public static let mediaTypeMismatch = Diagnostic.Code(rawValue: "mime-type-mismatch")
}

extension Diagnostic {
    /// Creates the diagnostic for an error that is the reason for a rejection or a failure.
    ///
    /// - Parameter error: The error.
    public init(_ error: MediaError) {
        self.init(Code(rawValue: error.code.rawValue), offset: error.offset, message: error.message)
    }
}
