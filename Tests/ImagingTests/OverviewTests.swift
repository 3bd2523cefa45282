import TestSupport
import Testing

@testable import Imaging

@Suite("The overview, the luma plane from which images are measured")
struct OverviewTests {
    private func resample(
        _ plane: Plane, to size: PixelSize, orientation: Orientation = .up, filter: ResampleFilter = .lanczos3
    ) -> PlanarImage {
        var decoder = StoredImageDecoder(plane)
        var request = ResampleRequest(size: size, orientation: orientation, filter: filter)
        request.isMeasured = true
        return request.resampleImage(from: &decoder)
    }

    /// The overview from which the image is measured.
    private func overview(
        of plane: Plane, resampledTo size: PixelSize, orientation: Orientation = .up,
        filter: ResampleFilter = .lanczos3
    ) -> Plane {
        var image = resample(plane, to: size, orientation: orientation, filter: filter)
        return image.takeMeasurement(sourceSize: orientation.orientedSize(of: plane.size)).makeOverview()
    }

    @Test("Without a request there is no overview")
    func overviewIsMadeOnlyOnRequest() {
        var decoder = StoredImageDecoder(Plane(noiseOf: 30, by: 20, seed: 1))
        let request = ResampleRequest(size: PixelSize(width: 15, height: 10))
        #expect(request.resampleImage(from: &decoder).overview == nil)
    }

    @Test(
        "A source of at most 1,024 samples is its own overview, however far the image is reduced",
        arguments: [(1024, 40, 1024), (1024, 40, 100), (60, 700, 35), (5, 3, 5)])
    func smallSourceIsItsOwnOverview(width: Int, height: Int, longerSide: Int) {
        let source = Plane(noiseOf: width, by: height, seed: 2)
        let size = PixelSize(width: width, height: height).scaledDown(toLongerSide: longerSide)
        #expect(overview(of: source, resampledTo: size).rows == source.rows)
    }

    @Test(
        "A luma plane that can be reduced to the overview takes its place",
        arguments: [(1100, .lanczos3, true), (1000, .lanczos3, false), (1100, .box, false)]
            as [(Int, ResampleFilter, Bool)])
    func lumaPlaneTakesThePlaceOfTheOverview(longerSide: Int, filter: ResampleFilter, isExpected: Bool) {
        let source = Plane(noiseOf: 1200, by: 60, seed: 6)
        let image = resample(source, to: source.size.scaledDown(toLongerSide: longerSide), filter: filter)
        #expect((image.overview == nil) == isExpected)
    }

    @Test("The overview of a larger source has a longer side of 1,024", arguments: [(1500, 30, 16), (1025, 77, 60)])
    func largeSourceIsReduced(width: Int, height: Int, reducedHeight: Int) {
        for orientation in Orientation.allCases {
            let source = Plane(noiseOf: width, by: height, seed: 3).stored(as: orientation)
            let size = PixelSize(width: width, height: height)
            let overview = overview(of: source, resampledTo: size, orientation: orientation)
            #expect(overview.width == 1024 && abs(overview.height - height * 1024 / width) <= 1, "\(orientation)")
        }
    }

    /// A scene without the highest frequencies, as photos are. On noise, two reductions in turn lose more than one.
    private func smoothScene(width: Int, height: Int) -> Plane {
        Plane(noiseOf: width / 8, by: height / 8, seed: 4)
            .resampled(to: PixelSize(width: width, height: height), instructionSet: .portable)
    }

    @Test("The overview does not depend on the size and the filter of the image")
    func overviewDoesNotDependOnResult() {
        let source = smoothScene(width: 2048, height: 320), size = PixelSize(width: 2048, height: 320)
        let expected = overview(of: source, resampledTo: size)
        for side in [2000, 1500, 1025, 1024, 800, 100] {
            for filter in [ResampleFilter.lanczos3, .box] {
                let overview = overview(
                    of: source, resampledTo: size.scaledDown(toLongerSide: side), filter: filter)
                // An image that was reduced before has a little less of the highest frequencies.
                #expect(overview.largestDifference(from: expected) <= 4, "\(side) \(filter)")
            }
        }
    }

    @Test("The measures of luma of another matrix do not depend on the size of the image")
    func convertedLumaIsNotMeasured() {
        let size = PixelSize(width: 1400, height: 160)
        // Red, so that its luma in a JPEG is much higher.
        let chroma = [90, 240].map { level in Plane(width: size.width, height: size.height, flat: level) }
        let planes = [smoothScene(width: size.width, height: size.height)] + chroma
        let measures = [1400, 1024, 100].map { side in
            var decoder = StoredImageDecoder(
                size: size, planes: planes, sampling: .s444,
                encoding: YCbCrEncoding(matrix: .bt709, isFullRange: true))
            var request = ResampleRequest(size: size.scaledDown(toLongerSide: side))
            request.isMeasured = true
            var image = request.resampleImage(from: &decoder)
            #expect(image.overview != nil)
            return image.takeMeasurement(sourceSize: size).makeMeasures()
        }
        #expect(measures.allSatisfy { $0.mean == measures[0].mean && $0.sharpness == measures[0].sharpness })
    }

    @Test(
        "A decoder shrinks planes only if the overview has enough samples, too",
        arguments: [(2000, 300, false), (6143, 300, false), (6144, 300, true), (8000, 1100, true)])
    func overviewLimitsShrunkPlanes(width: Int, resultWidth: Int, isExpected: Bool) {
        let component = PlaneLayout.ComponentSampling(
            horizontalSampling: 1, verticalSampling: 1, paddedWidth: width / 2, batchRowCount: 4, shrinkFactor: 2)
        let layout = PlaneLayout(storedSize: PixelSize(width: width, height: width / 4), components: [component])
        var request = ResampleRequest(size: PixelSize(width: resultWidth, height: resultWidth / 4))
        #expect(request.allowsShrunkPlanes(of: layout))
        request.isMeasured = true
        #expect(request.allowsShrunkPlanes(of: layout) == isExpected)
    }

    @Test(
        "A request for measures only allows shrunk planes from a lower reduction",
        arguments: [(3072, true, true), (3071, true, false), (3072, false, false), (6144, false, true)])
    func lowerReductionIsAllowed(width: Int, isForMeasuresOnly: Bool, isExpected: Bool) {
        let component = PlaneLayout.ComponentSampling(
            horizontalSampling: 1, verticalSampling: 1, paddedWidth: width / 2, batchRowCount: 4, shrinkFactor: 2)
        let layout = PlaneLayout(storedSize: PixelSize(width: width, height: 6144), components: [component])
        var request = ResampleRequest(size: PixelSize(width: 1024, height: 1024))
        request.isForMeasuresOnly = isForMeasuresOnly
        #expect(request.allowsShrunkPlanes(of: layout) == isExpected)
    }

    @Test("Samples in memory give the overview of the same image in a file", arguments: [1300, 1024, 90])
    func samplesInMemoryGiveTheSameOverview(width: Int) {
        let source = Plane(noiseOf: width, by: 33, seed: 5)
        let expected = overview(of: source, resampledTo: source.size)
        let stride = width + 13
        var samples = source.rows.flatMap { $0 + [UInt8](repeating: 99, count: 13) }
        samples.removeLast(13)
        let plane = Plane(
            resampling: samples.span, sourceSize: source.size, rowStride: stride, to: expected.size,
            instructionSet: .selected)
        #expect(plane.rows == expected.rows)
    }
}
