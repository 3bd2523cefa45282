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
        request.makesOverview = true
        return request.resampleImage(from: &decoder)
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
    func smallSourceIsItsOwnOverview(width: Int, height: Int, longerSide: Int) throws {
        let source = Plane(noiseOf: width, by: height, seed: 2)
        let size = PixelSize(width: width, height: height).scaledDown(toLongerSide: longerSide)
        let overview = try #require(resample(source, to: size).overview)
        #expect(overview.rows == source.rows)
    }

    @Test("The overview of a larger source has a longer side of 1,024", arguments: [(1500, 30, 16), (1025, 77, 60)])
    func largeSourceIsReduced(width: Int, height: Int, reducedHeight: Int) throws {
        for orientation in Orientation.allCases {
            let source = Plane(noiseOf: width, by: height, seed: 3).stored(as: orientation)
            let size = PixelSize(width: width, height: height)
            let overview = try #require(resample(source, to: size, orientation: orientation).overview)
            #expect(overview.width == 1024 && abs(overview.height - height * 1024 / width) <= 1, "\(orientation)")
        }
    }

    /// A scene without the highest frequencies, as photos are. On noise, two reductions in turn lose more than one.
    private func smoothScene(width: Int, height: Int) -> Plane {
        Plane(noiseOf: width / 8, by: height / 8, seed: 4)
            .resampled(to: PixelSize(width: width, height: height), instructionSet: .portable)
    }

    @Test("The overview does not depend on the size and the filter of the image")
    func overviewDoesNotDependOnResult() throws {
        let source = smoothScene(width: 2048, height: 320), size = PixelSize(width: 2048, height: 320)
        let expected = try #require(resample(source, to: size).overview)
        for side in [2000, 1500, 1025, 1024, 800, 100] {
            for filter in [ResampleFilter.lanczos3, .box] {
                let image = resample(source, to: size.scaledDown(toLongerSide: side), filter: filter)
                let overview = try #require(image.overview)
                // An image that was reduced before has a little less of the highest frequencies.
                #expect(overview.largestDifference(from: expected) <= 4, "\(side) \(filter)")
            }
        }
    }

    @Test("Samples in memory give the overview of the same image in a file", arguments: [1300, 1024, 90])
    func samplesInMemoryGiveTheSameOverview(width: Int) throws {
        let source = Plane(noiseOf: width, by: 33, seed: 5)
        let expected = try #require(resample(source, to: PixelSize(width: width, height: 33)).overview)
        let stride = width + 13
        var samples = source.rows.flatMap { $0 + [UInt8](repeating: 99, count: 13) }
        samples.removeLast(13)
        let plane = Plane(
            resampling: samples.span, sourceSize: PixelSize(width: width, height: 33), rowStride: stride,
            to: PixelSize(width: expected.width, height: expected.height), instructionSet: .selected)
        #expect(plane.rows == expected.rows)
    }
}
