/// What becomes of a picture between its decoder and an encoder.
public struct Resampling: Sendable {
    /// The upright size to make, in pixels.
    public var size: PixelSize
    /// How the source must be turned.
    public var orientation: Orientation
    /// The least reduction of the chroma planes, in the upright picture. More is used where less would enlarge them.
    public var chroma: ChromaReduction
    /// The kernel.
    public var filter: ResampleFilter
    /// The instructions to use; an unavailable set counts as `.portable`.
    public var instructionSet: InstructionSet

    /// A resampling to `size`, upright.
    public init(
        size: PixelSize, orientation: Orientation = .up,
        chroma: ChromaReduction = ChromaReduction(horizontal: 2, vertical: 2), filter: ResampleFilter = .lanczos3,
        instructionSet: InstructionSet = .selected
    ) {
        self.size = size
        self.orientation = orientation
        self.chroma = chroma
        self.filter = filter
        self.instructionSet = instructionSet.isAvailable ? instructionSet : .portable
    }

    /// Reads `decoder` to its end, resizes every plane on the picture's grid, and turns the small result upright.
    ///
    /// The decoder's rows pass through a window of as many as the filter spans, so memory doesn't grow with the
    /// source's height: it is the window, the result, and one more plane while that is turned.
    ///
    /// - Throws: what the decoder throws.
    public func picture<Decoder: PlaneDecoder & ~Copyable>(
        from decoder: inout Decoder
    ) throws(Decoder.Failure) -> Picture {
        let layout = decoder.layout
        let plan = PlanePlan(layout, for: self)
        var first = plan.resampler(0, self)
        if layout.components.count == 1 {
            var window = RowWindow(layout, keeping: [first.rowsKept])
            for _ in 0..<plan.batches {
                try decoder.readBatch(into: &window)
                window.advance()
                first.resample(window.bytes.span, window.rings[0])
            }
            return finish([first.output], reduction: .none)
        }
        var second = plan.resampler(1, self), third = plan.resampler(2, self)
        var window = RowWindow(layout, keeping: [first.rowsKept, second.rowsKept, third.rowsKept])
        for _ in 0..<plan.batches {
            try decoder.readBatch(into: &window)
            window.advance()
            first.resample(window.bytes.span, window.rings[0])
            second.resample(window.bytes.span, window.rings[1])
            third.resample(window.bytes.span, window.rings[2])
        }
        return finish([first.output, second.output, third.output], reduction: plan.reduction)
    }

    private func finish(_ stored: [Plane], reduction: ChromaReduction) -> Picture {
        let upright = stored.map { $0.oriented(orientation) }
        if orientation != .up { for plane in stored { SampleBuffers.shared.giveBack(plane.samples) } }
        return Picture(size: size, chroma: reduction, planes: upright)
    }
}

/// How each plane of one source lies on the target, in the stored orientation.
private struct PlanePlan {
    let layout: PlaneLayout
    /// The chroma reduction used, upright.
    let reduction: ChromaReduction
    private let stored: ChromaReduction
    private let target: PixelSize

    init(_ layout: PlaneLayout, for request: Resampling) {
        self.layout = layout
        target = request.orientation.applied(to: request.size)
        let turned = request.orientation.isTransposed
        let least = turned ? request.chroma.transposed : request.chroma
        stored = Self.reduction(atLeast: least, layout: layout, target: target)
        reduction = turned ? stored.transposed : stored
    }

    /// The smallest reduction that enlarges no chroma plane, up to 4, which is the most that JPEG can say. JPEG's limit of
    /// 10 blocks in an MCU forbids more than 4 by 2; so does the 32-bit sum of the horizontal pass, which 4 by 2 fills to 98%.
    private static func reduction(atLeast least: ChromaReduction, layout: PlaneLayout, target: PixelSize)
        -> ChromaReduction
    {
        guard layout.components.count == 3 else { return .none }
        let chroma = layout.components[1...]
        func factor(_ least: Int, _ sampling: Int, _ maximum: Int, _ source: Int, _ target: Int) -> Int {
            min(4, max(least, (maximum * target).dividedRoundingUp(by: sampling * source)))
        }
        let across = factor(
            least.horizontal, chroma.map(\.horizontal).min() ?? 1, layout.maxHorizontal, layout.size.width, target.width
        )
        let down = factor(
            least.vertical, chroma.map(\.vertical).min() ?? 1, layout.maxVertical, layout.size.height, target.height)
        return ChromaReduction(horizontal: across, vertical: across * down > 8 ? 2 : down)
    }

    /// Batches in the source: every component has as many.
    var batches: Int {
        let rowsOfPicture = layout.components[0].batchRows / layout.components[0].vertical * layout.maxVertical
        return layout.size.height.dividedRoundingUp(by: rowsOfPicture)
    }

    func resampler(_ index: Int, _ request: Resampling) -> PlaneResampler {
        let component = layout.components[index]
        let reduction = index == 0 ? .none : stored
        let horizontal = AxisMapping(
            pictureCount: layout.size.width, targetCount: target.width, sampling: component.horizontal,
            maxSampling: layout.maxHorizontal, reduction: reduction.horizontal,
            mirrored: request.orientation.mirrorsStoredColumns)
        let vertical = AxisMapping(
            pictureCount: layout.size.height, targetCount: target.height, sampling: component.vertical,
            maxSampling: layout.maxVertical, reduction: reduction.vertical,
            mirrored: request.orientation.mirrorsStoredRows)
        return PlaneResampler(
            horizontal: horizontal, vertical: vertical, filter: request.filter,
            kernels: Kernels(instructionSet: request.instructionSet))
    }
}
