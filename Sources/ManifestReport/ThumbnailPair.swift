internal import ImageCodecs
internal import MediaPrep
internal import Synchronization
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Thumbnails of an image before and after preparation. One of them may be missing.
struct ThumbnailPair: Sendable {
    let candidate: ImageCandidate
    let inputThumbnail: Thumbnail?
    let outputThumbnail: Thumbnail?

    /// The maximum number of pairs on the page.
    static let maxPairs = 200

    /// Returns the first pairs with at least one side that can be decoded, in the order of `candidates`.
    ///
    /// - Parameter preparer: Makes the thumbnails, see ``Thumbnail/makePreparer(isolation:)``.
    static func makePairs(
        from candidates: [ImageCandidate], in media: ReportMediaDirectories, using preparer: ImagePreparer
    ) async -> [ThumbnailPair] {
        if media.allowsNoFiles { return [] }
        let jobs = AvailableProcessors.count
        let threads = BlockingThreadPool(threadCount: jobs)
        var pairs: [ThumbnailPair] = []
        var rest = candidates[...]
        while pairs.count < maxPairs, !rest.isEmpty {
            let batch = rest.prefix(maxPairs - pairs.count)
            rest = rest.dropFirst(batch.count)
            let made = Mutex<[Int: ThumbnailPair]>([:])
            await forEachConcurrently(batch.indices, limit: jobs, on: threads) { index in
                let pair = ThumbnailPair(candidate: batch[index], in: media, using: preparer)
                made.withLock { $0[index] = pair }
            }
            pairs += made.withLock { made in batch.indices.compactMap { made[$0] } }
        }
        return pairs
    }

    /// Creates the thumbnails, or returns `nil` if neither side can be decoded.
    private init?(candidate: ImageCandidate, in media: ReportMediaDirectories, using preparer: ImagePreparer) {
        self.candidate = candidate
        inputThumbnail = candidate.inputSource.flatMap { Thumbnail(of: $0, in: media, using: preparer) }
        outputThumbnail = candidate.outputSource.flatMap { Thumbnail(of: $0, in: media, using: preparer) }
        if inputThumbnail == nil, outputThumbnail == nil { return nil }
    }
}

/// A small JPEG without metadata.
struct Thumbnail: Sendable {
    let width: Int
    let height: Int
    private let jpegData: Data

    /// The maximum size, in bytes. Noise of 160 × 160 pixels takes 12 kB at this quality. A larger result is an input
    /// that was passed through.
    private static let maxBytes = 16_000

    /// Returns a preparer of thumbnails.
    ///
    /// - Parameter isolation: The isolation of the decoders of HEIC and AVIF, if any.
    static func makePreparer(isolation: DecoderIsolation?) -> ImagePreparer {
        var options = ImageOptions(maxDimension: 160, quality: 60)
        options.chroma = .yuv420
        options.minQuality = 1
        options.minSavings = 0
        options.allowsTruncated = true
        options.allowsDamaged = true
        // Enough for the common RGB profiles, which have 500 to 3,200 bytes.
        options.limits.iccBytes = 4096
        // Limits the memory of each decoder, of which one runs per processor. A larger progressive image has no
        // thumbnail.
        options.limits.decodedBytes = 128 << 20
        options.isolation = isolation
        return ImagePreparer(options)
    }

    /// Creates a thumbnail, or returns `nil` if the file is missing, is not the expected one, or cannot be decoded.
    init?(of source: VerifiedImageSource, in media: ReportMediaDirectories, using preparer: ImagePreparer) {
        guard let file = source.verifiedImage(in: media, using: preparer),
            case .image(let image)? = try? preparer.makeOutcome(file), image.data.count <= Self.maxBytes
        else { return nil }
        (width, height, jpegData) = (image.width, image.height, image.data)
    }

    /// The thumbnail as a `data:` URI.
    var dataURI: String { "data:image/jpeg;base64," + jpegData.base64EncodedString() }
}
