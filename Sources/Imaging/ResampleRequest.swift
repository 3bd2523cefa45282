/// What becomes of a picture between its decoder and an encoder.
public struct ResampleRequest: Sendable {
    /// The upright size to make, in pixels.
    public var size: PixelSize
    /// How the source must be turned.
    public var orientation: Orientation
    /// The least reduction of the chroma planes, in the upright picture. More is used where less would enlarge them.
    public var minChromaSubsampling: ChromaSubsampling
    /// The kernel.
    public var filter: ResampleFilter
    /// The instructions to use; an unavailable set counts as `.portable`.
    public var instructionSet: InstructionSet

    /// A resampling to `size`, upright.
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
        self.instructionSet = instructionSet.isAvailable ? instructionSet : .portable
    }

    /// Reads `decoder` to its end, resizes every plane on the picture's grid, and turns the small result upright.
    ///
    /// The decoder's rows pass through a window of as many as the filter spans, so memory doesn't grow with the
    /// source's height: it is the window, the result, and one more plane while that is turned.
    ///
    /// - Throws: what the decoder throws.
    public func resampleImage<Decoder: PlaneDecoder & ~Copyable>(
        from decoder: inout Decoder
    ) throws(Decoder.Failure) -> PlanarImage {
        let layout = decoder.layout
        let plan = ResamplePlan(layout: layout, request: self)
        var first = plan.makePlaneResampler(componentIndex: 0, request: self)
        if layout.components.count == 1 {
            var ringBuffer = RowRingBuffer(layout: layout, retainedRowCounts: [first.retainedRowCount])
            for _ in 0..<plan.batchCount {
                try decoder.decodeRowBatch(into: &ringBuffer)
                ringBuffer.commitBatch()
                first.resampleAvailableRows(from: ringBuffer.bytes.span, ring: ringBuffer.rings[0])
            }
            return orientedImage(fromStoredPlanes: [first.outputPlane], chromaSubsampling: .none)
        }
        var second = plan.makePlaneResampler(componentIndex: 1, request: self),
            third = plan.makePlaneResampler(componentIndex: 2, request: self)
        var ringBuffer = RowRingBuffer(
            layout: layout,
            retainedRowCounts: [first.retainedRowCount, second.retainedRowCount, third.retainedRowCount])
        for _ in 0..<plan.batchCount {
            try decoder.decodeRowBatch(into: &ringBuffer)
            ringBuffer.commitBatch()
            first.resampleAvailableRows(from: ringBuffer.bytes.span, ring: ringBuffer.rings[0])
            second.resampleAvailableRows(from: ringBuffer.bytes.span, ring: ringBuffer.rings[1])
            third.resampleAvailableRows(from: ringBuffer.bytes.span, ring: ringBuffer.rings[2])
        }
        return orientedImage(
            fromStoredPlanes: [first.outputPlane, second.outputPlane, third.outputPlane],
            chromaSubsampling: plan.chromaSubsampling)
    }

    private func orientedImage(fromStoredPlanes storedPlanes: [Plane], chromaSubsampling: ChromaSubsampling)
        -> PlanarImage
    {
        let upright = storedPlanes.map { $0.oriented(by: orientation) }
        if orientation != .up { for plane in storedPlanes { SampleBufferPool.shared.recycle(plane.samples) } }
        return PlanarImage(size: size, chromaSubsampling: chromaSubsampling, planes: upright)
    }
}

/// How each plane of one source lies on the target, in the stored orientation.
private struct ResamplePlan {
    let sourceLayout: PlaneLayout
    /// The chroma reduction used, upright.
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

    /// The smallest reduction that enlarges no chroma plane, up to 4, which is the most that JPEG can say. JPEG's limit
    /// of 10 blocks in an MCU forbids more than 4 by 2; so does the 32-bit sum of the horizontal pass, which 4 by 2
    /// fills to 98%.
    private static func chromaSubsampling(atLeast least: ChromaSubsampling, layout: PlaneLayout, targetSize: PixelSize)
        -> ChromaSubsampling
    {
        guard layout.components.count == 3 else { return .none }
        let chroma = layout.components[1...]
        func factor(_ least: Int, _ sampling: Int, _ maximum: Int, _ source: Int, _ targetSize: Int) -> Int {
            min(4, max(least, (maximum * targetSize).dividedRoundingUp(by: sampling * source)))
        }
        let across = factor(
            least.horizontalFactor, chroma.map(\.horizontalSampling).min() ?? 1, layout.maxHorizontalSampling,
            layout.storedSize.width, targetSize.width
        )
        let down = factor(
            least.verticalFactor, chroma.map(\.verticalSampling).min() ?? 1, layout.maxVerticalSampling,
            layout.storedSize.height, targetSize.height)
        return ChromaSubsampling(horizontalFactor: across, verticalFactor: across * down > 8 ? 2 : down)
    }

    /// Batches in the source: every component has as many.
    var batchCount: Int {
        let imageRowsPerBatch =
            sourceLayout.components[0].batchRowCount / sourceLayout.components[0].verticalSampling
            * sourceLayout.maxVerticalSampling
        return sourceLayout.storedSize.height.dividedRoundingUp(by: imageRowsPerBatch)
    }

    func makePlaneResampler(componentIndex index: Int, request: ResampleRequest) -> PlaneResampler {
        let component = sourceLayout.components[index]
        let reduction = index == 0 ? .none : storedChromaSubsampling
        let horizontal = AxisMapping(
            imageLength: sourceLayout.storedSize.width, targetLength: storedTargetSize.width,
            samplingFactor: component.horizontalSampling,
            maxSamplingFactor: sourceLayout.maxHorizontalSampling, outputReduction: reduction.horizontalFactor,
            isMirrored: request.orientation.mirrorsStoredColumns)
        let vertical = AxisMapping(
            imageLength: sourceLayout.storedSize.height, targetLength: storedTargetSize.height,
            samplingFactor: component.verticalSampling,
            maxSamplingFactor: sourceLayout.maxVerticalSampling, outputReduction: reduction.verticalFactor,
            isMirrored: request.orientation.mirrorsStoredRows)
        return PlaneResampler(
            horizontal: horizontal, vertical: vertical, filter: request.filter,
            kernels: PixelKernels(instructionSet: request.instructionSet))
    }
}
