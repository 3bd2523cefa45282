/// A request to resample an image between its decoder and an encoder.
public struct ResampleRequest: Sendable {
    /// The upright output size, in pixels.
    public var size: PixelSize
    /// The transform that makes the source upright.
    public var orientation: Orientation
    /// The minimum chroma subsampling of the upright image. More is used where less would enlarge the chroma planes.
    public var minChromaSubsampling: ChromaSubsampling
    /// The filter kernel.
    public var filter: ResampleFilter
    /// The instruction set to use; `.portable` is used if it is unavailable.
    public var instructionSet: InstructionSet
    /// Whether the result is measured: it needs an ``PlanarImage/overview``, or luma that can be reduced to one.
    package var isMeasured = false
    /// Whether the result is only measured, so that less precision is enough than for an image.
    package var isForMeasuresOnly = false

    /// The fewest stored samples in an output sample, along each axis, with which a decoder may average two of them.
    ///
    /// With 6, the luma of photos is at most 0.01 dB and 0.0004 SSIM worse after encoding at quality 80. With 3, the
    /// sharpness of seven photos was at most 1.2% lower.
    var minShrinkableReduction: Int { isForMeasuresOnly ? 3 : 6 }

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - size: The upright output size, in pixels.
    ///   - orientation: The transform that makes the source upright.
    ///   - minChromaSubsampling: The minimum chroma subsampling of the upright image.
    ///   - filter: The filter kernel.
    ///   - instructionSet: The instruction set to use; `.portable` is used if it is unavailable.
    public init(
        size: PixelSize, orientation: Orientation = .up,
        minChromaSubsampling: ChromaSubsampling = ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2),
        filter: ResampleFilter = .lanczos3,
        instructionSet: InstructionSet = .selected
    ) {
        self.size = size
        self.orientation = orientation
        self.minChromaSubsampling = minChromaSubsampling
        self.filter = filter
        self.instructionSet = instructionSet
    }

    /// Returns whether the planes of `layout`, some of which a decoder shrinks, are precise enough for this request and
    /// its overview.
    package func allowsShrunkPlanes(of layout: PlaneLayout) -> Bool {
        // The narrow kernels have edges or kinks, which fewer samples cannot follow.
        filter.supportRadius >= 2
            && reducesPlanes(of: layout, byAtLeast: minShrinkableReduction) { $0.shrinkFactor > 1 }
    }

    /// Returns whether samples of this request's result and of its overview cover at least `count` stored samples,
    /// along each axis.
    ///
    /// - Parameters:
    ///   - layout: The stored planes.
    ///   - count: The number of samples.
    ///   - isIncluded: Returns whether a plane must be reduced so much; by default all are.
    package func reducesPlanes(
        of layout: PlaneLayout, byAtLeast count: Int,
        where isIncluded: (PlaneLayout.ComponentSampling) -> Bool = { _ in true }
    ) -> Bool {
        // Otherwise the measures of an image would depend on the size of the result.
        if let request = overviewRequest(for: layout),
            !request.reducesPlanes(of: layout, byAtLeast: count, where: isIncluded)
        {
            return false
        }
        let plan = ResamplePlan(layout: layout, request: self)
        return layout.components.indices.allSatisfy { index in
            guard isIncluded(layout.components[index]) else { return true }
            let (horizontal, vertical) = plan.axisMappings(componentIndex: index, request: self)
            return horizontal.coversAtLeast(count) && vertical.coversAtLeast(count)
        }
    }

    /// Reads all rows of `decoder`, resizes every plane on the image's grid, and applies the orientation to the result.
    ///
    /// The rows pass through a ring buffer with as many rows as the filter spans, so memory does not grow with the
    /// source's height. Memory is the ring buffer and the result, and 64 rows of it if it is rotated or mirrored.
    /// Planes that are converted together need their samples of 16 bits, and a copy if they are rotated or mirrored.
    ///
    /// - Parameter decoder: The source, before its first row.
    /// - Returns: The upright image.
    /// - Throws: The errors of the decoder.
    /// - Complexity: Linear in the source's samples times the filter's width.
    public func resampleImage<Decoder: PlaneDecoder & ~Copyable>(
        from decoder: inout Decoder
    ) throws(Decoder.Failure) -> PlanarImage {
        let layout = decoder.layout
        let plan = ResamplePlan(layout: layout, request: self)
        var first = plan.makePlaneResampler(componentIndex: 0, request: self)
        var overview = makeOverviewResampler(layout: layout)
        let retainedLumaRowCount = max(first.retainedRowCount, overview?.retainedRowCount ?? 0)
        if layout.components.count == 1 {
            var ringBuffer = RowRingBuffer(layout: layout, retainedRowCounts: [retainedLumaRowCount])
            for _ in 0..<plan.batchCount {
                try decoder.decodeRowBatch(into: &ringBuffer)
                ringBuffer.commitBatch()
                first.resampleAvailableRows(from: ringBuffer.bytes.span, ring: ringBuffer.rings[0])
                overview?.resampleAvailableRows(from: ringBuffer.bytes.span, ring: ringBuffer.rings[0])
            }
            let plane =
                layout.toneMapping.map { tables in
                    turnUpright(
                        ToneMappingConversion(from: layout.encoding, tables: tables).convertGray(first.widePlane))
                } ?? first.outputPlane
            var image = PlanarImage(size: size, chromaSubsampling: .none, planes: [plane])
            image.overview = plan.toneMapped(overview?.outputPlane)
            return image
        }
        var second = plan.makePlaneResampler(componentIndex: 1, request: self),
            third = plan.makePlaneResampler(componentIndex: 2, request: self)
        var ringBuffer = RowRingBuffer(
            layout: layout,
            retainedRowCounts: [retainedLumaRowCount, second.retainedRowCount, third.retainedRowCount])
        for _ in 0..<plan.batchCount {
            try decoder.decodeRowBatch(into: &ringBuffer)
            ringBuffer.commitBatch()
            first.resampleAvailableRows(from: ringBuffer.bytes.span, ring: ringBuffer.rings[0])
            overview?.resampleAvailableRows(from: ringBuffer.bytes.span, ring: ringBuffer.rings[0])
            second.resampleAvailableRows(from: ringBuffer.bytes.span, ring: ringBuffer.rings[1])
            third.resampleAvailableRows(from: ringBuffer.bytes.span, ring: ringBuffer.rings[2])
        }
        let planes =
            layout.requiresConversion
            ? plan.convertColors(
                luma: first.widePlane, cb: second.widePlane, cr: third.widePlane, orientation: orientation
            ).map { turnUpright($0) }
            : [first.outputPlane, second.outputPlane, third.outputPlane]
        var image = PlanarImage(size: size, chromaSubsampling: plan.chromaSubsampling, planes: planes)
        image.overview = plan.toneMapped(overview?.outputPlane)
        return image
    }

    /// Returns a stored plane upright. Its samples may be reused.
    private func turnUpright(_ stored: consuming Plane) -> Plane {
        let upright = stored.oriented(by: orientation)
        if orientation != .up { SampleBufferPool.shared.recycle(stored.samples) }
        return upright
    }
}

