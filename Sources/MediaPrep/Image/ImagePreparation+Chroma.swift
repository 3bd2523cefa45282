internal import ImageCodecs
internal import Imaging

extension ImagePreparation {
    /// The loss of chroma at half the resolution, in squared levels, above which 4:4:4 takes fewer bytes than 4:2:0 for
    /// the same score. At quality 80 the loss of photos is 0.1 to 34, and that of colored graphics 60 to 1,000.
    private static let maxLoss = 40
    /// The same for a quality above 92, where quantization loses less than half the resolution does, also in photos.
    private static let maxLossAtHighQuality = 8
    /// The highest quality with the usual limit, and the score that photos have with it.
    private static let maxUsualQuality = 92, maxUsualScore = 87

    /// Halves the resolution of chroma, unless the image needs it, or is a JPEG that keeps its quality.
    func halveChromaIfSufficient(of decoded: inout ImageSource.DecodedImage, probe: ImageProbeResult) {
        if !probe.isReduced, let quality = decoded.estimatedSourceQuality,
            quality <= options.quality || decoded.hasCompactTables
        {
            return
        }
        guard let (halved, loss) = decoded.image.halvingChroma() else { return }
        let isHighQuality =
            options.targetScore.map { $0 > Self.maxUsualScore } ?? (options.quality > Self.maxUsualQuality)
        let limit = isHighQuality ? Self.maxLossAtHighQuality : Self.maxLoss
        let needsFullChroma = decoded.image.chromaSubsampling == .none && loss.exceeds(limit)
        let unused = needsFullChroma ? halved : decoded.image
        if !needsFullChroma { decoded.image = halved }
        for plane in unused.planes.dropFirst() { SampleBufferPool.shared.recycle(plane.samples) }
    }
}
