/// A buffer of the decoded rows that the resampler still needs, with one ring of rows for each component.
///
/// A decoder writes directly into the rings, so no row is copied between decoding and resampling. Samples have one
/// byte, or two, see ``PlaneLayout/sampleBitCount``.
///
/// ```
/// bytes: | ring of component 0           | ring of component 1 | ...
///        | slot 0 | slot 1 | ... | n - 1 |
///
/// row r is in slot r % rowCapacity, at startOffset + slot * stride
/// ```
public struct RowRingBuffer: ~Copyable {
    /// The ring of one component within `bytes`. Row `r` is in slot `r % rowCapacity`.
    public struct ComponentRing: Sendable {
        /// The offset of slot 0 in `bytes`.
        public let startOffset: Int
        /// The number of bytes from one row to the next, a multiple of 64.
        public let stride: Int
        /// The number of slots, a multiple of `batchRowCount`, so that the rows of a batch are contiguous.
        public let rowCapacity: Int
        /// The number of rows that the decoder writes at a time.
        public let batchRowCount: Int
        /// The number of rows written so far.
        public internal(set) var writtenRowCount = 0

        /// Returns the offset of row `r` in `bytes`.
        func byteOffset(ofRow r: Int) -> Int { startOffset + r % rowCapacity * stride }

        /// The offset in `bytes` at which the next batch of rows is written.
        public var nextBatchOffset: Int { byteOffset(ofRow: writtenRowCount) }
    }

    /// The samples of all rings.
    public var bytes: ContiguousArray<UInt8>
    /// The rings, one for each component.
    public private(set) var rings: [ComponentRing]

    /// Creates a buffer for `layout`.
    ///
    /// - Parameters:
    ///   - layout: The planes of the decoder.
    ///   - rows: For each component, the number of rows to retain besides the last batch.
    package init(layout: PlaneLayout, retainedRowCounts rows: [Int]) {
        var byteCount = 0
        rings = zip(layout.components, rows).map { component, rows in
            let batchRowCount = component.batchRowCount
            let columnCount = component.paddedWidth.roundedUp(toMultipleOf: PixelKernels.columnBlockSize)
            let stride = columnCount * layout.bytesPerSample
            let capacity = (rows + batchRowCount).roundedUp(toMultipleOf: batchRowCount)
            defer { byteCount += stride * capacity }
            return ComponentRing(
                startOffset: byteCount, stride: stride, rowCapacity: capacity, batchRowCount: batchRowCount)
        }
        bytes = SampleBufferPool.shared.makeZeroed(count: byteCount)
    }

    deinit { SampleBufferPool.shared.recycle(bytes) }

    /// Returns the offset and the stride at which a C decoder writes the next batch of each component.
    ///
    /// - Precondition: The buffer has the shape of `layout`. C would otherwise write out of bounds.
    package func nextBatchDestinations(for layout: PlaneLayout) -> (offsets: [Int], strides: [Int]) {
        precondition(rings.count == layout.components.count)
        for (ring, component) in zip(rings, layout.components) {
            precondition(
                ring.stride >= component.paddedWidth * layout.bytesPerSample
                    && ring.batchRowCount == component.batchRowCount)
        }
        return (rings.map(\.nextBatchOffset), rings.map(\.stride))
    }

    /// Records that the decoder has written one more batch of rows into every ring.
    mutating func commitBatch() {
        for c in rings.indices { rings[c].writtenRowCount += rings[c].batchRowCount }
    }
}

/// The planes that a decoder delivers in batches of rows, each with its own sampling factors.
public struct PlaneLayout: Sendable {
    /// The sampling factors of one component, and the shape of its batches.
    public struct ComponentSampling: Sendable {
        /// The number of samples in a row for every `maxHorizontalSampling` pixels.
        public var horizontalSampling: Int
        /// The number of rows for every `maxVerticalSampling` pixels.
        public var verticalSampling: Int
        /// The number of samples that the decoder writes for each row, including padding.
        public var paddedWidth: Int
        /// The number of rows that the decoder writes at a time.
        public var batchRowCount: Int
        /// The number of stored samples, in each direction, that the decoder averages to one sample.
        public var shrinkFactor: Int

