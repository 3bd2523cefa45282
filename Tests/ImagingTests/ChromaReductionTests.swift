import Testing

@testable import Imaging

/// Chroma is subsampled as requested, or more if less would enlarge the source's chroma.
@Suite("Chroma reduction")
struct ChromaReductionTests {
    /// A source's sampling, its size, what is made of it, and the reduction asked for and expected, upright.
    struct Case: Sendable, CustomTestStringConvertible {
        var factors: [(h: Int, v: Int)]
        var source = (400, 300)
        var target: (Int, Int)
        var orientation = Orientation.up
        var asked: (Int, Int)
        var expected: (Int, Int)

        var testDescription: String { "\(factors) \(source) to \(target), \(asked) asked" }

        var image: PlanarImage {
            let sampling = Sampling(testDescription: "", factors: factors)
            let upright = PixelSize(width: source.0, height: source.1)
            let stored = orientation.orientedSize(of: upright)
            let planes = factors.indices.map { c in
                let size = sampling.planeSize(ofComponent: c, imageSize: stored)
                return Plane(width: size.width, height: size.height, flat: UInt8(60 * (c + 1)))
            }
            var decoder = StoredImageDecoder(size: stored, planes: planes, sampling: sampling)
            return ResampleRequest(
                size: PixelSize(width: target.0, height: target.1), orientation: orientation,
                minChromaSubsampling: ChromaSubsampling(horizontalFactor: asked.0, verticalFactor: asked.1),
                filter: .box
            ).resampleImage(from: &decoder)
        }
    }

    private static let y4: [(h: Int, v: Int)] = [(4, 1), (1, 1), (1, 1)]
    private static let y3: [(h: Int, v: Int)] = [(3, 1), (1, 1), (1, 1)]
    private static let y420: [(h: Int, v: Int)] = [(2, 2), (1, 1), (1, 1)]
    private static let y422: [(h: Int, v: Int)] = [(2, 1), (1, 1), (1, 1)]
    private static let y444: [(h: Int, v: Int)] = [(1, 1), (1, 1), (1, 1)]

    static let cases: [Case] = [
        // What was asked for, where the source has as much.
        Case(factors: y444, target: (400, 300), asked: (1, 1), expected: (1, 1)),
        Case(factors: y444, target: (400, 300), asked: (2, 2), expected: (2, 2)),
        Case(factors: y444, target: (399, 299), asked: (2, 1), expected: (2, 1)),
        Case(factors: y420, target: (200, 150), asked: (1, 1), expected: (1, 1)),
        Case(factors: y4, target: (100, 75), asked: (1, 1), expected: (1, 1)),
        Case(factors: y3, target: (133, 100), asked: (1, 1), expected: (1, 1)),
        // Less than asked for would enlarge it.
        Case(factors: y420, target: (400, 300), asked: (1, 1), expected: (2, 2)),
        Case(factors: y420, target: (201, 151), asked: (1, 1), expected: (2, 2)),
        Case(factors: y422, target: (300, 225), asked: (1, 1), expected: (2, 1)),
        Case(factors: y422, target: (300, 225), asked: (1, 2), expected: (2, 2)),
        Case(factors: y3, target: (400, 300), asked: (2, 2), expected: (3, 2)),
        Case(factors: y3, target: (134, 101), asked: (1, 1), expected: (2, 1)),
        Case(factors: y3, target: (267, 200), asked: (2, 1), expected: (3, 1)),
        Case(factors: y4, target: (400, 300), asked: (1, 1), expected: (4, 1)),
        Case(factors: y4, target: (300, 225), asked: (2, 2), expected: (3, 2)),
        Case(factors: y4, target: (301, 226), asked: (2, 2), expected: (4, 2)),
        Case(factors: [(1, 2), (1, 1), (1, 1)], target: (400, 300), asked: (1, 1), expected: (1, 2)),
        Case(factors: [(1, 4), (1, 1), (1, 1)], target: (400, 300), asked: (2, 2), expected: (2, 4)),
        // Fractions, and components that differ: the one with the least decides.
        Case(factors: [(3, 2), (2, 1), (2, 1)], target: (400, 300), asked: (1, 1), expected: (2, 2)),
        Case(factors: [(2, 2), (2, 1), (1, 2)], target: (400, 300), asked: (1, 1), expected: (2, 2)),
        // Luma with fewer samples than chroma: chroma has all the image's pixels.
        Case(factors: [(1, 1), (2, 2), (2, 2)], target: (400, 300), asked: (1, 1), expected: (1, 1)),
        Case(factors: [(1, 1), (2, 1), (2, 1)], target: (400, 300), asked: (2, 2), expected: (2, 2)),
        // JPEG's blocks allow at most a product of 8, even for what was stored with less.
        Case(factors: [(4, 4), (1, 1), (1, 1)], target: (400, 300), asked: (1, 1), expected: (4, 2)),
        Case(factors: y444, target: (400, 300), asked: (3, 3), expected: (3, 2)),
        // Stored lying down: what was asked for is meant upright, and so is what is reported.
        Case(factors: y422, target: (400, 300), orientation: .right, asked: (1, 1), expected: (1, 2)),
        Case(factors: y4, target: (400, 300), orientation: .left, asked: (1, 1), expected: (1, 4)),
        Case(factors: y444, target: (400, 300), orientation: .leftMirrored, asked: (2, 1), expected: (2, 1)),
        Case(factors: y422, target: (400, 300), orientation: .down, asked: (1, 1), expected: (2, 1)),
    ]

    @Test("It is the least of those asked for that enlarges no chroma", arguments: cases)
    func leastReductionThatEnlargesNoChromaIsChosen(_ test: Case) {
        let image = test.image
        #expect(
            image.chromaSubsampling
                == ChromaSubsampling(horizontalFactor: test.expected.0, verticalFactor: test.expected.1))
        #expect(image.size == PixelSize(width: test.target.0, height: test.target.1))
        for (c, plane) in image.planes.enumerated() {
            let reduction = c == 0 ? .none : image.chromaSubsampling
            #expect(plane.width == test.target.0.dividedRoundingUp(by: reduction.horizontalFactor))
            #expect(plane.height == test.target.1.dividedRoundingUp(by: reduction.verticalFactor))
            #expect(plane.samples.allSatisfy { $0 == UInt8(60 * (c + 1)) }, "each component stays itself")
        }
    }

    @Test("A gray image has no chroma to reduce")
    func grayImageHasNoChromaReduction() {
        let image = Case(factors: [(1, 1)], target: (200, 150), asked: (2, 2), expected: (1, 1)).image
        #expect(image.chromaSubsampling == .none && image.planes.count == 1)
    }

    @Test(
        "A reduction has its common name, where there is one",
        arguments: [
            (1, 1, "444"), (2, 1, "422"), (2, 2, "420"), (1, 2, "440"), (4, 1, "411"), (4, 2, "410"), (3, 1, "3x1"),
            (2, 4, "2x4"),
        ])
    func commonReductionsHaveNames(horizontal: Int, vertical: Int, name: String) {
        #expect(ChromaSubsampling(horizontalFactor: horizontal, verticalFactor: vertical).notation == name)
    }
}
