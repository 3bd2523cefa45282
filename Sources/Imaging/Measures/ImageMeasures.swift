/// Measures of an image that tell whether it is sharp, well exposed and large enough.
///
/// They are computed from the luma plane, upright and reduced to a longer side of 1,024 samples, with integer
/// arithmetic: they are the same on every machine. They depend little on the size of the prepared image: ``mean`` and
/// the percentiles by at most one level. If the plane has fewer than 24 samples on its shorter side, there is no place
/// to measure ``sharpness``, ``detail`` and ``noise``, and they are 0.
public struct ImageMeasures: Hashable, Sendable {
    /// The ratio of fine to coarse detail where the image has most detail, 0 to 1. Blur and motion lower it.
    public var sharpness: Double
    /// The region in which ``sharpness`` is highest; `nil` if no region has enough of the image's detail.
    public var sharpestRegion: ImageRegion?
    /// The mean luma of the field of view, 0 to 255.
    public var mean: Double
    /// The luma below which 5% of the field of view is, 0 to 255.
    public var percentile5: Double
    /// The luma below which 95% of the field of view is, 0 to 255.
    public var percentile95: Double
    /// The share of the field of view that is black, 0 to 1.
    public var clippedLow: Double
    /// The share of the field of view that is white, 0 to 1.
    public var clippedHigh: Double
    /// The share of the field of view in white blobs with hard edges, 0 to 1.
    public var glare: Double
    /// The bounds of the largest white blob; `nil` if there is none.
    public var largestGlareRegion: ImageRegion?
    /// The difference between ``percentile95`` and ``percentile5``, divided by their sum, 0 to 1.
    public var contrast: Double
    /// The standard deviation of the noise in flat places, in levels of luma.
    public var noise: Double
    /// How much more the luma changes at the edges of JPEG's blocks than beside them, in levels. Strong compression
    /// raises it. It is about 0 if the image was reduced after it was compressed.
    public var blocking: Double
    /// The distance of the mean chroma of the field of view from gray, in levels; `nil` for a grayscale image.
    public var colorCast: Double?
    /// The share of the image's resolution that it really has, 0 to 1. Enlarging an image lowers it.
    public var detail: Double
    /// The bounds of the ellipse that is the field of view, as in images of an otoscope; `nil` if there is none. The
    /// field of view is then the whole image without black margins.
    public var fieldOfView: ImageRegion?
    /// The share of the image without black margins that is in that ellipse, 0 to 1; 0 if there is none.
    public var fieldOfViewShare: Double
    /// The shorter side of the source, in pixels.
    public var shorterSide: Int
}

extension ImageMeasures {
    /// Measures a plane of luma samples of full range.
    ///
    /// - Parameters:
    ///   - luma: The rows of the plane, top to bottom.
    ///   - size: The number of samples in a row, and of rows.
    ///   - rowStride: The number of samples from one row to the next.
    /// - Precondition: `luma` has all rows; the last one may end after its last sample.
    /// - Complexity: Linear in the samples. Memory: 3 MiB, and up to 400 rows of the source.
    public init(luma: borrowing Span<UInt8>, size: PixelSize, rowStride: Int) {
        precondition(size.width > 0 && size.height > 0 && rowStride >= size.width)
        precondition(luma.count >= size.width && (luma.count - size.width) / rowStride >= size.height - 1)
        let overview = Plane(
            resampling: luma, sourceSize: size, rowStride: rowStride,
            to: size.scaledDown(toLongerSide: ResampleRequest.maxOverviewDimension), instructionSet: .selected)
        defer { SampleBufferPool.shared.recycle(overview.samples) }
        self.init(overview: overview, chroma: [], sourceSize: size, kernels: PixelKernels(instructionSet: .selected))
    }

