internal import Diagnostics
internal import ImageCodecs
internal import Imaging
internal import SystemSupport

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The preparation of one image: decoded and resized once, then encoded as many times as the size limits require.
struct ImagePreparation {
    /// The file, until it is not needed any more.
    private var source: ImageSource?
    private let fileName: String?
    let options: ImageOptions
    /// The threads of which one may work on the image, too; `nil` if none may.
    private let spareThreads: SpareThreads?

    /// The result of a preparation.
    enum Result {
        /// The image is ready to be sent.
        case prepared(PreparedImage)
        /// The image breaks a rule of the policy.
        case rejected(ImageAssessment)
    }

    init(_ source: ImageSource, fileName: String?, options: ImageOptions, spareThreads: SpareThreads?) {
        self.source = source
        self.fileName = fileName
        self.options = options
        self.spareThreads = options.parallelism > 1 ? spareThreads : nil
    }

    /// Prepares the image, which can be done once.
    mutating func makeResult() throws(CodecError) -> Result {
        let probe = ImageProbeResult(header: heldSource.header, options: options)
        var resampling = ResampleRequest(
            size: probe.preparedSize, orientation: probe.orientation,
            minChromaSubsampling: probe.minChromaSubsampling, filter: options.filter)
        resampling.isMeasured = true
        var decoded = try heldSource.decode(
            resampling: resampling, convertsToSRGB: options.color == .srgb, spareThreads: spareThreads)
        // Only a file that may be passed through is needed again. The memory for measuring and encoding takes the place
        // of the others.
        if probe.isReduced { source = nil }
        defer { for plane in decoded.image.planes { SampleBufferPool.shared.recycle(plane.samples) } }
        let assessment = assess(&decoded, probe: probe)
        if options.policy.canReject, !assessment.wait().rejectionReasons.isEmpty { return .rejected(assessment.wait()) }
        return .prepared(try makePreparedImage(&decoded, probe: probe, assessment: assessment))
    }

    private var heldSource: ImageSource {
        guard let source else { preconditionFailure("an image is prepared once") }
        return source
    }

    /// Begins to measure the image. The assessment takes its warnings.
    private func assess(
        _ decoded: inout ImageSource.DecodedImage, probe: ImageProbeResult
    ) -> BackgroundValue<ImageAssessment> {
        let measurement = decoded.image.takeMeasurement(sourceSize: probe.uprightSize)
        let warnings = decoded.warnings
        decoded.warnings = []
        // If the image may be rejected, it is not encoded before its measures are known.
        let threads = options.policy.canReject ? nil : spareThreads
        return BackgroundValue(on: threads) { [policy = options.policy, fileName] in
            ImageAssessment(
                measures: measurement.makeMeasures(), policy: policy, sourceProbe: probe, warnings: warnings,
                fileName: fileName)
        }
    }

    /// Converts the colors of the decoded image and encodes it, or passes its source through.
    private mutating func makePreparedImage(
        _ decoded: inout ImageSource.DecodedImage, probe: ImageProbeResult,
        assessment: BackgroundValue<ImageAssessment>
    ) throws(CodecError) -> PreparedImage {
        var color = ColorPreparation(&decoded, option: options.color)
        color.convert(&decoded)
        if options.chroma == .automatic { halveChromaIfSufficient(of: &decoded, probe: probe) }
        let sourceQuality = decoded.estimatedSourceQuality ?? 100
        let maxQuality = Self.isSubstantiallyReduced(probe) ? options.quality : min(options.quality, sourceQuality)
        var search = try JPEGQualitySearch(
            image: decoded.image, iccProfile: decoded.iccProfile, isProgressive: options.isProgressive,
            encoder: options.encoder, expectsTrials: options.maxBytes != nil, spareThreads: spareThreads)
        var scores = try makeScoreSearch(decoded, isReduced: probe.isReduced, &search)
        let quality = scores?.lowestQuality(upTo: maxQuality) ?? maxQuality
        if let original = source.take(),
            let result = try passThrough(
                original, &decoded, &color, quality: quality, probe: probe, assessment: assessment)
        {
            return result
        }
        let encoded = try encode(
            decoded, format: probe.format, quality: quality, isReduced: probe.isReduced, &search)
        try checkSize(of: encoded)
        let (byteCount, finalQuality, keepsTables) = (encoded.bytes.count, encoded.quality, encoded.keepsSourceTables)
        var result = makePreparedImage(encoded, decoded: decoded, color: color, probe: probe, assessment: assessment)
        if !keepsTables, let score = scores?.scoreInHundredths(quality: finalQuality) {
            result.estimatedScore = Double(score) / 100
        }
        if byteCount > decoded.imageDataByteCount {
            result.warnings.append(
                Diagnostic(
                    .grew,
                    message:
                        "\(byteCount) bytes are more than the \(decoded.imageDataByteCount) of the input's "
                        + "image data"
                ))
        }
        return result
    }

