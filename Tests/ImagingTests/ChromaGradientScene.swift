import TestSupport

@testable import Imaging

/// An image whose Cb is a linear gradient from left to right, and Cr from top to bottom. Every level occurs at one
/// place, so a sample's value shows where it came from.
struct ChromaGradientScene {
    enum Axis { case x, y }

    /// The same scene twice, rising and falling. Where rounding makes levels too high on average, the one seems to have
    /// moved one way and the other as far the other way.
    typealias Pair = (rising: PlanarImage, falling: PlanarImage)

    let source: PixelSize
    let target: PixelSize
    var reduction = ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2)
    var filter = ResampleFilter.lanczos3

    /// Levels from one side of the image to the other.
    private static let levelRange = 187.0

    /// The level of Cb or Cr at a point of the upright image, `u` and `v` from 0 to 1.
    private func chromaLevel(_ axis: Axis, u: Double, v: Double, falling: Bool) -> Double {
        let along = axis == .x ? u : v
        return 34 + Self.levelRange * (falling ? 1 - along : along)
    }

    /// A level as it is stored: with noise, so that neighbors are rounded differently. Rising and falling images
    /// have the same noise, which therefore shifts them by the same, in opposite directions.
    private func ditheredLevel(_ level: Double, random: inout SplitMix64) -> UInt8 {
        UInt8((level + Double(Int16(truncatingIfNeeded: random.next())) / 16_384).rounded())
    }

    /// What a plane of the result shows, 4:2:0, if it lies as far from its true place as is given in target pixels.
    func makePlane(_ axis: Axis, shiftX x: Double, shiftY y: Double, falling: Bool) -> Plane {
        var random = SplitMix64(seed: 1)
        return Plane(width: (target.width + 1) / 2, height: (target.height + 1) / 2) { column, row in
            let u = (Double(2 * column + 1) - x) / Double(target.width)
            let v = (Double(2 * row + 1) - y) / Double(target.height)
            return ditheredLevel(chromaLevel(axis, u: u, v: v, falling: falling), random: &random)
        }
    }

    /// The images resampled to `target` after a camera held in `orientation` stored them.
    func resampledImages(sampling: Sampling, storedAs orientation: Orientation) -> Pair {
        func makeImage(falling: Bool) -> PlanarImage {
            let size = orientation.orientedSize(of: source)
            let planes = [
                Plane(width: size.width, height: size.height),
                storedChromaPlane(.x, sampling: sampling, orientation: orientation, falling: falling),
                storedChromaPlane(.y, sampling: sampling, orientation: orientation, falling: falling),
            ]
            var decoder = StoredImageDecoder(size: size, planes: planes, sampling: sampling)
            return ResampleRequest(
                size: target, orientation: orientation, minChromaSubsampling: reduction, filter: filter
            )
            .resampleImage(from: &decoder)
        }
        return (makeImage(falling: false), makeImage(falling: true))
    }

    /// A chroma plane as a camera makes it: the mean of the stored pixels that each sample covers, counted from the top
    /// left of the stored image, whose last pixel is repeated where a sample reaches beyond it. As levels rise
    /// evenly, that is the level at those pixels' mean position.
    private func storedChromaPlane(_ axis: Axis, sampling: Sampling, orientation: Orientation, falling: Bool) -> Plane {
        let stored = orientation.orientedSize(of: source)
        let size = sampling.planeSize(ofComponent: 1, imageSize: stored)
        func meanPosition(_ sample: Int, of pixels: Int, last: Int) -> Double {
            Double((0..<pixels).reduce(0) { $0 + min(sample * pixels + $1, last) }) / Double(pixels)
        }
        let columns = (0..<size.width).map { meanPosition($0, of: sampling.maximum.h, last: stored.width - 1) }
        let rows = (0..<size.height).map { meanPosition($0, of: sampling.maximum.v, last: stored.height - 1) }
        var random = SplitMix64(seed: 1)
        return Plane(width: size.width, height: size.height) { x, y in
            let upright = orientation.uprightPosition(
                storedX: columns[x], y: rows[y], right: Double(source.width - 1), bottom: Double(source.height - 1))
            let u = (upright.x + 0.5) / Double(source.width), v = (upright.y + 0.5) / Double(source.height)
            return ditheredLevel(chromaLevel(axis, u: u, v: v, falling: falling), random: &random)
        }
    }

    /// How far, in target pixels, the chroma lies from its true place: to the right and down.
    func shift(of pair: Pair) -> (x: Double, y: Double) {
        func shift(_ axis: Axis, _ image: PlanarImage, falling: Bool) -> Double {
            let (across, down) = (
                Double(image.chromaSubsampling.horizontalFactor), Double(image.chromaSubsampling.verticalFactor)
            )
            return meanShift(axis, image, falling: falling) { x, y in
                let u = (Double(x) + 0.5) * across / Double(target.width)
                let v = (Double(y) + 0.5) * down / Double(target.height)
                return chromaLevel(axis, u: u, v: v, falling: falling)
            }
        }
        func mean(_ axis: Axis) -> Double {
            (shift(axis, pair.rising, falling: false) + shift(axis, pair.falling, falling: true)) / 2
        }
        return (mean(.x), mean(.y))
    }

    /// How far, in target pixels, the chroma lies from that of `other`, which has as many samples.
    func shift(of pair: Pair, from other: Pair) -> (x: Double, y: Double) {
        func mean(_ axis: Axis) -> Double {
            let c = axis == .x ? 1 : 2
            let rising = meanShift(axis, pair.rising, falling: false) { Double(other.rising.planes[c][$0, $1]) }
            let falling = meanShift(axis, pair.falling, falling: true) { Double(other.falling.planes[c][$0, $1]) }
            return (rising + falling) / 2
        }
        return (mean(.x), mean(.y))
    }

    /// Where levels rise and are too low, the image lies too far that way.
    private func meanShift(
        _ axis: Axis, _ image: PlanarImage, falling: Bool, expected: (Int, Int) -> Double
    ) -> Double {
        let plane = image.planes[axis == .x ? 1 : 2]
        // Within 4 samples of the border the filter reaches beyond the image, where an even rise can't go on.
        var sum = 0.0
        for y in 4..<(plane.height - 4) {
            for x in 4..<(plane.width - 4) { sum += expected(x, y) - Double(plane[x, y]) }
        }
        let count = Double((plane.height - 8) * (plane.width - 8))
        let levelsPerPixel = Self.levelRange / Double(axis == .x ? target.width : target.height)
        return sum / count / (falling ? -levelsPerPixel : levelsPerPixel)
    }
}
