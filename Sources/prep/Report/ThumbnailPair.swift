internal import ImageCodecs
internal import MediaPrep
internal import Synchronization
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A picture before and after, as small JPEGs; either may be missing.
struct ThumbnailPair: Sendable {
    let candidate: ImageCandidate
    let inputThumbnail: Thumbnail?
    let outputThumbnail: Thumbnail?

    /// How many the page shows at most.
    static let maxPairs = 200

    /// The first pairs that can be made of which at least one side can be decoded, in the order of `candidates`.
    static func makePairs(from candidates: [ImageCandidate], in media: ReportMediaDirectories) async -> [ThumbnailPair]
    {
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
                let pair = ThumbnailPair(candidate: batch[index], in: media)
                made.withLock { $0[index] = pair }
            }
            pairs += made.withLock { made in batch.indices.compactMap { made[$0] } }
        }
        return pairs
    }

    /// Nil if neither side can be decoded.
    private init?(candidate: ImageCandidate, in media: ReportMediaDirectories) {
        self.candidate = candidate
        inputThumbnail = candidate.inputSource.flatMap { Thumbnail(of: $0, in: media) }
        outputThumbnail = candidate.outputSource.flatMap { Thumbnail(of: $0, in: media) }
        if inputThumbnail == nil, outputThumbnail == nil { return nil }
    }
}

/// A small JPEG without metadata.
struct Thumbnail: Sendable {
    let width: Int
    let height: Int
    private let jpegData: Data

    /// Noise of 160 by 160 pixels takes 12 kB at this quality; what takes more was passed through, and is no thumbnail.
    private static let maxBytes = 16_000

    private static let imagePreparer: ImagePreparer = {
        var options = ImageOptions(maxDimension: 160, quality: 60)
        options.minQuality = 1
        options.minSavings = 0
        options.allowsTruncated = true
        options.allowsDamaged = true
        // Enough for the common RGB profiles, which are 500 to 3,200 bytes.
        options.limits.iccBytes = 4096
        // A report is to stay small: two files of 60 megapixels in many scans at a time.
        options.limits.decodedBytes = 128 << 20
        return ImagePreparer(options)
    }()

    /// Nil if there is no such picture, or it can't be decoded.
    init?(of source: VerifiedImageSource, in media: ReportMediaDirectories) {
        guard let bytes = source.verifiedContents(in: media, using: Self.imagePreparer),
            let image = try? Self.imagePreparer.prepare(bytes, name: nil), image.data.count <= Self.maxBytes
        else { return nil }
        (width, height, jpegData) = (image.width, image.height, image.data)
    }

    /// The picture as an address that holds it.
    var dataURI: String { "data:image/jpeg;base64," + jpegData.base64EncodedString() }
}
