import Imaging
import TestSupport
import Testing

/// A stored image, delivered like a JPEG decoder's output: in batches of rows whose width is a multiple of the block
/// size, with garbage after the image's edges.
struct StoredImageDecoder: PlaneDecoder {
    typealias Failure = Never

    let layout: PlaneLayout
    private let rows: [[[UInt8]]]
    private var deliveredBatchCount = 0

    /// - Parameters:
    ///   - size: the size as stored.
    ///   - planes: Y, or Y, Cb and Cr, each of the size that its sampling gives it.
    ///   - sampling: how those planes are sampled.
    ///   - batch: rows for each sampling factor that arrive at a time: 8 from most JPEGs.
    ///   - encoding: the encoding of the samples.
    init(
        size: PixelSize, planes: [Plane], sampling: Sampling = .gray, batch: Int = 8, encoding: YCbCrEncoding = .jpeg
    ) {
        let components = zip(planes, sampling.factors).map { plane, factor in
            PlaneLayout.ComponentSampling(
                horizontalSampling: factor.h, verticalSampling: factor.v,
                paddedWidth: plane.width.roundedUp(toMultipleOf: 8),
                batchRowCount: batch * factor.v)
        }
        layout = PlaneLayout(storedSize: size, components: components, encoding: encoding)
        rows = zip(planes, components).map { plane, component in
            plane.rows.map { row in row + (row.count..<component.paddedWidth).map { $0 % 2 == 0 ? 0 : 255 } }
        }
    }

    init(_ plane: Plane, batch: Int = 8) {
        self.init(size: PixelSize(width: plane.width, height: plane.height), planes: [plane], batch: batch)
    }

    mutating func decodeRowBatch(into window: inout RowRingBuffer) {
        for (c, component) in layout.components.enumerated() {
            var start = window.rings[c].nextBatchOffset
            for y
                in (deliveredBatchCount * component.batchRowCount)..<((deliveredBatchCount + 1)
                * component.batchRowCount)
            {
                let garbage = [UInt8](repeating: y % 2 == 0 ? 255 : 0, count: component.paddedWidth)
                let row = y < rows[c].count ? rows[c][y] : garbage
                window.bytes.replaceSubrange(start..<(start + row.count), with: row)
                start += window.rings[c].stride
            }
        }
        deliveredBatchCount += 1
    }
}

/// The sampling factors of an image's components.
struct Sampling: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var factors: [(h: Int, v: Int)]

    static let gray = Sampling(testDescription: "gray", factors: [(1, 1)])
    static let s444 = Sampling(testDescription: "4:4:4", factors: [(1, 1), (1, 1), (1, 1)])
    static let s422 = Sampling(testDescription: "4:2:2", factors: [(2, 1), (1, 1), (1, 1)])
    static let s420 = Sampling(testDescription: "4:2:0", factors: [(2, 2), (1, 1), (1, 1)])
    static let s440 = Sampling(testDescription: "4:4:0", factors: [(1, 2), (1, 1), (1, 1)])
    static let s411 = Sampling(testDescription: "4:1:1", factors: [(4, 1), (1, 1), (1, 1)])

    static let common: [Sampling] = [.s444, .s422, .s420, .s440, .s411]

    var maximum: (h: Int, v: Int) { (factors.map(\.h).max() ?? 1, factors.map(\.v).max() ?? 1) }

    /// The size of component `c` of an image of `size` pixels.
    func planeSize(ofComponent c: Int, imageSize size: PixelSize) -> PixelSize {
        PixelSize(
            width: (size.width * factors[c].h).dividedRoundingUp(by: maximum.h),
            height: (size.height * factors[c].v).dividedRoundingUp(by: maximum.v))
    }
}

extension Plane {
    /// The plane whose samples `sample` gives.
    init(width: Int, height: Int, sample: (_ x: Int, _ y: Int) -> UInt8) {
        self.init(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width { samples[y * stride + x] = sample(x, y) }
        }
    }

    /// A plane of `value` all over.
    init(width: Int, height: Int, flat value: UInt8) {
        self.init(width: width, height: height) { _, _ in value }
    }

    /// A plane of noise: what depends most on every weight being right.
    init(noiseOf width: Int, by height: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        self.init(width: width, height: height) { _, _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    /// The samples without what lies between the width and the stride.
    var rows: [[UInt8]] { (0..<height).map { Array(samples[($0 * stride)..<($0 * stride + width)]) } }

    subscript(x: Int, y: Int) -> UInt8 { samples[y * stride + x] }

    /// This plane alone, as a gray image, resampled to `size`.
    func resampled(to size: PixelSize, filter: ResampleFilter = .lanczos3, batch: Int = 8) -> Plane {
        var decoder = StoredImageDecoder(self, batch: batch)
        return ResampleRequest(size: size, filter: filter).resampleImage(from: &decoder).planes[0]
    }

    /// The largest difference between samples of this plane and of another of the same size.
    func largestDifference(from other: Plane) -> Int {
        zip(rows.joined(), other.rows.joined()).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }
}
