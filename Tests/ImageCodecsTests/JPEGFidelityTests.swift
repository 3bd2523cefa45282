import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Every plane is at its place in the image, whatever its sampling. The planes are linear gradients, which correct
/// resampling does not change.
@Suite struct JPEGFidelityTests {
    /// At quality 100 coefficients are rounded to integers, which moves a sample by up to 1; and it is rounded itself.
    private static let lossAtQuality100 = 2

    @Test(
        arguments: JPEGVariants.commonSamplings + JPEGVariants.mixedSamplings,
        [PixelSize(width: 40, height: 24), .smallOdd])
    func componentsSurviveAtEverySampling(recipe: LibJPEGFileBuilder, size: PixelSize) throws {
        let recipe = recipe.modified { $0.quality = 100 }
        let decoded = try decodeImage(
            try recipe.encode(
                imageSize: size, planes: recipe.makePlanes(imageSize: size, sample: LibJPEGFileBuilder.slopeSample)))
        let image = decoded.image
        #expect(decoded.warnings == [])
        #expect(image.chromaSubsampling == expectedReduction(recipe))
        for (c, plane) in image.planes.enumerated() {
            let reduction = c == 0 ? .none : image.chromaSubsampling
            #expect(plane.width == size.width.dividedRoundingUp(by: reduction.horizontalFactor))
            #expect(plane.height == size.height.dividedRoundingUp(by: reduction.verticalFactor))
            #expect(deviation(of: plane, component: c, reduction) <= Self.lossAtQuality100, "component \(c)")
        }
    }

    @Test(arguments: [1, 2, 3, 4])
    func loneComponentIgnoresItsSampling(factor: Int) throws {
        let recipe = LibJPEGFileBuilder(colorSpace: .gray, sampling: [[factor, factor]]).modified { $0.quality = 100 }
        let size = PixelSize(width: 33, height: 41)
        let planes = recipe.makePlanes(imageSize: size, sample: LibJPEGFileBuilder.slopeSample)
        let image = try decodeImage(try recipe.encode(imageSize: size, planes: planes)).image
        #expect(try #require(image.planes[0].largestDifference(from: planes[0])) <= Self.lossAtQuality100)
        #expect(image.planes.count == 1)
    }

    @Test func reducedComponentsStayAligned() throws {
        let size = PixelSize(width: 64, height: 48), half = PixelSize(width: 32, height: 24)
        for recipe in JPEGVariants.commonSamplings.filter({ $0.colorSpace == .yCbCr }) + JPEGVariants.mixedSamplings {
            let recipe = recipe.modified { $0.quality = 100 }
            let bytes = try recipe.encode(
                imageSize: size, planes: recipe.makePlanes(imageSize: size) { _, x, y in 20 + 2 * x + 1.5 * y })
            let image = try decodeImage(bytes, size: half).image
            let luma = image.planes[0].meanSample
            // Each plane holds the same slope, so all means are the middle of it; half a pixel would move one by 1.75.
            for plane in image.planes {
                #expect(abs(plane.meanSample - luma) < 0.5, "\(recipe)")
            }
        }
    }

    @Test func paddingBelowEdgeIsNotUsed() throws {
        // White inside, and black in every row and column that only pads: any of it would show at the edge.
        let size = PixelSize(width: 17, height: 9)
        let recipe = LibJPEGFileBuilder.gray.modified { $0.quality = 100 }
        var padded = Plane(width: 24, height: 16)
        for y in 0..<9 {
            for x in 0..<17 { padded.samples[y * padded.stride + x] = 200 }
        }
        let image = try decodeImage(
            try recipe.encode(imageSize: size, planes: [padded]), size: PixelSize(width: 5, height: 3)
        ).image
        // The padding's edge spreads over its own block, by the rounding of coefficients: 2 levels.
        for sample in image.planes[0].visibleRows.joined() { #expect(abs(Int(sample) - 200) <= 2) }
    }

    /// Chroma is never enlarged: it has the coarser sampling of the two planes.
    private func expectedReduction(_ recipe: LibJPEGFileBuilder) -> ChromaSubsampling {
        guard recipe.sampling.count == 3 else { return .none }
        let chroma = recipe.sampling[1...]
        func reduction(_ maximum: Int, _ smallest: Int?) -> Int { maximum.dividedRoundingUp(by: smallest ?? 1) }
        return ChromaSubsampling(
            horizontalFactor: reduction(recipe.maxHorizontalSampling, chroma.map(\.horizontal).min()),
            verticalFactor: reduction(recipe.maxVerticalSampling, chroma.map(\.vertical).min()))
    }

    /// The largest difference from the slope. Three samples at each edge are left out where the kernel reaches over it.
    private func deviation(of plane: Plane, component: Int, _ reduction: ChromaSubsampling) -> Int {
        let margin = min(plane.width, plane.height) > 8 ? 3 : 0
        var largest = 0
        for y in margin..<(plane.height - margin) {
            for x in margin..<(plane.width - margin) {
                let centerX = (Double(x) + 0.5) * Double(reduction.horizontalFactor)
                let centerY = (Double(y) + 0.5) * Double(reduction.verticalFactor)
                let expected = min(
                    max(LibJPEGFileBuilder.slopeSample(component: component, x: centerX, y: centerY).rounded(), 0), 255)
                largest = max(largest, abs(plane[x, y] - Int(expected)))
            }
        }
        return largest
    }
}
