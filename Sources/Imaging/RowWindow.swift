/// The decoded rows of all components that the resampler still needs: one ring of rows for each component, in one buffer.
///
/// A decoder writes straight into the rings, so no row is copied between decoding and resampling.
public struct RowWindow: ~Copyable {
    /// One component's rows within `bytes`. Row `r` is at slot `r % capacity`.
    public struct Ring: Sendable {
        /// Where slot 0 begins.
        public let offset: Int
        /// Bytes from one row to the next, a multiple of 64.
        public let stride: Int
        /// Rows that are kept, a multiple of `batch`: the rows of one batch lie one behind the other.
        public let capacity: Int
        /// Rows that the decoder writes at a time.
        public let batch: Int
        /// Rows written so far.
        public internal(set) var end = 0

        /// Where row `r` begins.
        func byteOffset(ofRow r: Int) -> Int { offset + r % capacity * stride }

        /// Where the next batch of rows is to be written.
        public var nextBatch: Int { byteOffset(ofRow: end) }
    }

    /// The samples of all rings.
    public var bytes: ContiguousArray<UInt8>
    /// One ring for each component.
    public private(set) var rings: [Ring]

    /// A window for `layout` that keeps, besides the batch that was read last, `rows[c]` rows of component `c`.
    package init(_ layout: PlaneLayout, keeping rows: [Int]) {
        var size = 0
        rings = zip(layout.components, rows).map { component, rows in
            let batch = component.batchRows
            let stride = component.storedWidth.roundedUp(to: Kernels.columnBlock)
            let capacity = (rows + batch).roundedUp(to: batch)
            defer { size += stride * capacity }
            return Ring(offset: size, stride: stride, capacity: capacity, batch: batch)
        }
        bytes = SampleBuffers.shared.zeros(size)
    }

    deinit { SampleBuffers.shared.giveBack(bytes) }

    /// Where a decoder in C is to write the next batch of every component, and its rows' distances.
    ///
    /// Traps unless the window has the shape of `layout`: C would write beyond it.
    package func nextBatches(of layout: PlaneLayout) -> (offsets: [Int], strides: [Int]) {
        precondition(rings.count == layout.components.count)
        for (ring, component) in zip(rings, layout.components) {
            precondition(ring.stride >= component.storedWidth && ring.batch == component.batchRows)
        }
        return (rings.map(\.nextBatch), rings.map(\.stride))
    }

    /// Declares that the decoder has written one more batch of rows into every ring.
    mutating func advance() {
        for c in rings.indices { rings[c].end += rings[c].batch }
    }
}

/// What a decoder delivers: planes of one picture, each with its own sampling, a batch of rows at a time.
public struct PlaneLayout: Sendable {
    /// One component's sampling, and the shape in which its rows arrive.
    public struct Component: Sendable {
        /// Samples across for every `maxHorizontal` pixels.
        public var horizontal: Int
        /// Rows for every `maxVertical` pixels down.
        public var vertical: Int
        /// Samples that the decoder writes for each row, padding included.
        public var storedWidth: Int
        /// Rows that the decoder writes at a time.
        public var batchRows: Int

        /// A component of the given sampling factors and shape.
        public init(horizontal: Int, vertical: Int, storedWidth: Int, batchRows: Int) {
            self.horizontal = horizontal
            self.vertical = vertical
            self.storedWidth = storedWidth
            self.batchRows = batchRows
        }
    }

    /// The picture's size as it is stored.
    public var size: PixelSize
    /// Y, or Y, Cb and Cr.
    public var components: [Component]

    /// A picture of `size` pixels in the components given.
    public init(size: PixelSize, components: [Component]) {
        self.size = size
        self.components = components
    }

    /// The largest horizontal sampling factor.
    public var maxHorizontal: Int { components.map(\.horizontal).max() ?? 1 }
    /// The largest vertical sampling factor.
    public var maxVertical: Int { components.map(\.vertical).max() ?? 1 }
}

/// A source of rows: the seam between decoding and resampling.
public protocol PlaneDecoder: ~Copyable {
    /// What reading can fail with.
    associatedtype Failure: Error
    /// The planes that `readBatch` delivers.
    var layout: PlaneLayout { get }
    /// Writes the next `batchRows` rows of every component to its ring's `nextBatch`. Rows below the picture's last may
    /// be left as they are.
    mutating func readBatch(into window: inout RowWindow) throws(Failure)
}
