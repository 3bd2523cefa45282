// `unsafe`: hands the encoder's memory over to `Data`.

internal import Diagnostics
internal import ImageCodecs
internal import Imaging

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The preparation of one image: decoded and resized once, then encoded as many times as the size limits require.
struct ImagePreparation {
    private let source: ImageSource
    private let options: ImageOptions

    init(_ source: ImageSource, options: ImageOptions) {
        self.source = source
        self.options = options
    }

    func makePreparedImage() throws(CodecError) -> PreparedImage {
        let probe = ImageProbeResult(header: source.header, options: options)
        let decoded = try source.decode(
            resampling: ResampleRequest(
                size: probe.preparedSize, orientation: probe.orientation,
                minChromaSubsampling: options.chroma.subsampling,
                filter: options.filter))
        defer { for plane in decoded.image.planes { SampleBufferPool.shared.recycle(plane.samples) } }
        let sourceQuality = decoded.estimatedSourceQuality ?? 100
        let quality = Self.isSubstantiallyReduced(probe) ? options.quality : min(options.quality, sourceQuality)
        var encoder = try JPEGQualitySearch(
            image: decoded.image, iccProfile: decoded.iccProfile, isProgressive: options.isProgressive,
            preference: options.encoder)
        let first = try encoder.encode(quality: quality)

        if probe.preparedSize == probe.uprightSize, decoded.canStripLosslessly,
            let count = source.strippedJPEGByteCount,
            prefersPassthrough(strippedByteCount: count, reencodedByteCount: first.bytes.count),
            let stripped = try source.makeStrippedJPEG()
        {
            return makePreparedImage(
                bytes: stripped, verdict: .passthrough, decoded: decoded, probe: probe, quality: nil,
                chromaSubsampling: nil)
        }
        let encoded = try encoder.encodeWithinLimit(
            startingFrom: first, minQuality: min(options.minQuality, quality, sourceQuality),
            maxByteCount: min(decoded.imageDataByteCount, options.maxBytes ?? .max))
        let (byteCount, finalQuality) = (encoded.bytes.count, encoded.quality)
        if let limit = options.maxBytes, byteCount > limit {
            throw CodecError(
                CodecError.Code(rawValue: MediaError.Code.maxBytesExceeded.rawValue), stage: .encode,
                message: "\(byteCount) bytes at quality \(finalQuality) exceed the \(limit) allowed")
        }
        var result = makePreparedImage(
            bytes: encoded.takeBytes(), verdict: .converted, decoded: decoded, probe: probe, quality: finalQuality,
            chromaSubsampling: decoded.image.planes.count == 1 ? nil : decoded.image.chromaSubsampling)
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

    /// Whether the longer side is reduced by a factor of 1.5 or more. Each output sample then averages several source
    /// samples, so it is more precise than the source's quantization.
    private static func isSubstantiallyReduced(_ probe: ImageProbeResult) -> Bool {
        let (source, result) = (probe.uprightSize, probe.preparedSize)
        return 2 * max(source.width, source.height) >= 3 * max(result.width, result.height)
    }

    /// Whether to pass a JPEG through instead of re-encoding it, which would give `count` bytes.
    private func prefersPassthrough(strippedByteCount: Int, reencodedByteCount count: Int) -> Bool {
        strippedByteCount <= options.maxBytes ?? .max && count * 100 > strippedByteCount * (100 - options.minSavings)
    }

    private func makePreparedImage(
        bytes: consuming AllocatedBytes, verdict: Verdict, decoded: ImageSource.DecodedImage,
        probe: ImageProbeResult,
        quality: Int?, chromaSubsampling: ChromaSubsampling?
    ) -> PreparedImage {
        PreparedImage(
            data: Data(takingOver: bytes), width: probe.preparedSize.width, height: probe.preparedSize.height,
            verdict: verdict,
            warnings: decoded.warnings, sourceProbe: probe, quality: quality,
            chromaSubsampling: chromaSubsampling,
            hasColorProfile: decoded.iccProfile != nil)
    }
}

extension Data {
    /// Creates data in the memory of `bytes`, without a copy.
    fileprivate init(takingOver bytes: consuming AllocatedBytes) {
        let memory = unsafe bytes.takeMemory()
        if let base = memory.baseAddress {
            unsafe self.init(bytesNoCopy: base, count: memory.count, deallocator: .free)
        } else {
            self.init()
        }
    }
}

/// An encoded JPEG and its quality.
struct EncodedJPEG: ~Copyable {
    let bytes: AllocatedBytes
    let quality: Int

    consuming func takeBytes() -> AllocatedBytes { bytes }
}

/// Encodes one image at different qualities.
struct JPEGQualitySearch: ~Copyable {
    private let image: PlanarImage
    private let iccProfile: [UInt8]?
    private let isProgressive: Bool
    private let preference: EncoderPreference
    private var encoder: JPEGEncoder

    init(
        image: PlanarImage, iccProfile: [UInt8]?, isProgressive: Bool, preference: EncoderPreference
    ) throws(CodecError) {
        self.image = image
        self.iccProfile = iccProfile
        self.isProgressive = isProgressive
        self.preference = preference
        encoder = try JPEGEncoder()
    }

    mutating func encode(quality: Int) throws(CodecError) -> EncodedJPEG {
        let bytes = try encoder.encodeToAllocatedBytes(
            image, iccProfile: iccProfile,
            options: .init(quality: quality, isProgressive: isProgressive, encoder: preference))
        return EncodedJPEG(bytes: bytes, quality: quality)
    }

    /// Returns the JPEG of the highest quality that has at most `limit` bytes, found by binary search.
    ///
    /// If even `floor` exceeds the limit, the JPEG of quality `floor` is returned.
    ///
    /// - Complexity: At most one encoding for each bit of the difference of the qualities, plus one.
    mutating func encodeWithinLimit(
        startingFrom first: consuming EncodedJPEG, minQuality floor: Int, maxByteCount limit: Int
    ) throws(CodecError) -> EncodedJPEG {
        if first.bytes.count <= limit || first.quality <= floor { return first }
        var tooLarge = first.quality
        _ = consume first
        var best = try encode(quality: floor)
        if best.bytes.count > limit { return best }
        while tooLarge - best.quality > 1 {
            let middle = try encode(quality: (tooLarge + best.quality) / 2)
            if middle.bytes.count <= limit { best = middle } else { tooLarge = middle.quality }
        }
        return best
    }
}
