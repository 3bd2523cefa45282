public import ImageCodecs
public import Imaging

/// Options for preparing images. The values are those of the command's options of the same names.
@dynamicMemberLookup
public struct ImageOptions: Hashable, Encodable, Sendable {
    /// The maximum resolution of the chroma planes. Chroma is never enlarged, so a source with less keeps less.
    public enum ChromaFormat: String, CaseIterable, Encodable, Sendable {
        /// 4:2:0 for photos, and 4:4:4 for an image with full chroma that would lose much of it, such as graphics with
        /// colored text. A JPEG that is not reduced, and keeps its quality, keeps its chroma.
        case automatic = "auto"
        /// 4:2:0, one chroma sample for 2 × 2 pixels.
        case yuv420 = "420"
        /// 4:2:2, one chroma sample for 2 × 1 pixels.
        case yuv422 = "422"
        /// 4:4:4, one chroma sample for each pixel.
        case yuv444 = "444"

        /// The minimum subsampling with which an image is decoded.
        ///
        /// - Parameter canNeedMore: Whether `automatic` may need more than 4:2:0.
        func minSubsampling(canNeedMore: Bool) -> ChromaSubsampling {
            switch self {
            case .automatic where canNeedMore: .none
            case .automatic, .yuv420: ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2)
            case .yuv422: ChromaSubsampling(horizontalFactor: 2, verticalFactor: 1)
            case .yuv444: .none
            }
        }
    }

    /// What happens to the colors of an image with a color profile.
    public enum ColorHandling: String, CaseIterable, Encodable, Sendable {
        /// They are converted to sRGB, and the profile is removed. High dynamic range is tone-mapped.
        case srgb
        /// The profile is carried along, and not applied, unless it is invalid, or for other colors. Images of high
        /// dynamic range are rejected.
        case keep
    }

    /// The maximum of the longer side, 1 to 65,500 pixels; `nil` keeps the size. Images are never enlarged.
    public var maxDimension: Int?
    /// The JPEG quality, 1 to 100; with ``targetScore``, the highest that may be used.
    ///
    /// A JPEG source with a lower estimated quality keeps that quality, unless its longer side is reduced by a factor
    /// of 1.5 or more.
    public var quality: Int
    /// The score that the result must reach, 30 to 95; `nil` to write ``quality``.
    ///
    /// The quality is the lowest with at least this score, by an estimate on the scale of SSIMULACRA2. Its error is
    /// about two points on photos. A JPEG that is not reduced keeps its quality if its own loss leaves no room.
    public var targetScore: Int?
    /// The maximum resolution of the chroma planes.
    public var chroma = ChromaFormat.automatic
    /// What happens to the colors of an image with a color profile. Colors without a profile are assumed to be sRGB.
    public var color = ColorHandling.srgb
    /// The filter used to resize.
    public var filter = ResampleFilter.lanczos3
    /// The maximum size of the result, in bytes; `nil` for no limit.
    public var maxBytes: Int?
    /// The lowest quality, 1 to 100, that may be used to meet ``maxBytes`` or to stay below the input's size.
    ///
    /// For a JPEG source with a lower estimated quality, that quality is the minimum.
    public var minQuality = 50
    /// The percentage of bytes, 0 to 100, that re-encoding a JPEG must save if the JPEG could be passed through.
    public var minSavings = 10
    /// Whether to write progressive JPEGs with optimized Huffman tables, which are smaller and slower to encode.
    public var isProgressive = false
    /// The encoder that writes JPEGs.
    ///
    /// A JPEG that is not reduced, and keeps its quality, is written by libjpeg if that takes no more bytes than the
    /// source.
    public var encoder = EncoderPreference.compact
    /// The rules for images that are worth sending. The default has none.
    public var policy = ImagePolicy()
    /// The most threads that work on one image, 1 or 2; 1 by default. The result is the same.
    ///
    /// With 2, a second thread decodes a part of a large sequential JPEG, encodes a part of any image, and measures it.
    /// It does so while fewer calls of `prepare` are in progress than there are processors, and in a ``MediaPipeline``
    /// while it has more jobs than images are left. Photos of phones took 0.64 to 0.68 of the time, and 4 to 7% more
    /// processor time.
    public var parallelism = 1
    /// Options for truncated, damaged and transparent images, and limits. Their members are also members of this type.
    public var decoding = ImageSource.DecodingOptions()

    /// Creates the default options with the given size and quality.
    ///
    /// - Parameters:
    ///   - maxDimension: The maximum of the longer side, in pixels; `nil` keeps the size.
    ///   - quality: The JPEG quality, 1 to 100.
    public init(maxDimension: Int? = 1600, quality: Int = 80) {
        self.maxDimension = maxDimension
        self.quality = quality
    }

    /// Creates the default options with the given size, and with the quality that reaches a score.
    ///
    /// - Parameters:
    ///   - maxDimension: The maximum of the longer side, in pixels; `nil` keeps the size.
    ///   - targetScore: The score on the scale of SSIMULACRA2, 30 to 95.
    public init(maxDimension: Int? = 1600, targetScore: Int) {
        self.init(maxDimension: maxDimension, quality: 100)
        self.targetScore = targetScore
    }

    /// Checks that every option is in its range.
    ///
    /// - Throws: ``MediaError/Code/invalidOptions`` for the first value that is out of range.
    package func validate() throws(MediaError) {
        let ranges: [(String, Int?, ClosedRange<Int>)] = [
            ("max-dimension", maxDimension, 1...65_500), ("quality", quality, 1...100),
            ("min-quality", minQuality, 1...100), ("min-savings", minSavings, 0...100),
            ("max-bytes", maxBytes, 1...Int.max), ("target", targetScore, 30...95), ("parallelism", parallelism, 1...2),
        ]
        for (name, value, range) in ranges {
            if let value, !range.contains(value) {
                throw MediaError(
                    .invalidOptions, verdict: .failed, stage: .options,
                    message: "\(name) is invalid: \(value) (\(range.lowerBound) to \(range.upperBound))")
            }
        }
    }

    /// A member of ``decoding``.
    public subscript<Value>(dynamicMember member: WritableKeyPath<ImageSource.DecodingOptions, Value>) -> Value {
        get { decoding[keyPath: member] }
        set { decoding[keyPath: member] = newValue }
    }

    /// Returns whether images of a format are decoded in a process of their own.
    func isolatesDecoder(of format: ImageFormat) -> Bool {
        #if os(iOS)
            false
        #else
            decoding.isolation != nil && [.heic, .avif].contains(format)
        #endif
    }

    private enum CodingKeys: CodingKey {
        case maxDimension, quality, chroma, filter, maxBytes, minQuality, minSavings, isProgressive, encoder,
            color, targetScore, policy
    }

    /// Encodes the options as members of one object. Stored digests depend on their names.
    ///
    /// - Throws: The errors of `encoder`.
    public func encode(to encoder: any Encoder) throws {
        try decoding.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(maxDimension, forKey: .maxDimension)
        try container.encode(quality, forKey: .quality)
        try container.encode(chroma, forKey: .chroma)
        try container.encode(filter, forKey: .filter)
        try container.encodeIfPresent(maxBytes, forKey: .maxBytes)
        try container.encode(minQuality, forKey: .minQuality)
        try container.encode(minSavings, forKey: .minSavings)
        try container.encode(isProgressive, forKey: .isProgressive)
        // Without members for the defaults, digests from before these options are still valid.
        try container.encodeIfPresent(targetScore, forKey: .targetScore)
        if self.encoder != .compact { try container.encode(self.encoder.rawValue, forKey: .encoder) }
        if color != .srgb { try container.encode(color, forKey: .color) }
        if policy != ImagePolicy() { try container.encode(policy, forKey: .policy) }
    }
}