/// The mapping of each plane of a source to the target, in the stored orientation.
struct ResamplePlan {
    let sourceLayout: PlaneLayout
    /// The chroma subsampling of the upright result.
    let chromaSubsampling: ChromaSubsampling
    private let storedChromaSubsampling: ChromaSubsampling
    private let storedTargetSize: PixelSize

    init(layout: PlaneLayout, request: ResampleRequest) {
        self.sourceLayout = layout
        storedTargetSize = request.orientation.orientedSize(of: request.size)
        let swapsAxes = request.orientation.swapsWidthAndHeight
        let minimum = swapsAxes ? request.minChromaSubsampling.swappingAxes : request.minChromaSubsampling
        storedChromaSubsampling = Self.chromaSubsampling(atLeast: minimum, layout: layout, targetSize: storedTargetSize)
        chromaSubsampling = swapsAxes ? storedChromaSubsampling.swappingAxes : storedChromaSubsampling
    }

    /// Returns the smallest subsampling that enlarges no chroma plane, with factors up to 4, the maximum in JPEG.
    ///
    /// JPEG's limit of 10 blocks in an MCU forbids more than 4 by 2. So does the 32-bit sum of the horizontal pass, of
    /// which 4 by 2 uses 98%.
    private static func chromaSubsampling(atLeast least: ChromaSubsampling, layout: PlaneLayout, targetSize: PixelSize)
        -> ChromaSubsampling
    {
        guard layout.components.count == 3 else { return .none }
        let chroma = layout.components[1...]
        let shrinkFactor = chroma.map(\.shrinkFactor).max() ?? 1
        func factor(atLeast least: Int, sampling: Int, maxSampling: Int, sourceLength: Int, targetLength: Int) -> Int {
            min(4, max(least, (maxSampling * targetLength).dividedRoundingUp(by: sampling * sourceLength)))
        }
        let across = factor(
            atLeast: least.horizontalFactor, sampling: chroma.map(\.horizontalSampling).min() ?? 1,
            maxSampling: layout.maxHorizontalSampling * shrinkFactor, sourceLength: layout.storedSize.width,
            targetLength: targetSize.width)
        let down = factor(
            atLeast: least.verticalFactor, sampling: chroma.map(\.verticalSampling).min() ?? 1,
            maxSampling: layout.maxVerticalSampling * shrinkFactor, sourceLength: layout.storedSize.height,
            targetLength: targetSize.height)
        return ChromaSubsampling(horizontalFactor: across, verticalFactor: across * down > 8 ? 2 : down)
    }