        /// Creates the sampling of a component.
        ///
        /// - Parameters:
        ///   - horizontalSampling: The horizontal sampling factor.
        ///   - verticalSampling: The vertical sampling factor.
        ///   - paddedWidth: The number of samples that the decoder writes for each row, including padding.
        ///   - batchRowCount: The number of rows that the decoder writes at a time.
        ///   - shrinkFactor: The number of stored samples, in each direction, that the decoder averages to one sample.
        public init(
            horizontalSampling: Int, verticalSampling: Int, paddedWidth: Int, batchRowCount: Int, shrinkFactor: Int = 1
        ) {
            self.horizontalSampling = horizontalSampling
            self.verticalSampling = verticalSampling
            self.paddedWidth = paddedWidth
            self.batchRowCount = batchRowCount
            self.shrinkFactor = shrinkFactor
        }
    }

    /// The stored size of the image, in pixels.
    public var storedSize: PixelSize
    /// The components: Y, or Y, Cb and Cr. A source that is still to be converted has those that are stored.
    public var components: [ComponentSampling]
    /// The encoding of the samples. The resampled image has that of JPEG.
    public var encoding: YCbCrEncoding
    /// The number of bits that the decoder delivers for a sample: 8 in a byte, or up to 12 in two bytes, the lower one
    /// first. Those beyond the encoding's are fractional.
    public var sampleBitCount: Int
    /// The conversion of colors of high dynamic range to sRGB; `nil` for all other colors.
    package var toneMapping: ToneMappingTables?

    /// Creates a layout of an image.
    ///
    /// - Parameters:
    ///   - storedSize: The stored size, in pixels.
    ///   - components: The components.
    ///   - encoding: The encoding of the samples.
    ///   - sampleBitCount: The number of bits of a delivered sample, from the encoding's to 12; by default the
    ///     encoding's.
    public init(
        storedSize: PixelSize, components: [ComponentSampling], encoding: YCbCrEncoding = .jpeg,
        sampleBitCount: Int? = nil
    ) {
        self.storedSize = storedSize
        self.components = components
        self.encoding = encoding
        self.sampleBitCount = sampleBitCount ?? encoding.bitDepth
        precondition(encoding.bitDepth >= 8 && (encoding.bitDepth...12).contains(self.sampleBitCount))
    }

    /// The number of bytes of a delivered sample: 1 or 2.
    public var bytesPerSample: Int { sampleBitCount > 8 ? 2 : 1 }

    /// Whether the planes must be converted together: all depend on Cb and Cr.
    private var requiresMatrixConversion: Bool { components.count == 3 && encoding.matrix != .bt601 }

    /// Whether the resampled planes are converted after all of them are resampled.
    var requiresConversion: Bool { toneMapping != nil || requiresMatrixConversion }

    /// The largest horizontal sampling factor.
    public var maxHorizontalSampling: Int { components.map(\.horizontalSampling).max() ?? 1 }
    /// The largest vertical sampling factor.
    public var maxVerticalSampling: Int { components.map(\.verticalSampling).max() ?? 1 }
}

/// A source of decoded rows for resampling.
public protocol PlaneDecoder: ~Copyable {
    /// The error that decoding throws.
    associatedtype Failure: Error
    /// The planes that `decodeRowBatch(into:)` delivers.
    var layout: PlaneLayout { get }
    /// Writes the next `batchRowCount` rows of every component at its ring's `nextBatchOffset`.
    ///
    /// Rows below the image's last one may be left unwritten.
    ///
    /// - Parameter ringBuffer: A ring buffer with the shape of ``layout``.
    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(Failure)
}
