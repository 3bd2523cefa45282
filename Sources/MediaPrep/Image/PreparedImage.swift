public import Diagnostics
public import Imaging

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An image ready for upload: a JPEG without metadata, in sRGB or with its ICC profile.
public struct PreparedImage: Sendable {
    /// The bytes of the JPEG file.
    public var data: Data
    /// The width, in pixels.
    public var width: Int
    /// The height, in pixels.
    public var height: Int
    /// How the image was produced: ``Verdict/converted`` or ``Verdict/passthrough``.
    public var verdict: Verdict
    /// Anomalies in the source, and losses in preparation.
    public var warnings: [Diagnostic]
    /// The properties of the source.
    public var sourceProbe: ImageProbeResult
    /// The JPEG quality of the encoding, 1 to 100; `nil` if the source was passed through.
    public var quality: Int?
    /// The estimated score on the scale of SSIMULACRA2, with ``ImageOptions/targetScore``; `nil` without it, or if the
    /// quantization tables of the source were kept.
    public var estimatedScore: Double?
    /// The chroma subsampling; `nil` for a grayscale image, or if the source was passed through.
    public var chromaSubsampling: ChromaSubsampling?
    /// Whether the JPEG has an ICC profile.
    public var hasColorProfile: Bool
    /// The color space that the source describes; `nil` if it describes none, so that sRGB is assumed.
    public var sourceColor: ImageColor?
    /// The measures of the source.
    public var measures: ImageMeasures
}
