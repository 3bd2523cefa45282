extension ResampleRequest {
    /// The maximum of the longer side of ``PlanarImage/overview``, in samples.
    package static let maxOverviewDimension = 1024

    /// Returns the upright size of the overview of a source of `storedSize` pixels.
    package func overviewSize(ofSourceWithSize storedSize: PixelSize) -> PixelSize {
        orientation.orientedSize(of: storedSize).scaledDown(toLongerSide: Self.maxOverviewDimension)
    }

    /// Returns whether the result's luma plane can be reduced to the overview, unless its colors are converted.
    ///
    /// - Parameter storedSize: The stored size of the source, in pixels.
    package func reducesLumaToOverview(ofSourceWithSize storedSize: PixelSize) -> Bool {
        filter == .lanczos3 && size.covers(overviewSize(ofSourceWithSize: storedSize))
    }

    /// Returns the request for an overview that is made from the rows of the source, or `nil` if the request makes no
    /// overview, or the result's luma plane can be reduced to it, which is faster.
    ///
    /// A result with converted colors is not reduced, because its luma differs from that of the source.
    func overviewRequest(for layout: PlaneLayout) -> ResampleRequest? {
        guard isMeasured else { return nil }
        let overviewSize = overviewSize(ofSourceWithSize: layout.storedSize)
        if !layout.requiresConversion, reducesLumaToOverview(ofSourceWithSize: layout.storedSize) { return nil }
        var request = ResampleRequest(size: overviewSize, orientation: orientation, instructionSet: instructionSet)
        request.isForMeasuresOnly = isForMeasuresOnly
        return request
    }

    /// Returns a resampler for ``overviewRequest(for:)``, or `nil` if that is `nil`.
    func makeOverviewResampler(layout: PlaneLayout) -> PlaneResampler? {
        guard let request = overviewRequest(for: layout) else { return nil }
        return ResamplePlan(layout: layout, request: request)
            .makePlaneResampler(componentIndex: 0, request: request, convertsColors: false)
    }
}

extension Plane {
    /// The number of rows that are copied to the resampler at a time.
    private static let batchRowCount = 8

    /// Returns the plane reduced to `size` by the Lanczos filter.
    ///
    /// - Complexity: Linear in the plane's samples times the filter's width.
    func resampled(to size: PixelSize, instructionSet: InstructionSet) -> Plane {
        if size == self.size { return self }
        return Plane(
            resampling: samples.span, sourceSize: self.size, rowStride: stride, to: size,
            instructionSet: instructionSet)
    }

    /// Creates a plane by reducing samples with the Lanczos filter. If `size` is `sourceSize`, they are copied.
    ///
    /// - Parameters:
    ///   - samples: The rows of the source, top to bottom.
    ///   - sourceSize: The number of samples in a row, and of rows.
    ///   - rowStride: The number of samples from one row to the next.
    ///   - size: The size of the new plane.
    ///   - instructionSet: The instruction set to use.
    /// - Precondition: `samples` has all rows.
    /// - Complexity: Linear in the source's samples times the filter's width. Memory: the result and a ring of rows.
    package init(
        resampling samples: borrowing Span<UInt8>, sourceSize: PixelSize, rowStride: Int, to size: PixelSize,
        instructionSet: InstructionSet
    ) {
        if size == sourceSize {
            self.init(copying: samples, size: size, rowStride: rowStride)
            return
        }
        let component = PlaneLayout.ComponentSampling(
            horizontalSampling: 1, verticalSampling: 1, paddedWidth: sourceSize.width,
            batchRowCount: Self.batchRowCount)
        let layout = PlaneLayout(storedSize: sourceSize, components: [component])
        let request = ResampleRequest(size: size, instructionSet: instructionSet)
        var resampler = ResamplePlan(layout: layout, request: request)
            .makePlaneResampler(componentIndex: 0, request: request)
        var ringBuffer = RowRingBuffer(layout: layout, retainedRowCounts: [resampler.retainedRowCount])
        var firstRow = 0
        while firstRow < sourceSize.height {
            let ring = ringBuffer.rings[0]
            for row in firstRow..<min(firstRow + Self.batchRowCount, sourceSize.height) {
                PixelKernels.copy(
                    samples.extracting((row * rowStride)..<(row * rowStride + sourceSize.width)),
                    to: &ringBuffer.bytes, at: ring.nextBatchOffset + (row - firstRow) * ring.stride)
            }
            ringBuffer.commitBatch()
            resampler.resampleAvailableRows(from: ringBuffer.bytes.span, ring: ringBuffer.rings[0])
            firstRow += Self.batchRowCount
        }
        self = resampler.outputPlane
    }
}