    /// The number of batches in the source, the same for every component.
    var batchCount: Int {
        let imageRowsPerBatch =
            sourceLayout.components[0].batchRowCount * sourceLayout.components[0].shrinkFactor
            / sourceLayout.components[0].verticalSampling * sourceLayout.maxVerticalSampling
        return sourceLayout.storedSize.height.dividedRoundingUp(by: imageRowsPerBatch)
    }

    /// Creates the resampler of a component.
    ///
    /// - Parameter convertsColors: Whether the result is to be converted together with that of other components, if the
    ///   source requires it.
    func makePlaneResampler(
        componentIndex index: Int, request: ResampleRequest, convertsColors: Bool = true
    ) -> PlaneResampler {
        let (horizontal, vertical) = axisMappings(componentIndex: index, request: request)
        let output: PlaneResampler.Output =
            if convertsColors, sourceLayout.requiresConversion {
                .wideSamples
            } else if sourceLayout.encoding.isFullRange && sourceLayout.encoding.bitDepth == 8 {
                .samples
            } else {
                .convertedSamples(RangeConversion(from: sourceLayout.encoding, isLuma: index == 0))
            }
        return PlaneResampler(
            horizontal: horizontal, vertical: vertical, orientation: request.orientation, filter: request.filter,
            sampleBitCount: sourceLayout.sampleBitCount, output: output,
            kernels: PixelKernels(instructionSet: request.instructionSet))
    }

    /// Converts resampled planes to the encoding of JPEG, and colors of high dynamic range to sRGB. The planes stay as
    /// they are stored.
    func convertColors(luma: WidePlane, cb: WidePlane, cr: WidePlane, orientation: Orientation) -> [Plane] {
        let factors = storedChromaSubsampling
        let grid = ChromaGrid(
            subsampling: factors,
            leadingColumns: orientation.mirrorsStoredColumns ? cb.width * factors.horizontalFactor - luma.width : 0,
            leadingRows: orientation.mirrorsStoredRows ? cb.height * factors.verticalFactor - luma.height : 0)
        if let tables = sourceLayout.toneMapping {
            return ToneMappingConversion(from: sourceLayout.encoding, tables: tables)
                .convert(luma, chroma: (cb, cr), grid: grid)
        }
        let conversion = YCbCrConversion(from: sourceLayout.encoding)
        let plane = conversion.convertLuma(luma, chroma: (cb, cr), grid: grid)
        let chroma = conversion.convertChroma(cb: cb, cr: cr)
        return [plane, chroma.cb, chroma.cr]
    }

    /// Returns the overview in sRGB. Luma of high dynamic range is converted as if it were gray.
    func toneMapped(_ overview: Plane?) -> Plane? {
        guard let tables = sourceLayout.toneMapping, var plane = overview else { return overview }
        let levels = tables.grayLevels
        for index in plane.samples.indices { plane.samples[index] = levels[Int(plane.samples[index])] }
        return plane
    }

    func axisMappings(
        componentIndex index: Int, request: ResampleRequest
    ) -> (horizontal: AxisMapping, vertical: AxisMapping) {
        let component = sourceLayout.components[index]
        let reduction = index == 0 ? .none : storedChromaSubsampling
        let horizontal = AxisMapping(
            imageLength: sourceLayout.storedSize.width, targetLength: storedTargetSize.width,
            samplingFactor: component.horizontalSampling,
            maxSamplingFactor: sourceLayout.maxHorizontalSampling, shrinkFactor: component.shrinkFactor,
            outputReduction: reduction.horizontalFactor,
            isMirrored: request.orientation.mirrorsStoredColumns)
        let vertical = AxisMapping(
            imageLength: sourceLayout.storedSize.height, targetLength: storedTargetSize.height,
            samplingFactor: component.verticalSampling,
            maxSamplingFactor: sourceLayout.maxVerticalSampling, shrinkFactor: component.shrinkFactor,
            outputReduction: reduction.verticalFactor,
            isMirrored: request.orientation.mirrorsStoredRows)
        return (horizontal, vertical)
    }
}
