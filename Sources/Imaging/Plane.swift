/// One component of a picture: rows of 8-bit samples, top to bottom.
public struct Plane: Sendable {
    /// Samples across.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Samples from one row to the next: the width rounded up to 8, which is what a JPEG encoder reads.
    public let stride: Int
    /// `stride * height` samples.
    public package(set) var samples: ContiguousArray<UInt8>

    /// A plane of zeros.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
        stride = width.roundedUp(toMultipleOf: 8)
        samples = SampleBufferPool.shared.makeZeroed(count: stride * height)
    }

    /// Repeats the last sample of each row up to the stride, so that what an encoder reads there compresses well. The
    /// resampler does so itself.
    mutating func padRowsToStride() {
        if stride == width { return }
        for y in 0..<height {
            let last = y * stride + width - 1
            for x in (last + 1)..<((y + 1) * stride) { samples[x] = samples[last] }
        }
    }
}

/// A picture as upright planes: one of luma, or luma and two of chroma.
public struct PlanarImage: Sendable {
    /// The upright size; luma's plane has it.
    public let size: PixelSize
    /// Pixels of the picture across and down for one sample of chroma, each 1 to 4.
    public let chromaSubsampling: ChromaSubsampling
    /// Y, or Y, Cb and Cr.
    public let planes: [Plane]

    /// A picture of the planes given.
    public init(size: PixelSize, chromaSubsampling: ChromaSubsampling, planes: [Plane]) {
        self.size = size
        self.chromaSubsampling = chromaSubsampling
        self.planes = planes
    }
}

/// How many pixels across and down share a sample of chroma: 2 by 2 is 4:2:0, 2 by 1 is 4:2:2, 1 by 1 is 4:4:4.
public struct ChromaSubsampling: Hashable, Sendable {
    /// Pixels across for a sample, 1 to 4.
    public var horizontalFactor: Int
    /// Pixels down for a sample, 1 to 4.
    public var verticalFactor: Int

    /// `horizontalFactor` by `verticalFactor` pixels to a sample.
    public init(horizontalFactor: Int, verticalFactor: Int) {
        self.horizontalFactor = horizontalFactor
        self.verticalFactor = verticalFactor
    }

    /// A sample for each pixel.
    public static let none = ChromaSubsampling(horizontalFactor: 1, verticalFactor: 1)

    /// As it is commonly written: `420`, `422`, `444`, and so on; `3x1` where there is no such name.
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

    /// The same after a quarter turn.
    var swappingAxes: ChromaSubsampling {
        ChromaSubsampling(horizontalFactor: verticalFactor, verticalFactor: horizontalFactor)
    }
}
