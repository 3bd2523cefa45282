/// One component of an image: rows of 8-bit samples, top to bottom.
public struct Plane: Sendable {
    /// The number of samples in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The number of samples from one row to the next: the width rounded up to a multiple of 8, which a JPEG encoder
    /// reads.
    public let stride: Int
    /// The `stride * height` samples.
    public package(set) var samples: ContiguousArray<UInt8>

    /// The number of samples in a row, and of rows.
    var size: PixelSize { PixelSize(width: width, height: height) }

    /// Whether there are as many samples as the stride and the height state. C code relies on it.
    package var hasAllSamples: Bool { samples.count == stride * height }

    static func stride(forWidth width: Int) -> Int { width.roundedUp(toMultipleOf: 8) }

    /// Creates a plane of zeros.
    ///
    /// - Parameters:
    ///   - width: The number of samples in a row.
    ///   - height: The number of rows.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
        stride = Self.stride(forWidth: width)
        samples = SampleBufferPool.shared.makeZeroed(count: stride * height)
    }

    /// Creates a plane of samples in memory.
    ///
    /// - Parameters:
    ///   - rows: The rows, top to bottom.
    ///   - size: The number of samples in a row, and of rows.
    ///   - rowStride: The number of samples from one row to the next.
    /// - Precondition: `rows` has all rows; the last one may end after its last sample.
    init(copying rows: borrowing Span<UInt8>, size: PixelSize, rowStride: Int) {
        self.init(width: size.width, height: size.height)
        for row in 0..<height {
            PixelKernels.copy(
                rows.extracting((row * rowStride)..<(row * rowStride + width)), to: &samples, at: row * stride)
        }
        padRowsToStride()
    }

    /// Repeats the last sample of each row up to the stride. An encoder reads this padding, and it compresses well.
    ///
    /// Planes of the resampler are padded already.
    mutating func padRowsToStride() {
        if stride == width { return }
        for y in 0..<height {
            let last = y * stride + width - 1
            for x in (last + 1)..<((y + 1) * stride) { samples[x] = samples[last] }
        }
    }
}

/// An upright image as planes: one of luma, or one of luma and two of chroma.
public struct PlanarImage: Sendable {
    /// The upright size, in pixels. The luma plane has this size.
    public let size: PixelSize
    /// The number of image pixels for one chroma sample, horizontally and vertically, each 1 to 4.
    public let chromaSubsampling: ChromaSubsampling
    /// The planes: Y, or Y, Cb and Cr.
    public internal(set) var planes: [Plane]
    /// The luma plane of the source, upright, with a longer side of at most ``ResampleRequest/maxOverviewDimension``
    /// samples; `nil` if the request did not ask for it, or if the image's luma plane can be reduced to it, which is
    /// faster.
    package var overview: Plane?

    /// Creates an image from planes.
    ///
    /// - Parameters:
    ///   - size: The upright size, in pixels.
    ///   - chromaSubsampling: The number of image pixels for one chroma sample.
    ///   - planes: Y, or Y, Cb and Cr.
    public init(size: PixelSize, chromaSubsampling: ChromaSubsampling, planes: [Plane]) {
        self.size = size
        self.chromaSubsampling = chromaSubsampling
        self.planes = planes
    }
}

/// Chroma subsampling: the number of pixels that share one chroma sample. 2 × 2 is 4:2:0, 2 × 1 is 4:2:2, 1 × 1 is
/// 4:4:4.
public struct ChromaSubsampling: Hashable, Sendable {
    /// The number of pixels for one sample horizontally, 1 to 4.
    public var horizontalFactor: Int
    /// The number of pixels for one sample vertically, 1 to 4.
    public var verticalFactor: Int

    /// Creates a subsampling of `horizontalFactor` by `verticalFactor` pixels for one sample.
    public init(horizontalFactor: Int, verticalFactor: Int) {
        self.horizontalFactor = horizontalFactor
        self.verticalFactor = verticalFactor
    }

    /// No subsampling: one sample for each pixel.
    public static let none = ChromaSubsampling(horizontalFactor: 1, verticalFactor: 1)

    /// The usual notation without colons, such as `420`, `422` or `444`; for example `3x1` where there is none.
    public var notation: String {
        switch (horizontalFactor, verticalFactor) {
        case (1, 1): "444"
        case (1, 2): "440"
        case (2, 1): "422"
        case (2, 2): "420"
        case (4, 1): "411"
        case (4, 2): "410"
        default: "\(horizontalFactor)x\(verticalFactor)"
        }
    }

    /// The subsampling after width and height are swapped.
    var swappingAxes: ChromaSubsampling {
        ChromaSubsampling(horizontalFactor: verticalFactor, verticalFactor: horizontalFactor)
    }
}
