import ImageCodecs
import Imaging
import Testing
import TestSupport

/// A gradient in every color type, bit depth and filter of PNG is decoded to the same gradient.
@Suite struct PNGGradientTests {
    static let size = PixelSize(width: 37, height: 11)

    /// Gray, as deep as the form can say; and the value of 8 bits that each pixel stands for.
    static func recipes(_ isInterlaced: Bool) -> [(PNGFileBuilder, steps: Int)] {
        let depths = [1, 2, 4, 8]
        let gray = depths.map { depth in
            (recipe(.gray, depth, isInterlaced) { [$0] }, steps: 1 << depth)
        }
        let palettes = depths.map { depth in
            (palette(depth, isInterlaced), steps: 1 << depth)
        }
        return gray + palettes + [
            (recipe(.gray, 16, isInterlaced, steps: 256) { [$0 * 257] }, 256),
            (recipe(.rgb, 8, isInterlaced) { [$0, $0, $0] }, 256),
            (recipe(.rgb, 16, isInterlaced, steps: 256) { [$0 * 257, $0 * 257, $0 * 257] }, 256),
            (recipe(.grayAlpha, 8, isInterlaced) { [$0, 255] }, 256),
            (recipe(.grayAlpha, 16, isInterlaced, steps: 256) { [$0 * 257, 65_535] }, 256),
            (recipe(.rgba, 8, isInterlaced) { [$0, $0, $0, 255] }, 256),
            (recipe(.rgba, 16, isInterlaced, steps: 256) { [$0 * 257, $0 * 257, $0 * 257, 65_535] }, 256),
        ]
    }

    @Test(arguments: [false, true])
    func everyColorTypeAndDepthGivesSameGradient(isInterlaced: Bool) throws {
        for (recipe, steps) in Self.recipes(isInterlaced) {
            let decoded = try decodeImage(recipe.fileBytes)
            #expect(decoded.warnings == [], "\(recipe)")
            // A neutral color stays what it is on the way to YCbCr; 1 level is allowed for its rounding.
            expectGradient(decoded.image, steps: steps, tolerance: 1, "\(recipe)")
        }
    }

    @Test(arguments: [false, true])
    func libPNGFilesGiveSameGradient(isInterlaced: Bool) throws {
        for (recipe, steps) in Self.recipes(isInterlaced) where recipe.colorType != .palette {
            let ours = try decodeImage(recipe.fileBytes).image,
                theirs = try decodeImage(try recipe.encodedByLibPNG()).image
            #expect(ours.planes.map(\.visibleRows) == theirs.planes.map(\.visibleRows), "\(recipe)")
            expectGradient(theirs, steps: steps, tolerance: 1, "\(recipe)")
        }
    }

    @Test func grayStaysOneComponentAndColorThree() throws {
        for (recipe, _) in Self.recipes(false) {
            let isGray = recipe.colorType == .gray || recipe.colorType == .grayAlpha
            #expect(try decodeImage(recipe.fileBytes).image.planes.count == (isGray ? 1 : 3), "\(recipe)")
        }
    }

    @Test func sixteenBitSamplesAreRounded() throws {
        let values = [0, 127, 128, 129, 255, 256, 257, 4863, 32_767, 32_768, 65_406, 65_407, 65_534, 65_535]
        let recipe = PNGFileBuilder(size: PixelSize(width: values.count, height: 1), colorType: .gray, bitDepth: 16) {
            x, _ in [values[x]]
        }
        let row = try #require(try decodeImage(recipe.fileBytes).image.planes[0].visibleRows.first)
        #expect(row.map(Int.init) == values.map { Int((Double($0) / 257).rounded()) })
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 3), (5, 5), (8, 8), (4, 2), (3, 17)])
    func tinyInterlacedImagesAreDecoded(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        for depth in [1, 8] {
            let pixel = { (x: Int, y: Int) in [(x * 53 + y * 101) % (1 << depth)] }
            let plain = PNGFileBuilder(size: size, colorType: .gray, bitDepth: depth, pixel: pixel)
            let interlaced = PNGFileBuilder(
                size: size, colorType: .gray, bitDepth: depth, isInterlaced: true, pixel: pixel)
            let expected = try decodeImage(plain.fileBytes).image.planes.map(\.visibleRows)
            #expect(try decodeImage(interlaced.fileBytes).image.planes.map(\.visibleRows) == expected)
            #expect(try decodeImage(try interlaced.encodedByLibPNG()).image.planes.map(\.visibleRows) == expected)
        }
    }

    @Test func imageLargerThanOneBatchIsDecoded() throws {
        let size = PixelSize(width: 1000, height: 70)
        let recipe = PNGFileBuilder(size: size, colorType: .gray, bitDepth: 8) { x, y in [(x * 7 + y * 13) % 256] }
        let plane = try decodeImage(recipe.fileBytes).image.planes[0]
        #expect(plane.visibleRows.map { $0.map(Int.init) } == recipe.sampleRows)
    }

    @Test func colorsAreDecoded() throws {
        let colors = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [12, 200, 90], [128, 128, 128]]
        let recipe = PNGFileBuilder(size: PixelSize(width: colors.count, height: 1), colorType: .rgb) { x, _ in
            colors[x]
        }
        let image = try decodeImage(recipe.fileBytes).image
        for (x, color) in colors.enumerated() {
            // Rounding Cb by a half moves blue by 0.9, and Y another half.
            for (value, expected) in zip(image.rgbPixel(x: x, y: 0), color) {
                #expect(abs(value - Double(expected)) < 1.5)
            }
        }
    }

    private static func recipe(
        _ type: PNGFileBuilder.ColorType, _ depth: Int, _ isInterlaced: Bool, steps: Int? = nil, _ pixel: (Int) -> [Int]
    ) -> PNGFileBuilder {
        PNGFileBuilder(size: size, colorType: type, bitDepth: depth, isInterlaced: isInterlaced) { x, _ in
            pixel(step(x, of: steps ?? 1 << depth))
        }
    }

    /// Indices that run against the grays they stand for, the first of them transparent black behind which white shows.
    private static func palette(_ depth: Int, _ isInterlaced: Bool) -> PNGFileBuilder {
        let steps = 1 << depth
        let grays = (0..<steps).reversed().map { UInt8(255 * $0 / (steps - 1)) }
        return PNGFileBuilder(size: size, colorType: .palette, bitDepth: depth, isInterlaced: isInterlaced) { x, _ in
            [steps - 1 - step(x, of: steps)]
        }.modified { recipe in
            let colors = [[UInt8](repeating: 0, count: 3)] + grays.dropFirst().map { [$0, $0, $0] }
            recipe.chunksBeforeImageData = [
                PNGFileBuilder.Chunk(type: "PLTE", payload: colors.flatMap { $0 }),
                PNGFileBuilder.Chunk(type: "tRNS", payload: [0]),
            ]
        }
    }

    private static func step(_ x: Int, of steps: Int) -> Int { x * steps / size.width }

    private func expectGradient(_ image: PlanarImage, steps: Int, tolerance: Int, _ name: Comment) {
        for x in 0..<Self.size.width {
            let expected = 255 * Self.step(x, of: steps) / (steps - 1)
            for y in [0, 5, 10] {
                #expect(abs(image.planes[0][x, y] - expected) <= tolerance, name)
                for chroma in image.planes.dropFirst() { #expect(chroma[x, y] == 128, name) }
            }
        }
    }
}
