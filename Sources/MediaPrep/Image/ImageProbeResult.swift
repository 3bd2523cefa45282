public import Diagnostics
public import ImageCodecs
public import Imaging

/// The properties of an image and of its prepared result, determined from the header alone.
public struct ImageProbeResult: Sendable {
    /// The format, detected by content and not by file name.
    public var format: ImageFormat
    /// The stored size, in pixels.
    public var storedSize: PixelSize
    /// The transform that makes the stored image upright.
    public var orientation: Orientation
    /// The size of the prepared image, in pixels, upright.
    public var preparedSize: PixelSize
    /// Whether it is a progressive JPEG or an interlaced PNG. Decoding these may keep the whole image in memory.
    public var isProgressive: Bool
    /// An estimate of the memory that preparation takes besides the file and its copies, in bytes.
    ///
    /// The peak is at most 2 MB above it.
    public var peakMemoryBytes: Int { max(decodingMemoryBytes, colorMemoryBytes, encodingMemoryBytes) }
    /// The peaks of decoding, of converting colors and of encoding, in bytes. They do not occur at the same time.
    let decodingMemoryBytes, colorMemoryBytes, encodingMemoryBytes: Int
    /// Whether the image is decoded in a process of its own, which gets a copy of the file.
    let isIsolated: Bool
    /// The minimum chroma subsampling with which the image is decoded.
    let minChromaSubsampling: ChromaSubsampling
    /// The warnings that the header gives. Preparing the image may add more.
    public var warnings: [Diagnostic]

    /// The size in pixels after the orientation is applied.
    public var uprightSize: PixelSize { orientation.orientedSize(of: storedSize) }

    /// Whether the image is made smaller.
    var isReduced: Bool { preparedSize != uprightSize }

    init(header: ImageHeader, options: ImageOptions) {
        format = header.format
        storedSize = header.storedSize
        orientation = header.orientation
        preparedSize = header.uprightSize.scaledDown(toLongerSide: options.maxDimension)
        isProgressive = header.isProgressive
        let isReduced = preparedSize != header.uprightSize
        let storedChroma = header.storedChromaSubsampling
        minChromaSubsampling = options.chroma.minSubsampling(canNeedMore: storedChroma == .none || !isReduced)
        // An image that is not reduced has no more chroma than its source.
        let planeBytes = Self.planeByteCount(
            preparedSize: preparedSize,
            chroma: options.chroma == .automatic && !isReduced ? storedChroma : minChromaSubsampling)
        isIsolated = options.isolatesDecoder(of: header.format)
        // The planes are also in this process.
        let isolationBytes = isIsolated ? Self.workerBytes + planeBytes : 0
        decodingMemoryBytes =
            isolationBytes
            + Self.estimatedDecodingMemory(
                header: header, preparedSize: preparedSize, planeBytes: planeBytes, options: options)
        colorMemoryBytes =
            header.iccByteCount > 0 && options.color == .srgb ? planeBytes + Self.colorTableBytes : 0
        encodingMemoryBytes = Self.estimatedEncodingMemory(planeBytes: planeBytes, options: options)
        warnings = header.warnings
    }

    /// The memory of a process that decodes images before it receives one, in bytes.
    private static let workerBytes = 12 << 20
    /// The memory in which the table of a color conversion is made, in bytes.
    private static let colorTableBytes = 6 << 20

    /// Returns an upper bound of the memory of decoding, in bytes: the decoder's buffers, the rows of three full planes
    /// that the widest filter spans, the ICC profile, the resized planes, the overview, and what is computed from it.
    /// Planes of HEIF and PNG may be resized to 16 bits, converted, and then turned upright.
    private static func estimatedDecodingMemory(
        header: ImageHeader, preparedSize size: PixelSize, planeBytes: Int, options: ImageOptions
    ) -> Int {
        let ratio = max(1, header.uprightSize.width.dividedRoundingUp(by: max(1, size.width)))
        let ringBufferBytes = header.storedSize.width * header.bytesPerSample * 3 * (6 * min(ratio, 64) + 48)
        // Deflate compresses by a factor of at most 1,032.
        let profileBytes = min(header.iccByteCount * (header.format == .png ? 1032 : 1), options.limits.iccBytes)
        let overviewSize = header.uprightSize.scaledDown(toLongerSide: ResampleRequest.maxOverviewDimension)
        let copies = [.heic, .avif, .png].contains(header.format) ? 4 : 1
        return header.decoderBufferByteCount + ringBufferBytes + profileBytes * 2 + planeBytes * copies
            + overviewSize.pixelCount * 2
    }

    /// Returns an upper bound of the memory of encoding, in bytes.
    ///
    /// For each sample of the planes it counts: the sample; 2 bytes for a coefficient that a search of the quality
    /// keeps; 4 for a token, of which noise has one a sample and photos one in ten; 4 more for those of a progressive
    /// scan; and four times the result, since the best one of a search is kept while the next one is written, and a
    /// buffer grows by doubling. Noise takes half a byte a sample at quality 90, and at most one byte at quality 100.
    private static func estimatedEncodingMemory(planeBytes: Int, options: ImageOptions) -> Int {
        planeBytes * (1 + 2 + 4 + (options.isProgressive ? 4 : 0) + (options.quality > 90 ? 4 : 2))
    }

    /// The size of the prepared image's planes, in bytes. Rows are padded to 64 bytes, also those of subsampled planes.
    private static func planeByteCount(preparedSize size: PixelSize, chroma: ChromaSubsampling) -> Int {
        let luma = max(
            size.width.roundedUp(toMultipleOf: 128) * size.height, size.height.roundedUp(toMultipleOf: 128) * size.width
        )
        return luma + 2 * luma / (chroma.horizontalFactor * chroma.verticalFactor)
    }
}
