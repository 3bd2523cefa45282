public import Imaging

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An image ready to be uploaded: a JPEG without metadata other than its colour profile.
public struct PreparedImage: Sendable {
    /// How it came about.
    public enum Verdict: String, Sendable {
        /// Decoded, perhaps resized, and encoded.
        case converted
        /// Already fitting: its metadata was removed, its image data is as it was.
        case passthrough
    }

    /// The file's bytes.
    public var data: Data
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int
    /// How it came about.
    public var verdict: Verdict
    /// What was lost or odd.
    public var warnings: [MediaWarning]
    /// What the input was.
    public var sourceProbe: ImageProbeResult
    /// The quality with which it was encoded, 1 to 100; nil for one passed through.
    public var quality: Int?
    /// Pixels for a sample of chroma; nil for a gray picture, or one passed through.
    public var chromaSubsampling: ChromaSubsampling?
    /// Whether it carries a colour profile.
    public var hasColorProfile: Bool
}
