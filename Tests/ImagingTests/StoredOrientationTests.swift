import TestSupport
import Testing

@testable import Imaging

/// An image that is stored in each of the eight orientations gives the same result.
@Suite("Images stored in eight orientations")
struct StoredOrientationTests {
    /// Upright sizes of sources and targets: odd and even ones, 3:2 targets of odd height, one that hardly reduces, and
    /// the source's own size.
    static let sizePairs: [(source: PixelSize, target: PixelSize)] = [
        ((120, 80), (59, 39)), ((121, 81), (61, 41)), ((81, 122), (41, 61)),
        ((96, 65), (64, 43)),
        ((99, 67), (97, 65)), ((76, 51), (76, 51)),
    ].map { (PixelSize(width: $0.0, height: $0.1), PixelSize(width: $1.0, height: $1.1)) }

    @Test("Luma is equal within 1 level", arguments: [ResampleFilter.lanczos3, .mitchell], sizePairs)
    func lumaIsEqualInEveryOrientation(filter: ResampleFilter, sizes: (source: PixelSize, target: PixelSize)) {
        let upright = Plane(noiseOf: sizes.source.width, by: sizes.source.height, seed: 1)
        expectEqualLuma(upright, target: sizes.target, filter: filter)
    }

    @Test(
        "Luma is equal where edges of the box filter fall on centres of samples", arguments: ResampleFilter.allCases,
        [(28, 24), (22, 20), (35, 30), (33, 30), (66, 60)])
    func lumaIsEqualAtBoxFilterTies(filter: ResampleFilter, sides: (Int, Int)) {
        let upright = Plane(noiseOf: sides.0, by: 2 * sides.0, seed: 2)
        expectEqualLuma(upright, target: PixelSize(width: sides.1, height: 2 * sides.1), filter: filter)
    }

    /// Exactly equal it can't be: which axis is resampled, and rounded, first follows the stored image.
    private func expectEqualLuma(_ upright: Plane, target: PixelSize, filter: ResampleFilter) {
        let expected = upright.resampled(to: target, filter: filter)
        for orientation in Orientation.allCases {
            var decoder = StoredImageDecoder(upright.stored(as: orientation))
            let resampling = ResampleRequest(size: target, orientation: orientation, filter: filter)
            let luma = resampling.resampleImage(from: &decoder).planes[0]
            #expect(luma.width == target.width && luma.height == target.height)
            #expect(luma.largestDifference(from: expected) <= 1, "\(orientation)")
        }
    }

    @Test("Chroma is where it belongs, to 0.05 pixels", arguments: Sampling.common, sizePairs)
    func chromaPositionIsExactInEveryOrientation(sampling: Sampling, sizes: (source: PixelSize, target: PixelSize)) {
        var scene = ChromaGradientScene(source: sizes.source, target: sizes.target)
        // See the next test: what is tested here is where samples lie, for which one filter is as good as another.
        if sampling.maximum.h == 4 && 10 * sizes.source.width < 11 * sizes.target.width { scene.filter = .mitchell }
        expectChromaInPlace(scene, sampling, tolerance: 0.05)
    }

    /// Lanczos is no interpolation of slopes: between two samples it errs by up to 0.02 of their distance. When
    /// reducing, or with a sample for two pixels, that is little; at their own size samples of four pixels show it as
    /// 0.08 pixels.
    @Test(
        "Lanczos moves chroma of four pixels to a sample by no more than its ripple, where it is hardly reduced",
        arguments: sizePairs.suffix(2))
    func lanczosShiftsCoarseChromaWithinItsRipple(sizes: (source: PixelSize, target: PixelSize)) {
        // 0.02 more for what rounding leaves of the measurement: see the last test.
        expectChromaInPlace(ChromaGradientScene(source: sizes.source, target: sizes.target), .s411, tolerance: 0.1)
    }

    private func expectChromaInPlace(_ scene: ChromaGradientScene, _ sampling: Sampling, tolerance: Double) {
        let upright = scene.resampledImages(sampling: sampling, storedAs: .up)
        for orientation in Orientation.allCases {
            let pair = scene.resampledImages(sampling: sampling, storedAs: orientation)
            expectNoShift(scene.shift(of: pair), tolerance, "\(orientation), from its true place")
            // Where it was stored with another sampling in the upright frame, its samples may lie elsewhere.
            if pair.rising.chromaSubsampling == upright.rising.chromaSubsampling {
                let apart = scene.shift(of: pair, from: upright)
                expectNoShift(apart, tolerance, "\(orientation), from that stored upright")
            }
        }
    }

    private func expectNoShift(_ shift: (x: Double, y: Double), _ tolerance: Double, _ comment: Comment) {
        #expect(abs(shift.x) <= tolerance, comment)
        #expect(abs(shift.y) <= tolerance, comment)
    }

    @Test("Chroma is where it belongs with a sample for every pixel asked for", arguments: Orientation.allCases)
    func fullResolutionChromaIsInPlace(orientation: Orientation) {
        let scene = ChromaGradientScene(
            source: PixelSize(width: 151, height: 101), target: PixelSize(width: 73, height: 49), reduction: .none)
        let pair = scene.resampledImages(sampling: .s420, storedAs: orientation)
        #expect(pair.rising.chromaSubsampling == .none)
        expectNoShift(scene.shift(of: pair), 0.05, "\(orientation)")
    }

    @Test("A shift of a tenth of a pixel would be seen", arguments: [-1.0, -0.1, 0.1, 0.5])
    func knownShiftsAreMeasured(shift: Double) {
        let scene = ChromaGradientScene(
            source: PixelSize(width: 150, height: 100), target: PixelSize(width: 75, height: 49))
        func makeImage(falling: Bool) -> PlanarImage {
            let planes = [ChromaGradientScene.Axis.x, .x, .y].map { axis in
                scene.makePlane(axis, shiftX: shift, shiftY: -shift, falling: falling)
            }
            return PlanarImage(
                size: scene.target, chromaSubsampling: .init(horizontalFactor: 2, verticalFactor: 2), planes: planes)
        }
        let measured = scene.shift(of: (makeImage(falling: false), makeImage(falling: true)))
        // Rounding leaves a 40th of a level on average over these samples, which is a 100th of a pixel.
        #expect(abs(measured.x - shift) < 0.02 && abs(measured.y + shift) < 0.02)
    }
}
