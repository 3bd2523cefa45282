internal import ImageCodecs
internal import Imaging

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// One image on its way: decoded and resized once, then encoded as often as it takes to meet the limits.
struct ImagePreparation {
    private let source: ImageSource
    private let options: ImageOptions

    init(_ bytes: [UInt8], _ options: ImageOptions) throws(CodecError) {
        source = try ImageSource(bytes, limits: options.limits, options: options.sourceOptions)
        self.options = options
    }

    func result() throws(CodecError) -> PreparedImage {
        let probe = ImageProbe(source.header, options: options)
        let decoded = try source.decode(
            Resampling(
                size: probe.preparedSize, orientation: probe.orientation, chroma: options.chroma.reduction,
                filter: options.filter))
        defer { for plane in decoded.picture.planes { SampleBuffers.shared.giveBack(plane.samples) } }
        let sourceQuality = decoded.sourceQuality ?? 100
        let quality = Self.isReduced(probe) ? options.quality : min(options.quality, sourceQuality)
        var encoder = try QualitySearch(decoded.picture, icc: decoded.icc, isProgressive: options.isProgressive)
        let first = try encoder.encode(quality: quality)

        let fits = probe.preparedSize == probe.size && decoded.isCleanable
        if fits, let cleaned = source.cleaned, isWorthKeeping(cleaned, besides: first.count) {
            return prepared(cleaned, .passthrough, decoded, probe, quality: nil, chroma: nil)
        }
        let encoded = try encoder.search(
            from: Encoded(bytes: first, quality: quality), downTo: min(options.minQuality, quality, sourceQuality),
            notAbove: min(decoded.imageBytes, options.maxBytes ?? .max))
        if let limit = options.maxBytes, encoded.bytes.count > limit {
            throw CodecError(
                CodecError.Code(rawValue: MediaError.Code.maxBytes.rawValue), .encode,
                "\(encoded.bytes.count) bytes at quality \(encoded.quality) exceed the \(limit) allowed")
        }
        var result = prepared(
            encoded.bytes, .converted, decoded, probe, quality: encoded.quality,
            chroma: decoded.picture.planes.count == 1 ? nil : decoded.picture.chroma)
        if encoded.bytes.count > decoded.imageBytes {
            result.warnings.append(
                MediaWarning(
                    code: "grew",
                    message:
                        "\(encoded.bytes.count) bytes are more than the \(decoded.imageBytes) of the input's image data"
                ))
        }
        return result
    }

    /// Whether the longer side is reduced by a factor of 1.5 or more. Each sample is then an average of several of the
    /// source's, and finer than these were quantized.
    private static func isReduced(_ probe: ImageProbe) -> Bool {
        let (source, result) = (probe.size, probe.preparedSize)
        return 2 * max(source.width, source.height) >= 3 * max(result.width, result.height)
    }

    /// Whether a file that fits already is better left as it is than encoded again to `count` bytes.
    private func isWorthKeeping(_ cleaned: [UInt8], besides count: Int) -> Bool {
        cleaned.count <= options.maxBytes ?? .max && count * 100 > cleaned.count * (100 - options.minSavings)
    }

    private func prepared(
        _ bytes: [UInt8], _ verdict: PreparedImage.Verdict, _ decoded: ImageSource.Decoded, _ probe: ImageProbe,
        quality: Int?, chroma: ChromaReduction?
    ) -> PreparedImage {
        PreparedImage(
            data: Data(bytes), width: probe.preparedSize.width, height: probe.preparedSize.height, verdict: verdict,
            warnings: decoded.warnings.map(MediaWarning.init), source: probe, quality: quality, chroma: chroma,
            hasColorProfile: decoded.icc != nil)
    }
}

/// A JPEG, and the quality it was encoded with.
struct Encoded {
    var bytes: [UInt8]
    var quality: Int
}

/// Encodes one picture at one quality after another.
struct QualitySearch: ~Copyable {
    private let picture: Picture
    private let icc: [UInt8]?
    private let isProgressive: Bool
    private var encoder: JPEGEncoder

    init(_ picture: Picture, icc: [UInt8]?, isProgressive: Bool) throws(CodecError) {
        self.picture = picture
        self.icc = icc
        self.isProgressive = isProgressive
        encoder = try JPEGEncoder()
    }

    mutating func encode(quality: Int) throws(CodecError) -> [UInt8] {
        try encoder.encode(picture, icc: icc, .init(quality: quality, isProgressive: isProgressive))
    }

    /// The result of the highest quality that has at most `limit` bytes; that of the lowest if none has.
    ///
    /// It takes at most one encode for every bit of the difference of the qualities, and one.
    mutating func search(from first: Encoded, downTo floor: Int, notAbove limit: Int) throws(CodecError) -> Encoded {
        if first.bytes.count <= limit || first.quality <= floor { return first }
        var best = Encoded(bytes: try encode(quality: floor), quality: floor)
        if best.bytes.count > limit { return best }
        var tooLarge = first.quality
        while tooLarge - best.quality > 1 {
            let middle = (tooLarge + best.quality) / 2
            let bytes = try encode(quality: middle)
            if bytes.count <= limit { best = Encoded(bytes: bytes, quality: middle) } else { tooLarge = middle }
        }
        return best
    }
}
