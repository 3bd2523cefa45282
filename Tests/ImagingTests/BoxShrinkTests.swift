import TestSupport
import Testing

@testable import Imaging

/// Above a ratio of 64, blocks of samples are averaged before the filter is applied.
@Suite("Box reduction")
struct BoxShrinkTests {
    @Test("It begins beyond a ratio of 64, and leaves one between 32 and 64")
    func boxShrinkLeavesRatioBetween32And64() {
        for source in stride(from: 1, to: 65_500, by: 97) {
            for target in [1, 3, 10, 100] where target <= source {
                let mapping = AxisMapping(imageLength: source, targetLength: target)
                let rest = mapping.remaining
                #expect((mapping.boxShrinkFactor > 1) == (source > 64 * target), "\(source) to \(target)")
                if mapping.boxShrinkFactor > 1 {
                    #expect((32...64).contains(rest.sourceSamplesPerOutput), "\(source) to \(target)")
                }
                #expect(rest.sourceSampleCount == source.dividedRoundingUp(by: mapping.boxShrinkFactor))
                #expect(rest.outputSampleCount == target)
            }
        }
    }

    @Test("A flat plane stays exactly flat", arguments: ResampleFilter.allCases, [0, 1, 127, 254, 255] as [UInt8])
    func flatPlaneStaysFlatAfterBoxShrink(filter: ResampleFilter, value: UInt8) {
        // Both axes; only one of them; and blocks that the size is not a multiple of.
        let sizes = [(331, 397, 5, 5), (260, 20, 3, 7), (30, 401, 20, 6), (129, 129, 1, 1)]
        for (width, height, newWidth, newHeight) in sizes {
            let resized = Plane(width: width, height: height, flat: value)
                .resampled(to: PixelSize(width: newWidth, height: newHeight), filter: filter)
            #expect(resized.samples.allSatisfy { $0 == value }, "\(width)x\(height) to \(newWidth)x\(newHeight)")
        }
    }

    @Test("The mean is kept within a level", arguments: ResampleFilter.allCases)
    func boxShrinkKeepsTheMean(filter: ResampleFilter) {
        let plane = Self.makeNoisyPlane(width: 640, height: 650)
        let resized = plane.resampled(to: PixelSize(width: 8, height: 7), filter: filter)
        #expect(abs(meanSample(plane) - meanSample(resized)) <= 1)
    }

    private func meanSample(_ plane: Plane) -> Double {
        let samples = plane.rows.joined()
        return Double(samples.reduce(0) { $0 + Int($1) }) / Double(samples.count)
    }

    /// The averages are rounded to bytes, which the filter mostly averages out again, and the filter's steps are 1/32
    /// of an output sample at the least. With a last block that is cut short, but counts as a whole one, that is less
    /// than half a level; rounding the result is the other half of the one allowed.
    @Test(
        "It is within 1 level of the filter at its full width", arguments: ResampleFilter.allCases,
        [(640, 480, 8, 6), (1040, 300, 8, 20), (250, 1290, 20, 10), (661, 523, 7, 5), (1031, 407, 9, 6)])
    func boxShrinkMatchesFullWidthFilter(filter: ResampleFilter, sizes: (Int, Int, Int, Int)) {
        let (width, height, newWidth, newHeight) = sizes
        let plane = Self.makeNoisyPlane(width: width, height: height)
        let reference = ReferencePlane(
            resampling: plane, horizontalAxis: ReferenceResampleAxis(sourceCount: width, outputCount: newWidth),
            verticalAxis: ReferenceResampleAxis(sourceCount: height, outputCount: newHeight),
            filter: filter)
        let resized = plane.resampled(to: PixelSize(width: newWidth, height: newHeight), filter: filter)
        #expect(reference.psnrAndLargestDifference(from: resized).largest <= 1)
    }

    @Test("Rows pass through whatever their batches are", arguments: [1, 8, 16, 500])
    func resultDoesNotDependOnBatchSize(batch: Int) {
        let plane = Self.makeNoisyPlane(width: 70, height: 450)
        let target = PixelSize(width: 11, height: 3)
        #expect(plane.resampled(to: target, batch: batch).rows == plane.resampled(to: target, batch: 450).rows)
    }

    @Test("No decoded row is kept for it, and few averaged ones, at any ratio", arguments: ResampleFilter.allCases)
    func boxShrinkKeepsFewRows(filter: ResampleFilter) {
        for height in [65, 500, 5_000, 65_500] {
            let across = AxisMapping(imageLength: 100, targetLength: 10)
            let down = AxisMapping(imageLength: height, targetLength: 1)
            let resampler = PlaneResampler(
                horizontal: across, vertical: down, filter: filter, kernels: PixelKernels(instructionSet: .portable))
            #expect(resampler.retainedRowCount == 0, "blocks are summed as their rows arrive")
            let table = FilterCoefficients(mapping: down.remaining, filter: filter, pass: .vertical)
            #expect(table.tapCount <= Int(2 * filter.supportRadius * 64) + 2)
        }
    }

    /// Noise on slopes, with an edge.
    private static func makeNoisyPlane(width: Int, height: Int) -> Plane {
        var random = SplitMix64(seed: 7)
        return Plane(width: width, height: height) { x, y in
            let slope = 100 * x / width + 60 * y / height + (2 * x > width + y ? 40 : 0)
            return UInt8(slope + Int(random.next() % 56))
        }
    }
}
