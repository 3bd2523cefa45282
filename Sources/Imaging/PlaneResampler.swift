/// Resizes one plane while its rows arrive: vertically first, into one row of 16-bit samples with 6 fractional bits, then
/// that row horizontally.
///
/// Its memory is the output, one intermediate row and the tables; the source rows are the caller's.
/// Time is proportional to source samples times the filter's width.
struct PlaneResampler: ~Copyable {
    private let kernels: Kernels
    private let vertical: WeightTable
    private let horizontal: WeightTable
    private let sourceWidth: Int
    private let sourceHeight: Int
    private var reducer: BoxReducer?
    private var intermediate: ContiguousArray<Int16>
    private var offsets: ContiguousArray<Int32>
    private var nextRow = 0
    private(set) var output: Plane

    /// Source rows that must be kept for it.
    let rowsKept: Int

    init(horizontal: AxisMapping, vertical: AxisMapping, filter: ResampleFilter, kernels: Kernels) {
        let (across, down) = (horizontal.afterBox, vertical.afterBox)
        let cache = WeightTableCache.shared
        self.kernels = kernels
        self.vertical = cache.table(for: .init(mapping: down, filter: filter, pass: .vertical))
        self.horizontal = cache.table(for: .init(mapping: across, filter: filter, pass: .horizontal))
        sourceWidth = across.sourceCount
        sourceHeight = down.sourceCount
        output = Plane(width: horizontal.outputCount, height: vertical.outputCount)

        // Taps behind the last sample weigh nothing, but are read: the row ends with room for them.
        let columns = sourceWidth.roundedUp(to: Kernels.columnBlock)
        intermediate = ContiguousArray(repeating: 0, count: columns + self.horizontal.taps)
        offsets = ContiguousArray(repeating: 0, count: self.vertical.taps)

        let needsBox = horizontal.boxFactor > 1 || vertical.boxFactor > 1
        rowsKept = needsBox ? 0 : self.vertical.neededTaps
        reducer =
            needsBox
            ? BoxReducer(horizontal: horizontal, vertical: vertical, keeping: self.vertical.neededTaps) : nil
    }

    /// Makes every output row for which the rows in `ring` now suffice.
    mutating func resample(_ source: Span<UInt8>, _ ring: RowWindow.Ring) {
        guard var box = reducer.take() else { return makeRows(from: source, ring) }
        while box.produceRow(from: source, ring) { makeRows(from: box.bytes.span, box.ring) }
        reducer = box
    }

    private mutating func makeRows(from source: Span<UInt8>, _ ring: RowWindow.Ring) {
        let end = min(ring.end, sourceHeight)
        while nextRow < output.height {
            let first = Int(vertical.starts[nextRow])
            guard min(first + vertical.neededTaps, sourceHeight) <= end else { return }
            for k in offsets.indices { offsets[k] = Int32(ring.byteOffset(ofRow: min(first + k, end - 1))) }
            makeRow(from: source)
            nextRow += 1
        }
    }

    private mutating func makeRow(from source: Span<UInt8>) {
        // Copies of references: a span of a stored property would keep all of `self` from being changed meanwhile.
        let (vertical, offsets) = (vertical, offsets)
        let columns = sourceWidth.roundedUp(to: Kernels.columnBlock)
        let weights = vertical.weights.span.extracting((nextRow * vertical.taps)..<((nextRow + 1) * vertical.taps))
        kernels.blendRows(
            source, offsets: offsets.span, weights: weights, shift: vertical.shift, columns: columns,
            into: &intermediate)
        let blended = intermediate
        kernels.convolveRow(blended.span, by: horizontal, into: &output.samples, at: nextRow * output.stride)
    }
}
