import TestSupport
import Testing

@testable import Imaging

@Suite("Chroma planes are halved by averages") struct ChromaHalvingTests {
    private static func makeImage(_ size: PixelSize, _ chroma: ChromaSubsampling, seed: UInt64) -> PlanarImage {
        var random = SplitMix64(seed: seed)
        let planes = (0..<3).map { index in
            let factors = index == 0 ? ChromaSubsampling.none : chroma
            var plane = Plane(
                width: size.width.dividedRoundingUp(by: factors.horizontalFactor),
                height: size.height.dividedRoundingUp(by: factors.verticalFactor))
            for y in 0..<plane.height {
                for x in 0..<plane.width { plane.samples[y * plane.stride + x] = UInt8(random.next() % 256) }
            }
            plane.padRowsToStride()
            return plane
        }
        return PlanarImage(size: size, chromaSubsampling: chroma, planes: planes)
    }

    /// The samples of the cell at a column and a row of the halved plane. At the edges the last sample is repeated.
    private static func cell(_ plane: Plane, x: Int, y: Int, across: Int, down: Int) -> [Int] {
        [0, 1].flatMap { dy in
            [0, 1].map { dx in
                let column = min(across * x + dx * (across - 1), plane.width - 1)
                let row = min(down * y + dy * (down - 1), plane.height - 1)
                return Int(plane.samples[row * plane.stride + column])
            }
        }
    }

    static let subsamplings = [(1, 1), (2, 1), (1, 2), (4, 1)].map {
        ChromaSubsampling(horizontalFactor: $0.0, verticalFactor: $0.1)
    }

    @Test("A sample is the rounded average of its cell", arguments: subsamplings, [1, 2, 7, 8, 15, 16, 33, 50])
    func samplesAreAverages(chroma: ChromaSubsampling, width: Int) throws {
        for height in [1, 2, 5, 16, 17] {
            let image = Self.makeImage(
                PixelSize(width: width, height: height), chroma, seed: UInt64(width * 100 + height))
            let (halved, _) = try #require(image.halvingChroma())
            let (across, down) = (chroma.horizontalFactor == 1 ? 2 : 1, chroma.verticalFactor == 1 ? 2 : 1)
            #expect(halved.chromaSubsampling.horizontalFactor == chroma.horizontalFactor * across)
            #expect(halved.chromaSubsampling.verticalFactor == chroma.verticalFactor * down)
            #expect(halved.planes[0].samples == image.planes[0].samples)
            for (plane, source) in zip(halved.planes, image.planes).dropFirst() {
                #expect(plane.width == source.width.dividedRoundingUp(by: across))
                #expect(plane.height == source.height.dividedRoundingUp(by: down))
                for y in 0..<plane.height {
                    for x in 0..<plane.stride {
                        let samples = Self.cell(source, x: min(x, plane.width - 1), y: y, across: across, down: down)
                        #expect(Int(plane.samples[y * plane.stride + x]) == (samples.reduce(0, +) + 2) / 4)
                    }
                }
            }
        }
    }

    @Test("The loss is that of the samples, in squared levels", arguments: [0, 1, 3, 20, 127])
    func lossFollowsContrast(contrast: Int) throws {
        let size = PixelSize(width: 64, height: 48)
        var plane = Plane(width: size.width, height: size.height)
        for index in plane.samples.indices {
            plane.samples[index] = UInt8(128 + (index % 2 == 0 ? contrast : -contrast))
        }
        let image = PlanarImage(size: size, chromaSubsampling: .none, planes: [plane, plane, plane])
        let (_, loss) = try #require(image.halvingChroma())
        // Both planes lose the squared contrast in every block.
        #expect(!loss.exceeds(2 * contrast * contrast))
        #expect(contrast == 0 || loss.exceeds(2 * contrast * contrast - 1))
    }

    @Test("Gray images and those with halved chroma have nothing to halve")
    func halvedChromaStays() {
        let size = PixelSize(width: 20, height: 20)
        let halved = ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2)
        #expect(Self.makeImage(size, halved, seed: 1).halvingChroma() == nil)
        let gray = PlanarImage(size: size, chromaSubsampling: .none, planes: [Plane(width: 20, height: 20)])
        #expect(gray.halvingChroma() == nil)
    }
}
