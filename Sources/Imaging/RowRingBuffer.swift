/// The decoded rows of all components that the resampler still needs: one ring of rows for each component, in one
/// buffer.
///
/// A decoder writes straight into the rings, so no row is copied between decoding and resampling.
public struct RowRingBuffer: ~Copyable {
    /// One component's rows within `bytes`. Row `r` is at slot `r % rowCapacity`.
    public struct ComponentRing: Sendable {
        /// Where slot 0 begins.
        public let startOffset: Int
        /// Bytes from one row to the next, a multiple of 64.
        public let stride: Int
        /// Rows that are kept, a multiple of `batchRowCount`: the rows of one batch lie one behind the other.
        public let rowCapacity: Int
        /// Rows that the decoder writes at a time.
        public let batchRowCount: Int
        /// Rows written so far.
        public internal(set) var writtenRowCount = 0

        /// Where row `r` begins.
        func byteOffset(ofRow r: Int) -> Int { startOffset + r % rowCapacity * stride }

        /// Where the next batch of rows is to be written.
        public var nextBatchOffset: Int { byteOffset(ofRow: writtenRowCount) }
    }

    /// The samples of all rings.
    public var bytes: ContiguousArray<UInt8>
    /// One ring for each component.
    public private(set) var rings: [ComponentRing]

    /// A window for `layout` that keeps, besides the batch that was read last, `rows[c]` rows of component `c`.
    package init(layout: PlaneLayout, retainedRowCounts rows: [Int]) {
        var byteCount = 0
        rings = zip(layout.components, rows).map { component, rows in
            let batchRowCount = component.batchRowCount
            let stride = component.paddedWidth.roundedUp(toMultipleOf: PixelKernels.columnBlockSize)
            let capacity = (rows + batchRowCount).roundedUp(toMultipleOf: batchRowCount)
            defer { byteCount += stride * capacity }
            return ComponentRing(
                startOffset: byteCount, stride: stride, rowCapacity: capacity, batchRowCount: batchRowCount)
        }
        bytes = SampleBufferPool.shared.makeZeroed(count: byteCount)
    }

    deinit { SampleBufferPool.shared.recycle(bytes) }

    /// Where a decoder in C is to write the next batch of every component, and its rows' distances.
    ///
    /// Traps unless the window has the shape of `layout`: C would write beyond it.
    package func nextBatchDestinations(for layout: PlaneLayout) -> (offsets: [Int], strides: [Int]) {
        precondition(rings.count == layout.components.count)
        for (ring, component) in zip(rings, layout.components) {
            precondition(ring.stride >= component.paddedWidth && ring.batchRowCount == component.batchRowCount)
        }
        return (rings.map(\.nextBatchOffset), rings.map(\.stride))
    }

    /// Declares that the decoder has written one more batch of rows into every ring.
    mutating func commitBatch() {
        for c in rings.indices { rings[c].writtenRowCount += rings[c].batchRowCount }
    }
}

/// What a decoder delivers: planes of one picture, each with its own sampling, a batch of rows at a time.
public struct PlaneLayout: Sendable {
    /// One component's sampling, and the shape in which its rows arrive.
    public struct ComponentLayout: Sendable {
        /// Samples across for every `maxHorizontalSampling` pixels.
        public var horizontalSampling: Int
        /// Rows for every `maxVerticalSampling` pixels down.
        public var verticalSampling: Int
        /// Samples that the decoder writes for each row, padding included.
        public var paddedWidth: Int
        /// Rows that the decoder writes at a time.
        public var batchRowCount: Int

        /// A component of the given sampling factors and shape.
        public init(horizontalSampling: Int, verticalSampling: Int, paddedWidth: Int, batchRowCount: Int) {
            self.horizontalSampling = horizontalSampling
            self.verticalSampling = verticalSampling
            self.paddedWidth = paddedWidth
            self.batchRowCount = batchRowCount
        }
    }

    /// The picture's size as it is stored.
    public var storedSize: PixelSize
    /// Y, or Y, Cb and Cr.
    public var components: [ComponentLayout]

    /// A picture of `storedSize` pixels in the components given.
    public init(storedSize: PixelSize, components: [ComponentLayout]) {
        self.storedSize = storedSize
        self.components = components
    }

    /// The largest horizontal sampling factor.
    public var maxHorizontalSampling: Int { components.map(\.horizontalSampling).max() ?? 1 }
    /// The largest vertical sampling factor.
    public var maxVerticalSampling: Int { components.map(\.verticalSampling).max() ?? 1 }
}

/// A source of rows: the seam between decoding and resampling.
public protocol PlaneDecoder: ~Copyable {
    /// What reading can fail with.
    associatedtype Failure: Error
    /// The planes that `decodeRowBatch` delivers.
    var layout: PlaneLayout { get }
    /// Writes the next `batchRowCount` rows of every component to its ring's `nextBatchOffset`. Rows below the
    /// picture's last may be left as they are.
    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(Failure)
}
