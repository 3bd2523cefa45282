internal import ImageCodecs
internal import Imaging
internal import SystemSupport

/// An encoded JPEG and its quality.
struct EncodedJPEG: ~Copyable {
    let bytes: AllocatedBytes
    let quality: Int
    /// Whether it has the quantization tables of its source.
    var keepsSourceTables = false

    consuming func takeBytes() -> AllocatedBytes { bytes }
}

/// Encodes one image at the highest quality that meets a limit of bytes.
struct JPEGQualitySearch: ~Copyable {
    private var encoder: JPEGTrialEncoder

    /// A result with this percentage of the limit is not improved: a step of quality is 1 to 3% of the bytes.
    private static let sufficientUse = 97
    /// The number of trials by interpolation. It usually takes two or three. The search then goes on by halves, so that
    /// it ends after a few more.
    private static let maxInterpolations = 5

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - iccProfile: The ICC profile; `nil` or empty for none.
    ///   - isProgressive: Whether to write progressive JPEGs.
    ///   - encoder: The encoder to use.
    ///   - expectsTrials: Whether one encoding is probably not enough.
    ///   - spareThreads: The threads of which one may encode a part of the image; `nil` if none may.
    /// - Throws: ``CodecError/Code/outOfMemory``.
    init(
        image: PlanarImage, iccProfile: [UInt8]?, isProgressive: Bool, encoder: EncoderPreference, expectsTrials: Bool,
        spareThreads: SpareThreads?
    ) throws(CodecError) {
        self.encoder = try JPEGTrialEncoder(
            image, iccProfile: iccProfile, isProgressive: isProgressive, preference: encoder,
            keepsCoefficients: expectsTrials, spareThreads: spareThreads)
    }

    /// Returns the JPEG of the given quality if it has at most `limit` bytes. Otherwise, returns one of a lower quality
    /// that has at most `limit` bytes: the highest, or one that uses 97% of them.
    ///
    /// If even `floor` exceeds the limit, the JPEG of quality `floor` is returned.
    ///
    /// - Complexity: At most 11 further encodings, usually two or three.
    mutating func encode(
        quality: Int, minQuality floor: Int, maxByteCount limit: Int
    ) throws(CodecError) -> EncodedJPEG {
        let first = try encode(quality: quality)
        if first.bytes.count <= limit || quality <= floor { return first }
        var tooLarge = SizeAtQuality(first)
        _ = consume first
        var last = tooLarge
        var previous: SizeAtQuality?
        var best: EncodedJPEG?
        var bestSize: SizeAtQuality?
        var trialCount = 0
        while true {
            let range = (bestSize.map { $0.quality + 1 } ?? floor)...max(tooLarge.quality - 1, floor)
            let guess =
                trialCount < Self.maxInterpolations
                ? last.quality(forByteCount: limit, other: previous) : (range.lowerBound + range.upperBound) / 2
            let trial = try encode(quality: min(max(guess, range.lowerBound), range.upperBound))
            let size = SizeAtQuality(trial)
            (previous, last) = (last, size)
            trialCount += 1
            if size.byteCount > limit {
                if size.quality == floor { return trial }
                tooLarge = size
            } else {
                best = consume trial
                bestSize = size
            }
            guard let found = bestSize, let result = best.take() else { continue }
            let isSufficient = found.byteCount * 100 >= limit * Self.sufficientUse
            if isSufficient || tooLarge.quality - found.quality <= 1 { return result }
            best = consume result
        }
    }

    /// Returns a search for the quality that reaches a score.
    ///
    /// - Parameters:
    ///   - target: The score to reach, 1 to 100.
    ///   - sourceQuality: The quality of the JPEG that the image was decoded from, if its error is still in the image.
    /// - Throws: ``CodecError/Code/encodingFailed`` or ``CodecError/Code/outOfMemory``.
    mutating func makeScoreSearch(target: Int, sourceQuality: Int?) throws(CodecError) -> JPEGScoreSearch {
        JPEGScoreSearch(try encoder.makeScoreEstimator(), target: target, sourceQuality: sourceQuality)
    }

    private mutating func encode(quality: Int) throws(CodecError) -> EncodedJPEG {
        EncodedJPEG(bytes: try encoder.encode(quality: quality), quality: quality)
    }
}

/// The size of an image's JPEG at one quality.
private struct SizeAtQuality {
    var quality: Int
    var byteCount: Int

    /// The bytes of headers, and of other data that depend little on the quality.
    private static let constantByteCount = 800.0

    init(_ file: borrowing EncodedJPEG) {
        quality = file.quality
        byteCount = file.bytes.count
    }

    /// The scale of libjpeg's quantization tables, in percent.
    private var scale: Double { quality < 50 ? 5000 / Double(quality) : Double(200 - 2 * quality) }

    /// Returns the quality at which the size is about `limit`, slightly below.
    ///
    /// Without the constant part, the reciprocal of the size is nearly linear in the scale of the tables: for photos it
    /// is proportional to the scale plus 32. With `other`, the line through both sizes is used.
    ///
    /// Only the four basic operations are used, whose results are the same on every processor.
    func quality(forByteCount limit: Int, other: SizeAtQuality?) -> Int {
        func reciprocal(_ byteCount: Double) -> Double { 1 / max(byteCount - Self.constantByteCount, 1) }
        let target = reciprocal(Double(limit) * 0.987), size = reciprocal(Double(byteCount))
        var wanted = (scale + 32) * target / size - 32
        if let other, (other.byteCount - byteCount).signum() == (other.quality - quality).signum() {
            let otherSize = reciprocal(Double(other.byteCount))
            if otherSize != size { wanted = scale + (target - size) / (otherSize - size) * (other.scale - scale) }
        }
        let bounded = min(max(wanted, 0), 5000)
        return bounded <= 100 ? Int(100 - bounded / 2) : Int(5000 / bounded)
    }
}
