package import Imaging
package import SystemSupport

/// Encodes one image at one quality after another.
///
/// The compact encoder transforms the image once for the first file, and once more for all others: it then keeps the
/// coefficients, which takes 2 bytes a sample, and only quantizes and codes them again. On request, and after
/// ``makeScoreEstimator()``, they are kept for all files.
package struct JPEGTrialEncoder: ~Copyable {
    private let image: PlanarImage
    private let iccProfile: [UInt8]?
    private let isProgressive: Bool
    private let preference: EncoderPreference
    private var encoder: JPEGEncoder
    private var keptCoefficients: JPEGCompactEncoder?
    private var keepsCoefficients: Bool

    /// Creates an encoder of `image`.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - iccProfile: The ICC profile; `nil` or empty for none.
    ///   - isProgressive: Whether to write progressive JPEGs.
    ///   - preference: The encoder to use.
    ///   - keepsCoefficients: Whether the compact encoder keeps the coefficients of the first file. That takes 7% of
    ///     its time, and saves a quarter of it if there is a second.
    ///   - spareThreads: The threads of which one may encode a part of the image; `nil` if none may.
    /// - Throws: ``CodecError/Code/outOfMemory``.
    package init(
        _ image: PlanarImage, iccProfile: [UInt8]?, isProgressive: Bool, preference: EncoderPreference,
        keepsCoefficients: Bool = false, spareThreads: SpareThreads? = nil
    ) throws(CodecError) {
        self.image = image
        self.iccProfile = iccProfile
        self.isProgressive = isProgressive
        self.preference = preference
        self.keepsCoefficients = keepsCoefficients
        encoder = try JPEGEncoder(spareThreads: spareThreads)
    }

    /// Returns an estimator of the image's score at each quality of the compact encoder.
    ///
    /// - Throws: ``CodecError/Code/encodingFailed`` or ``CodecError/Code/outOfMemory``.
    /// - Complexity: Linear in samples: the image is transformed.
    package mutating func makeScoreEstimator() throws(CodecError) -> JPEGScoreEstimator {
        let kept: JPEGCompactEncoder
        if let earlier = keptCoefficients.take() {
            kept = earlier
        } else {
            kept = try JPEGCompactEncoder(
                image, options: encodingOptions(quality: 100), keepsCoefficients: true, defersQuantization: true)
        }
        let estimator = try kept.makeScoreEstimator()
        // The coefficients are of no use to libjpeg.
        if preference == .compact { keptCoefficients = consume kept }
        return estimator
    }

    /// Returns the image as a JPEG file.
    ///
    /// - Parameter quality: The quality, 1 to 100.
    /// - Throws: The errors of ``JPEGEncoder/encode(_:iccProfile:options:)``.
    package mutating func encode(quality: Int) throws(CodecError) -> AllocatedBytes {
        defer { keepsCoefficients = true }
        let options = encodingOptions(quality: quality)
        if var kept = keptCoefficients.take() {
            try kept.requantize(quality: quality)
            let file = try kept.makeFile(iccProfile: iccProfile ?? [])
            keptCoefficients = consume kept
            return file
        }
        guard preference == .compact, keepsCoefficients else {
            return try encoder.encodeToAllocatedBytes(image, iccProfile: iccProfile, options: options)
        }
        let kept = try JPEGCompactEncoder(image, options: options, keepsCoefficients: true)
        let file = try kept.makeFile(iccProfile: iccProfile ?? [])
        keptCoefficients = consume kept
        return file
    }

    private func encodingOptions(quality: Int) -> JPEGEncoder.EncodingOptions {
        JPEGEncoder.EncodingOptions(quality: quality, isProgressive: isProgressive, encoder: preference)
    }
}
