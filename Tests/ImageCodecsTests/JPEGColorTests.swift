import ImageCodecs
import Imaging
import Testing
import TestSupport

/// RGB, CMYK and YCCK are converted to the correct colors.
@Suite struct JPEGColorModelTests {
    /// Quality 95 rounds the mean of a flat block by up to 1 level of each stored component; converting to YCbCr and
    /// back rounds by up to 2 more, as blue changes by 1.77 with Cb.
    private static let tolerance = 3.5

    private static let colors: [[Double]] = [
        [255, 255, 255, 255], [0, 0, 0, 0], [200, 100, 50, 255], [200, 100, 50, 128], [20, 240, 130, 200],
        [255, 0, 0, 255], [0, 255, 255, 90],
    ]

    @Test(arguments: colors, [true, false])
    func rgbIsDetectedByAdobeMarkerOrComponentNames(color: [Double], adobe: Bool) throws {
        let recipe = LibJPEGFileBuilder(colorSpace: .rgb, sampling: [[1, 1], [1, 1], [1, 1]]).modified {
            $0.hasAdobeMarker = adobe
        }
        let decoded = try decodeFlat(recipe, Array(color.prefix(3)))
        expect(decoded.image.meanRGB, near: Array(color.prefix(3)))
        #expect(decoded.image.planes.count == 3)
    }

    @Test(arguments: colors)
    func adobeCMYKIsInverted(color: [Double]) throws {
        let image = try decodeFlat(LibJPEGFileBuilder(colorSpace: .cmyk, sampling: Self.full(4)), color).image
        expect(image.meanRGB, near: color.prefix(3).map { $0 * color[3] / 255 })
    }

    @Test(arguments: colors)
    func cmykWithoutMarkerIsInk(color: [Double]) throws {
        let ink = color.map { 255 - $0 }
        let recipe = LibJPEGFileBuilder(colorSpace: .cmyk, sampling: Self.full(4)).modified {
            $0.hasAdobeMarker = false
        }
        expect(try decodeFlat(recipe, ink).image.meanRGB, near: color.prefix(3).map { $0 * color[3] / 255 })
    }

    @Test(
        arguments: colors, [Self.full(4), [[2, 2], [1, 1], [1, 1], [2, 2]], [[2, 1], [1, 1], [1, 1], [1, 1]]])
    func ycckIsDecodedAtAnySampling(color: [Double], sampling: [LibJPEGFileBuilder.Sampling]) throws {
        // What is stored as Y, Cb and Cr are the complements of C, M and Y.
        let stored =
            yCbCrFromRGB(r: 255 - color[0], g: 255 - color[1], b: 255 - color[2]).map { min($0, 255) } + [color[3]]
        let image = try decodeFlat(LibJPEGFileBuilder(colorSpace: .ycck, sampling: sampling), stored).image
        expect(image.meanRGB, near: color.prefix(3).map { $0 * color[3] / 255 })
    }

    @Test func lightAndDarkCMYKAreNotInverted() throws {
        let recipe = LibJPEGFileBuilder(colorSpace: .cmyk, sampling: Self.full(4))
        #expect(try decodeFlat(recipe, [250, 250, 250, 250]).image.planes[0].meanSample > 235)
        #expect(try decodeFlat(recipe, [250, 250, 250, 5]).image.planes[0].meanSample < 20)
        let ink = recipe.modified { $0.hasAdobeMarker = false }
        #expect(try decodeFlat(ink, [5, 5, 5, 5]).image.planes[0].meanSample > 235)
        #expect(try decodeFlat(ink, [5, 5, 5, 250]).image.planes[0].meanSample < 20)
    }

    @Test func subsampledRGBComponentCoversItsPixels() throws {
        let sampling: [LibJPEGFileBuilder.Sampling] = [[1, 1], [2, 2], [1, 2]]
        let recipe = LibJPEGFileBuilder(colorSpace: .rgb, sampling: sampling).modified { $0.quality = 100 }
        let size = PixelSize(width: 32, height: 32)
        // Blocks of 16 pixels, so that every plane has its edges between samples.
        let planes = recipe.makePlanes(imageSize: size) { c, x, y in
            [x < 16 ? 200 : 40, y < 16 ? 180 : 60, x < 16 ? 90 : 220][c]
        }
        let image = try decodeImage(try recipe.encode(imageSize: size, planes: planes)).image
        for (x, y) in [(0, 0), (15, 15), (16, 15), (15, 16), (31, 31)] {
            let expected = [x < 16 ? 200.0 : 40, y < 16 ? 180 : 60, x < 16 ? 90 : 220]
            expect(image.rgbPixel(x: x, y: y), near: expected)
        }
    }

    @Test(arguments: [
        LibJPEGFileBuilder(colorSpace: .rgb, sampling: Self.full(3)),
        LibJPEGFileBuilder(colorSpace: .cmyk, sampling: Self.full(4)),
    ])
    func rgbAndCMYKDecodeInEveryCoding(recipe: LibJPEGFileBuilder) throws {
        let expected = try decodeImage(try recipe.encodedTexture()).image.planes.map(\.visibleRows)
        for coding in JPEGVariants.codingVariants {
            #expect(
                try decodeImage(try recipe.modified(by: coding).encodedTexture()).image.planes.map(\.visibleRows)
                    == expected)
        }
    }

    @Test func rgbMatchesLibJPEGScanlines() throws {
        let bytes = try LibJPEGFileBuilder(colorSpace: .rgb, sampling: Self.full(3)).encodedTexture()
        let pixels = try LibJPEGReferenceDecoder.decodePixels(bytes, size: .smallOdd, channels: 3).map(Double.init)
        let image = try decodeImage(bytes).image
        for y in 0..<image.size.height {
            for x in 0..<image.size.width {
                let first = 3 * (y * image.size.width + x)
                let expected = yCbCrFromRGB(r: pixels[first], g: pixels[first + 1], b: pixels[first + 2])
                for c in 0..<3 { #expect(abs(Double(image.planes[c][x, y]) - expected[c]) <= 0.51) }
            }
        }
    }

    @Test func twoAndFiveComponentsAreUnsupported() throws {
        #expect(decodingError(for: MinimalImageHeaders.jpegHeader(components: 2))?.code == .unsupportedColor)
        #expect(decodingError(for: MinimalImageHeaders.jpegHeader(components: 5))?.code == .unsupportedColor)
    }

    private static func full(_ count: Int) -> [LibJPEGFileBuilder.Sampling] {
        [LibJPEGFileBuilder.Sampling](repeating: [1, 1], count: count)
    }

    private func decodeFlat(_ recipe: LibJPEGFileBuilder, _ values: [Double]) throws -> ImageSource.DecodedImage {
        let size = PixelSize(width: 19, height: 18)
        return try decodeImage(
            try recipe.encode(imageSize: size, planes: recipe.makePlanes(imageSize: size) { c, _, _ in values[c] }))
    }

    private func expect(_ color: [Double], near expected: [Double], sourceLocation: SourceLocation = #_sourceLocation) {
        for (value, expected) in zip(color, expected) {
            #expect(abs(value - expected) <= Self.tolerance, "\(color)", sourceLocation: sourceLocation)
        }
    }
}
