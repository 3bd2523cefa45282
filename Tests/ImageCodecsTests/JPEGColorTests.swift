import ImageCodecs
import Imaging
import Testing
import TestSupport

/// RGB, CMYK and YCCK become the colours that they mean.
@Suite struct `JPEGs of other colour models` {
    /// Quality 95 rounds the mean of a flat block by up to 1 level of each stored component; converting to YCbCr and
    /// back rounds by up to 2 more, as blue changes by 1.77 with Cb.
    private static let tolerance = 3.5

    private static let colors: [[Double]] = [
        [255, 255, 255, 255], [0, 0, 0, 0], [200, 100, 50, 255], [200, 100, 50, 128], [20, 240, 130, 200],
        [255, 0, 0, 255], [0, 255, 255, 90],
    ]

    @Test(arguments: colors, [true, false])
    func `RGB, told by Adobe's marker or by its components' names`(color: [Double], adobe: Bool) throws {
        let recipe = JPEGRecipe(.rgb, [[1, 1], [1, 1], [1, 1]]).with { $0.hasAdobe = adobe }
        let decoded = try decodeFlat(recipe, Array(color.prefix(3)))
        expect(decoded.image.meanRGB, near: Array(color.prefix(3)))
        #expect(decoded.image.planes.count == 3)
    }

    @Test(arguments: colors)
    func `CMYK with Adobe's marker is stored inverted: red is C times K`(color: [Double]) throws {
        let picture = try decodeFlat(JPEGRecipe(.cmyk, Self.full(4)), color).image
        expect(picture.meanRGB, near: color.prefix(3).map { $0 * color[3] / 255 })
    }

    @Test(arguments: colors)
    func `CMYK without a marker is stored as ink`(color: [Double]) throws {
        let ink = color.map { 255 - $0 }
        let recipe = JPEGRecipe(.cmyk, Self.full(4)).with { $0.hasAdobe = false }
        expect(try decodeFlat(recipe, ink).image.meanRGB, near: color.prefix(3).map { $0 * color[3] / 255 })
    }

    @Test(
        arguments: colors, [Self.full(4), [[2, 2], [1, 1], [1, 1], [2, 2]], [[2, 1], [1, 1], [1, 1], [1, 1]]])
    func `YCCK, at full size and subsampled`(color: [Double], sampling: [JPEGRecipe.Sampling]) throws {
        // What is stored as Y, Cb and Cr are the complements of C, M and Y.
        let stored = yCbCrColor(255 - color[0], 255 - color[1], 255 - color[2]).map { min($0, 255) } + [color[3]]
        let picture = try decodeFlat(JPEGRecipe(.ycck, sampling), stored).image
        expect(picture.meanRGB, near: color.prefix(3).map { $0 * color[3] / 255 })
    }

    @Test func `light content does not come out black, nor dark content white`() throws {
        let recipe = JPEGRecipe(.cmyk, Self.full(4))
        #expect(try decodeFlat(recipe, [250, 250, 250, 250]).image.planes[0].mean > 235)
        #expect(try decodeFlat(recipe, [250, 250, 250, 5]).image.planes[0].mean < 20)
        let ink = recipe.with { $0.hasAdobe = false }
        #expect(try decodeFlat(ink, [5, 5, 5, 5]).image.planes[0].mean > 235)
        #expect(try decodeFlat(ink, [5, 5, 5, 250]).image.planes[0].mean < 20)
    }

    @Test func `a subsampled component of RGB covers just the pixels that it stands for`() throws {
        let sampling: [JPEGRecipe.Sampling] = [[1, 1], [2, 2], [1, 2]]
        let recipe = JPEGRecipe(.rgb, sampling).with { $0.quality = 100 }
        let size = PixelSize(width: 32, height: 32)
        // Blocks of 16 pixels, so that every plane has its edges between samples.
        let planes = recipe.planes(size) { c, x, y in
            [x < 16 ? 200 : 40, y < 16 ? 180 : 60, x < 16 ? 90 : 220][c]
        }
        let picture = try decode(try recipe.write(size, planes)).image
        for (x, y) in [(0, 0), (15, 15), (16, 15), (15, 16), (31, 31)] {
            let expected = [x < 16 ? 200.0 : 40, y < 16 ? 180 : 60, x < 16 ? 90 : 220]
            expect(picture.rgb(x, y), near: expected)
        }
    }

    @Test(arguments: [JPEGRecipe(.rgb, Self.full(3)), JPEGRecipe(.cmyk, Self.full(4))])
    func `however the coefficients are stored`(recipe: JPEGRecipe) throws {
        let expected = try decode(try recipe.file()).image.planes.map(\.picture)
        for coding in Kinds.codings {
            #expect(try decode(try recipe.with(coding).file()).image.planes.map(\.picture) == expected)
        }
    }

    @Test func `RGB is what jpeg_read_scanlines gives, but for the way to YCbCr and back`() throws {
        let bytes = try JPEGRecipe(.rgb, Self.full(3)).file()
        let pixels = try JPEGReference.pixels(bytes, size: .small, channels: 3).map(Double.init)
        let picture = try decode(bytes).image
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let first = 3 * (y * picture.size.width + x)
                let expected = yCbCrColor(pixels[first], pixels[first + 1], pixels[first + 2])
                for c in 0..<3 { #expect(abs(Double(picture.planes[c][x, y]) - expected[c]) <= 0.51) }
            }
        }
    }

    @Test func `two components are no picture, and five neither`() throws {
        #expect(refusal(Headers.jpeg(components: 2))?.code == .unsupportedColor)
        #expect(refusal(Headers.jpeg(components: 5))?.code == .unsupportedColor)
    }

    private static func full(_ count: Int) -> [JPEGRecipe.Sampling] {
        [JPEGRecipe.Sampling](repeating: [1, 1], count: count)
    }

    private func decodeFlat(_ recipe: JPEGRecipe, _ values: [Double]) throws -> ImageSource.DecodedImage {
        let size = PixelSize(width: 19, height: 18)
        return try decode(try recipe.write(size, recipe.planes(size) { c, _, _ in values[c] }))
    }

    private func expect(_ color: [Double], near expected: [Double], sourceLocation: SourceLocation = #_sourceLocation) {
        for (value, expected) in zip(color, expected) {
            #expect(abs(value - expected) <= Self.tolerance, "\(color)", sourceLocation: sourceLocation)
        }
    }
}