    /// Measures an image.
    ///
    /// - Parameters:
    ///   - overview: The overview of the image.
    ///   - chroma: The planes of Cb and Cr, of any size; empty for a grayscale image.
    ///   - sourceSize: The upright size of the source.
    ///   - kernels: The kernels to use.
    init(overview: Plane, chroma: [Plane], sourceSize: PixelSize, kernels: PixelKernels) {
        let lit = overview.litBounds
        let cells = LumaCells(overview, in: lit, kernels: kernels)
        let places = DetailPlaces(overview, cells: cells, kernels: kernels)
        let field = FieldOfView(cells)
        let exposure =
            cells.sums.isEmpty
            ? ExposureMeasures(overview, in: lit) : ExposureMeasures(cells, isInField: field.isInField)
        let glare = GlareMeasures(cells, isInField: field.isInField, fieldCellCount: exposure.cellCount)
        let indices = places.indices(in: field.isInside, of: cells)
        let sharpness = SharpnessMeasures(places, at: indices)
        self.sharpness = sharpness.sharpness
        sharpestRegion = sharpness.sharpestWindow.map { places.region($0, planeSize: cells.planeSize) }
        noise = NoiseMeasure.standardDeviation(places, at: indices)
        blocking = BlockingMeasure.excess(overview, in: lit, kernels: kernels)
        mean = exposure.mean
        percentile5 = exposure.percentile5
        percentile95 = exposure.percentile95
        clippedLow = exposure.clippedLow
        clippedHigh = exposure.clippedHigh
        contrast = exposure.contrast
        self.glare = glare.share
        largestGlareRegion = glare.largestBlob
        colorCast = ColorCastMeasure.distance(cells, isInField: field.isInField, chroma: chroma)
        detail = DetailMeasure.share(places, at: indices)
        fieldOfView = field.bounds
        fieldOfViewShare = field.share
        shorterSide = min(sourceSize.width, sourceSize.height)
    }
}

/// The planes of an image that are measured, which can be done while the image is encoded.
package struct ImageMeasurement: Sendable {
    /// The overview, or the luma plane of the image, which stays in use.
    fileprivate let luma: Plane
    fileprivate let ownsLuma: Bool
    fileprivate let chroma: [Plane]
    fileprivate let sourceSize: PixelSize

    fileprivate var overviewSize: PixelSize {
        sourceSize.scaledDown(toLongerSide: ResampleRequest.maxOverviewDimension)
    }

    /// Returns the overview, or the luma plane reduced to it.
    func makeOverview() -> Plane { luma.resampled(to: overviewSize, instructionSet: .selected) }

    /// Measures the image, which can be done once.
    package consuming func makeMeasures() -> ImageMeasures {
        let overview = makeOverview()
        defer { if ownsLuma || overviewSize != luma.size { SampleBufferPool.shared.recycle(overview.samples) } }
        return ImageMeasures(
            overview: overview, chroma: chroma, sourceSize: sourceSize,
            kernels: PixelKernels(instructionSet: .selected))
    }
}

extension PlanarImage {
    /// Removes the image's overview, and returns what is needed to measure the image.
    ///
    /// - Parameter sourceSize: The upright size of the source, in pixels.
    /// - Precondition: The request for the image asked for an overview.
    package mutating func takeMeasurement(sourceSize: PixelSize) -> ImageMeasurement {
        let overview = overview.take()
        let measurement = ImageMeasurement(
            luma: overview ?? planes[0], ownsLuma: overview != nil, chroma: Array(planes.dropFirst()),
            sourceSize: sourceSize)
        precondition(measurement.luma.size.covers(measurement.overviewSize), "the image has no overview")
        return measurement
    }
}

/// A rectangle of an upright image, in parts of its width and height, from the top left.
public struct ImageRegion: Hashable, Sendable {
    /// The left edge, 0 to 1.
    public var x: Double
    /// The top edge, 0 to 1.
    public var y: Double
    /// The width, 0 to 1.
    public var width: Double
    /// The height, 0 to 1.
    public var height: Double

    /// Creates a rectangle.
    ///
    /// - Parameters:
    ///   - x: The left edge, 0 to 1.
    ///   - y: The top edge, 0 to 1.
    ///   - width: The width, 0 to 1.
    ///   - height: The height, 0 to 1.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
