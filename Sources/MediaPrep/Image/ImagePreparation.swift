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
        guard let source = source.take() else { preconditionFailure("an image is prepared once") }
        let probe = ImageProbeResult(header: source.header, options: options)
        var resampling = ResampleRequest(
            size: probe.preparedSize, orientation: probe.orientation,
            minChromaSubsampling: probe.minChromaSubsampling, filter: options.filter)
        resampling.makesOverview = true
        var decoded = try source.decode(
            resampling: resampling, convertsToSRGB: options.color == .srgb, spareThreads: spareThreads)
        defer { for plane in decoded.image.planes { SampleBufferPool.shared.recycle(plane.samples) } }
        let assessment = ImageAssessment(
            measures: decoded.image.takeMeasures(sourceSize: probe.uprightSize), policy: options.policy,
            sourceProbe: probe, warnings: decoded.warnings, fileName: fileName)
        if !assessment.rejectionReasons.isEmpty { return .rejected(assessment) }
        decoded.warnings = assessment.warnings
        return .prepared(
            try makePreparedImage(&decoded, source: source, probe: probe, measures: assessment.measures))
    }

    /// Converts the colors of the decoded image and encodes it, or passes its source through.
    private func makePreparedImage(
        _ decoded: inout ImageSource.DecodedImage, source: consuming ImageSource, probe: ImageProbeResult,
        measures: ImageMeasures
    ) throws(CodecError) -> PreparedImage {
        var color = ColorPreparation(&decoded, option: options.color)
        color.convert(&decoded)
        if options.chroma == .automatic { halveChromaIfSufficient(of: &decoded, probe: probe) }
        let sourceQuality = decoded.estimatedSourceQuality ?? 100
        let maxQuality = Self.isSubstantiallyReduced(probe) ? options.quality : min(options.quality, sourceQuality)
        let isReduced = probe.preparedSize != probe.uprightSize
        var search = try JPEGQualitySearch(
            image: decoded.image, iccProfile: decoded.iccProfile, isProgressive: options.isProgressive,
            encoder: options.encoder, expectsTrials: options.maxBytes != nil)
        var scores = try makeScoreSearch(decoded, isReduced: isReduced, &search)
        let quality = scores?.lowestQuality(upTo: maxQuality) ?? maxQuality
        if !isReduced,
            let result = try passThrough(
                source, &decoded, &color, quality: quality, probe: probe, measures: measures)
        {
            return result
        }
        // The encoder's memory takes the place of the file's.
        _ = consume source
        let encoded = try encode(
            decoded, format: probe.format, quality: quality, isReduced: isReduced, &search)
        try checkSize(of: encoded)
        let (byteCount, finalQuality, keepsTables) = (encoded.bytes.count, encoded.quality, encoded.keepsSourceTables)
        var result = makePreparedImage(encoded, decoded: decoded, color: color, probe: probe, measures: measures)
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
        quality: Int, probe: ImageProbeResult, measures: ImageMeasures
    ) throws(CodecError) -> PreparedImage? {
        guard let stripped = try makeStrippedJPEG(of: source, decoded: decoded, color: color, quality: quality)
        else { return nil }
        if color.isConverted {
            if let encoded = try encodeWithSourceTables(
                decoded, quality: decoded.estimatedSourceQuality ?? 100, maxByteCount: stripped.count)
            {
                return makePreparedImage(encoded, decoded: decoded, color: color, probe: probe, measures: measures)
            }
            color.keepProfile(of: &decoded)
        }
        return makePreparedImage(
            bytes: stripped, verdict: .passthrough, decoded: decoded, color: color, probe: probe, measures: measures,
            quality: nil, chromaSubsampling: nil)
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

    /// Encodes a JPEG that is not reduced at its own quality, with tables like its own. Returns `nil` if it has more
    /// bytes than `limit`.
    ///
    /// Other tables would quantize it a second time: those of the compact encoder save 15 to 19% of the bytes, and lose
    /// 4 to 5 points of SSIMULACRA2. Huffman tables for the image save more than a turned image takes.
    private func encodeWithSourceTables(
        _ decoded: ImageSource.DecodedImage, quality: Int, maxByteCount limit: Int
    ) throws(CodecError) -> EncodedJPEG? {
        var encoder = try JPEGEncoder()
        let bytes = try encoder.encodeToAllocatedBytes(
            decoded.image, iccProfile: decoded.iccProfile,
            options: .init(
                quality: quality, isProgressive: options.isProgressive, encoder: decoded.encoderOfSourceTables,
                optimizesHuffmanTables: true))
        return bytes.count <= limit ? EncodedJPEG(bytes: bytes, quality: quality, keepsSourceTables: true) : nil
    }

    /// Returns the JPEG without its metadata if it can be passed through, and encoding it again saves too little.
    ///
    /// What is saved is measured with tables like the JPEG's own. With others, it would also count what only they save,
    /// which is no reason to lose quality. Nor are the bytes that a second encoding at the same quality drops.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - decoded: The image, with its colors converted.
    ///   - color: How the colors were converted. If they were, the JPEG has its profile.
    ///   - quality: The quality at which it would be encoded again.
    private func makeStrippedJPEG(
        of source: ImageSource, decoded: ImageSource.DecodedImage, color: ColorPreparation, quality: Int
    ) throws(CodecError) -> AllocatedBytes? {
        let keepsProfile = decoded.iccProfile != nil || color.isConverted
        guard decoded.canStripLosslessly, let count = source.strippedJPEGByteCount(keepsProfile: keepsProfile),
            count <= options.maxBytes ?? .max
        else { return nil }
        let keepsDetail =
            quality == decoded.estimatedSourceQuality
            && decoded.image.chromaSubsampling == source.header.storedChromaSubsampling
        if keepsDetail { return try source.makeStrippedJPEG(keepsProfile: keepsProfile) }
        var encoder = try JPEGEncoder()
        let reencoded = try encoder.encodeToAllocatedBytes(
            decoded.image, iccProfile: decoded.iccProfile,
            options: .init(
                quality: quality, isProgressive: options.isProgressive, encoder: decoded.encoderOfSourceTables))
        guard reencoded.count * 100 > count * (100 - options.minSavings) else { return nil }
        return try source.makeStrippedJPEG(keepsProfile: keepsProfile)
    }

    private func makePreparedImage(
        _ encoded: consuming EncodedJPEG, decoded: ImageSource.DecodedImage, color: ColorPreparation,
        probe: ImageProbeResult, measures: ImageMeasures
    ) -> PreparedImage {
        let quality = encoded.quality
        return makePreparedImage(
            bytes: encoded.takeBytes(), verdict: .converted, decoded: decoded, color: color, probe: probe,
            measures: measures, quality: quality,
            chromaSubsampling: decoded.image.planes.count == 1 ? nil : decoded.image.chromaSubsampling)
    }

    private func makePreparedImage(
        bytes: consuming AllocatedBytes, verdict: Verdict, decoded: ImageSource.DecodedImage, color: ColorPreparation,
        probe: ImageProbeResult, measures: ImageMeasures, quality: Int?, chromaSubsampling: ChromaSubsampling?
    ) -> PreparedImage {
        PreparedImage(
            data: Data(takingOver: bytes), width: probe.preparedSize.width, height: probe.preparedSize.height,
            verdict: verdict,
            warnings: decoded.warnings, sourceProbe: probe, quality: quality,
            chromaSubsampling: chromaSubsampling,
            hasColorProfile: decoded.iccProfile != nil, sourceColor: color.sourceColor,
            measures: measures)
    }
}

extension ImageSource.DecodedImage {
    /// The encoder whose tables are like those of the source.
    fileprivate var encoderOfSourceTables: EncoderPreference { hasCompactTables ? .compact : .libjpeg }
}