    /// Returns the source without its metadata, or `nil` if encoding the image again would save enough. An image whose
    /// colors were converted is encoded with its source's tables, if the result is not larger.
    private func passThrough(
        _ source: borrowing ImageSource, _ decoded: inout ImageSource.DecodedImage, _ color: inout ColorPreparation,
        quality: Int, probe: ImageProbeResult, assessment: BackgroundValue<ImageAssessment>
    ) throws(CodecError) -> PreparedImage? {
        guard let stripped = try makeStrippedJPEG(of: source, decoded: decoded, color: color, quality: quality)
        else { return nil }
        if color.isConverted {
            if let encoded = try encodeWithSourceTables(
                decoded, quality: decoded.estimatedSourceQuality ?? 100, maxByteCount: stripped.count)
            {
                return makePreparedImage(encoded, decoded: decoded, color: color, probe: probe, assessment: assessment)
            }
            color.keepProfile(of: &decoded)
        }
        return makePreparedImage(
            bytes: stripped, verdict: .passthrough, decoded: decoded, color: color, probe: probe,
            assessment: assessment, quality: nil, chromaSubsampling: nil)
    }

    /// Throws an error if the output exceeds ``ImageOptions/maxBytes``.
    private func checkSize(of encoded: borrowing EncodedJPEG) throws(CodecError) {
        guard let limit = options.maxBytes, encoded.bytes.count > limit else { return }
        throw CodecError(
            CodecError.Code(rawValue: MediaError.Code.maxBytesExceeded.rawValue), stage: .encode,
            message: "the output is too large: \(encoded.bytes.count) bytes at quality \(encoded.quality) "
                + "(at most \(limit))")
    }

    /// Whether the longer side is reduced by a factor of 1.5 or more. Each output sample then averages several source
    /// samples, so it is more precise than the source's quantization.
    private static func isSubstantiallyReduced(_ probe: ImageProbeResult) -> Bool {
        let (source, result) = (probe.uprightSize, probe.preparedSize)
        return 2 * max(source.width, source.height) >= 3 * max(result.width, result.height)
    }

    /// Returns a search for the quality that reaches the target score, or `nil` if there is no target.
    ///
    /// A JPEG that is not reduced still has the error of its quantization. With tables of the compact encoder it is
    /// taken to be a result of an earlier run, which keeps its quality.
    private func makeScoreSearch(
        _ decoded: ImageSource.DecodedImage, isReduced: Bool, _ search: inout JPEGQualitySearch
    ) throws(CodecError) -> JPEGScoreSearch? {
        guard let target = options.targetScore, isReduced || !decoded.hasCompactTables else { return nil }
        return try search.makeScoreSearch(
            target: target, sourceQuality: isReduced ? nil : decoded.estimatedSourceQuality)
    }

    /// Encodes the image with at most as many bytes as are allowed, and as its source if that is a JPEG or a PNG,
    /// unless even the lowest quality takes more.
    ///
    /// Other formats are more compact than JPEG. With the bytes of such a source, the result would have less than the
    /// requested quality.
    private func encode(
        _ decoded: ImageSource.DecodedImage, format: ImageFormat, quality: Int, isReduced: Bool,
        _ search: inout JPEGQualitySearch
    ) throws(CodecError) -> EncodedJPEG {
        let isLimitedBySource = [.jpeg, .png].contains(format)
        let limit = min(isLimitedBySource ? decoded.imageDataByteCount : .max, options.maxBytes ?? .max)
        if !isReduced, quality == decoded.estimatedSourceQuality, !decoded.hasCompactTables,
            let kept = try encodeWithSourceTables(decoded, quality: quality, maxByteCount: limit)
        {
            return kept
        }
        return try search.encode(
            quality: quality, minQuality: min(options.minQuality, quality, decoded.estimatedSourceQuality ?? 100),
            maxByteCount: limit)
    }

    private func makePreparedImage(
        _ encoded: consuming EncodedJPEG, decoded: ImageSource.DecodedImage, color: ColorPreparation,
        probe: ImageProbeResult, assessment: BackgroundValue<ImageAssessment>
    ) -> PreparedImage {
        let quality = encoded.quality
        return makePreparedImage(
            bytes: encoded.takeBytes(), verdict: .converted, decoded: decoded, color: color, probe: probe,
            assessment: assessment, quality: quality,
            chromaSubsampling: decoded.image.planes.count == 1 ? nil : decoded.image.chromaSubsampling)
    }

    private func makePreparedImage(
        bytes: consuming AllocatedBytes, verdict: Verdict, decoded: ImageSource.DecodedImage, color: ColorPreparation,
        probe: ImageProbeResult, assessment: BackgroundValue<ImageAssessment>, quality: Int?,
        chromaSubsampling: ChromaSubsampling?
    ) -> PreparedImage {
        let assessment = assessment.wait()
        return PreparedImage(
            data: Data(takingOver: bytes), width: probe.preparedSize.width, height: probe.preparedSize.height,
            verdict: verdict,
            warnings: assessment.warnings + decoded.warnings, sourceProbe: probe, quality: quality,
            chromaSubsampling: chromaSubsampling,
            hasColorProfile: decoded.iccProfile != nil, sourceColor: color.sourceColor,
            measures: assessment.measures)
    }
}
