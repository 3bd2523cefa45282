import TestSupport
import Testing

@testable import Imaging

/// Decoded rows are retained only as long as they are needed. The results equal those with all rows in memory.
@Suite("The window of rows")
struct RowRingBufferTests {
    /// Heights to target heights: reducing, hardly reducing, at the same size, enlarging, and mixtures of odd numbers.
    static let heightPairs = [
        (97, 31), (97, 96), (96, 32), (90, 54), (64, 64), (30, 50), (15, 21), (23, 69), (13, 1), (1, 5), (150, 7),
    ]

    @Test("Rows arriving in batches of any size give the same image", arguments: ResampleFilter.allCases, heightPairs)
    func resultDoesNotDependOnBatchSize(filter: ResampleFilter, heights: (Int, Int)) {
        let plane = Plane(noiseOf: 20, by: heights.0, seed: 1)
        let target = PixelSize(width: 9, height: heights.1)
        let whole = plane.resampled(to: target, filter: filter, batch: 256).samples
        for batch in [1, 2, 3, 8, 16] {
            #expect(plane.resampled(to: target, filter: filter, batch: batch).samples == whole, "\(batch)")
        }
    }

    @Test("Subsampled components, each with its own batches, give the same image", arguments: Sampling.common)
    func resultDoesNotDependOnComponentBatches(sampling: Sampling) {
        let size = PixelSize(width: 45, height: 83)
        let planes = sampling.factors.indices.map { c in
            let plane = sampling.planeSize(ofComponent: c, imageSize: size)
            return Plane(noiseOf: plane.width, by: plane.height, seed: UInt64(c))
        }
        func resampledSamples(batch: Int) -> [ContiguousArray<UInt8>] {
            var decoder = StoredImageDecoder(size: size, planes: planes, sampling: sampling, batch: batch)
            let resampling = ResampleRequest(size: PixelSize(width: 24, height: 43), orientation: .rightMirrored)
            return resampling.resampleImage(from: &decoder).planes.map(\.samples)
        }
        let whole = resampledSamples(batch: 128)
        for batch in [1, 8, 16] { #expect(resampledSamples(batch: batch) == whole, "\(batch)") }
    }

    @Test(
        "A row is not needed again after as many rows as are kept",
        arguments: ResampleFilter.allCases, heightPairs)
    func discardedRowsAreNeverReadAgain(filter: ResampleFilter, heights: (Int, Int)) {
        let plane = Plane(noiseOf: 20, by: heights.0, seed: 2)
        let target = PixelSize(width: 9, height: heights.1)
        let whole = plane.resampled(to: target, filter: filter, batch: 256)
        for batch in [1, 5, 8] {
            let strict = resampledWithDiscardedRowsWiped(plane, to: target, filter: filter, batch: batch)
            #expect(strict.rows == whole.rows, "batches of \(batch)")
        }
    }

    @Test(
        "As many rows are kept as the filter is wide, whatever the image's height", arguments: ResampleFilter.allCases)
    func keptRowsEqualFilterWidth(filter: ResampleFilter) {
        for height in [100, 1_000, 4_000] {
            let resampler = PlaneResampler(
                horizontal: AxisMapping(imageLength: 10, targetLength: 5),
                vertical: AxisMapping(imageLength: height * 5, targetLength: height), filter: filter,
                kernels: PixelKernels(instructionSet: .portable))
            // Five rows for each of an output's; one more at either end where the window starts within a row.
            #expect(resampler.retainedRowCount <= Int(2 * filter.supportRadius * 5) + 2)
        }
    }

    @Test("Rings follow one another without overlapping, and a batch never wraps around", arguments: [1, 8, 16])
    func ringsDoNotOverlapOrSplitBatches(batch: Int) {
        let components = [(2, 70), (1, 35), (1, 64)].map { factor, width in
            PlaneLayout.ComponentSampling(
                horizontalSampling: factor, verticalSampling: factor, paddedWidth: width, batchRowCount: batch * factor)
        }
        let layout = PlaneLayout(storedSize: PixelSize(width: 70, height: 50), components: components)
        var window = RowRingBuffer(layout: layout, retainedRowCounts: [5, 0, 17])
        var end = 0
        for (ring, rows) in zip(window.rings, [5, 0, 17]) {
            #expect(ring.startOffset == end && ring.stride % 64 == 0)
            #expect(ring.rowCapacity % ring.batchRowCount == 0 && ring.rowCapacity >= rows + ring.batchRowCount)
            end = ring.startOffset + ring.rowCapacity * ring.stride
        }
        #expect(window.bytes.count == end)
        for _ in 0..<20 {
            for ring in window.rings {
                #expect(
                    ring.nextBatchOffset + ring.batchRowCount * ring.stride <= ring.startOffset + ring.rowCapacity
                        * ring.stride)
            }
            window.commitBatch()
        }
    }
}

/// Returns `plane` resampled while every row that the resampler need not retain is overwritten.
private func resampledWithDiscardedRowsWiped(_ plane: Plane, to size: PixelSize, filter: ResampleFilter, batch: Int)
    -> Plane
{
    var decoder = StoredImageDecoder(plane, batch: batch)
    var resampler = PlaneResampler(
        horizontal: AxisMapping(imageLength: plane.width, targetLength: size.width),
        vertical: AxisMapping(imageLength: plane.height, targetLength: size.height), filter: filter,
        kernels: PixelKernels(instructionSet: .selected))
    var window = RowRingBuffer(layout: decoder.layout, retainedRowCounts: [resampler.retainedRowCount])
    while window.rings[0].writtenRowCount < plane.height {
        wipeDiscardedRows(of: &window, keeping: resampler.retainedRowCount)
        decoder.decodeRowBatch(into: &window)
        window.commitBatch()
        resampler.resampleAvailableRows(from: window.bytes.span, ring: window.rings[0])
    }
    return resampler.outputPlane
}

/// Overwrites all rows of the first ring except the last `rows`.
private func wipeDiscardedRows(of window: inout RowRingBuffer, keeping rows: Int) {
    let ring = window.rings[0]
    let oldest = max(0, ring.writtenRowCount - ring.rowCapacity)
    for row in oldest..<max(oldest, ring.writtenRowCount - rows) {
        let start = ring.byteOffset(ofRow: row)
        for x in start..<(start + ring.stride) { window.bytes[x] = row % 2 == 0 ? 255 : 0 }
    }
}
