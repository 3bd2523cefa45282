package import Imaging

/// Encodes one image at one quality after another.
///
/// The compact encoder transforms the image once for the first file, and once more for all others: it then keeps the
/// coefficients, which takes 2 bytes a sample, and only quantizes and codes them again.
package struct JPEGTrialEncoder: ~Copyable {
    private let image: PlanarImage
    private let iccProfile: [UInt8]?
    private let isProgressive: Bool
    private let preference: EncoderPreference
    private var encoder: JPEGEncoder
    private var keptCoefficients: JPEGCompactEncoder?
    private var hasEncoded = false

    /// Creates an encoder of `image`.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - iccProfile: The ICC profile; `nil` or empty for none.
    ///   - isProgressive: Whether to write progressive JPEGs.
    ///   - preference: The encoder to use.
    /// - Throws: ``CodecError/Code/outOfMemory``.
    package init(
        _ image: PlanarImage, iccProfile: [UInt8]?, isProgressive: Bool, preference: EncoderPreference
    ) throws(CodecError) {
        self.image = image
        self.iccProfile = iccProfile
        self.isProgressive = isProgressive
        self.preference = preference
        encoder = try JPEGEncoder()
    }

    /// Returns the image as a JPEG file.
    ///
    /// - Parameter quality: The quality, 1 to 100.
    /// - Throws: The errors of ``JPEGEncoder/encode(_:iccProfile:options:)``.
    package mutating func encode(quality: Int) throws(CodecError) -> AllocatedBytes {
        defer { hasEncoded = true }
        let options = JPEGEncoder.EncodingOptions(quality: quality, isProgressive: isProgressive, encoder: preference)
        guard preference == .compact, hasEncoded else {
            return try encoder.encodeToAllocatedBytes(image, iccProfile: iccProfile, options: options)
        }
        if var kept = keptCoefficients.take() {
            try kept.requantize(quality: quality)
            keptCoefficients = consume kept
        } else {
            keptCoefficients = try JPEGCompactEncoder(image, options: options, keepsCoefficients: true)
        }
        guard let file = try keptCoefficients?.makeFile(iccProfile: iccProfile ?? []) else {
            preconditionFailure("the coefficients were just kept")
        }
        return file
    }
}
