import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Transparent pixels show the background and none of their own color.
@Suite struct PNGTransparencyTests {
    private static let blue = RGBColor(red: 20, green: 60, blue: 200)

    /// Rounding Cb by a half moves blue by 0.9; Y and the blend add a half each.
    private static let tolerance = 2.0

    @Test(arguments: [0, 1, 64, 128, 200, 254, 255], [RGBColor.white, RGBColor(red: 20, green: 60, blue: 200)])
    func everyAlphaIsBlendedWithBackground(alpha: Int, background: RGBColor) throws {
        let forms: [PNGFileBuilder] = [
            flat(.rgba, [200, 40, 90, alpha]),
            flat(.rgba, [200 * 257, 40 * 257, 90 * 257, alpha * 257], bitDepth: 16),
            flat(.palette, [1]).modified {
                $0.chunksBeforeImageData = [
                    PNGFileBuilder.Chunk(type: "PLTE", payload: [1, 2, 3, 200, 40, 90]),
                    PNGFileBuilder.Chunk(type: "tRNS", payload: [7, UInt8(alpha)]),
                ]
            },
        ]
        for form in forms {
            let image = try decodeImage(form.fileBytes, options: ImageSource.DecodingOptions(background: background))
                .image
            expect(image, is: blend([200, 40, 90], alpha, background), "\(form)")
        }
    }

    @Test(arguments: [0, 100, 255])
    func grayAlphaTakesColorOnlyFromColoredBackground(alpha: Int) throws {
        let recipe = flat(.grayAlpha, [180, alpha])
        let onWhite = try decodeImage(recipe.fileBytes).image
        #expect(onWhite.planes.count == 1)
        expect(onWhite, is: blend([180, 180, 180], alpha, .white), "white")
        let onBlue = try decodeImage(recipe.fileBytes, options: ImageSource.DecodingOptions(background: Self.blue))
            .image
        #expect(onBlue.planes.count == 3)
        expect(onBlue, is: blend([180, 180, 180], alpha, Self.blue), "blue")
    }

    @Test func transparentColorChunkIsApplied() throws {
        let size = PixelSize(width: 2, height: 1)
        let gray = PNGFileBuilder(size: size, colorType: .gray, bitDepth: 4) { x, _ in [x == 0 ? 5 : 9] }
            .modified { $0.chunksBeforeImageData = [PNGFileBuilder.Chunk(type: "tRNS", payload: [0, 5])] }
        #expect(try decodeImage(gray.fileBytes).image.planes[0].visibleRows == [[255, 153]])
        let color = PNGFileBuilder(size: size, colorType: .rgb, bitDepth: 16) { x, _ in [4660, 0, x == 0 ? 1 : 2] }
            .modified {
                $0.chunksBeforeImageData = [PNGFileBuilder.Chunk(type: "tRNS", payload: [0x12, 0x34, 0, 0, 0, 1])]
            }
        let image = try decodeImage(color.fileBytes).image
        for (value, expected) in zip(image.rgbPixel(x: 0, y: 0), [255.0, 255, 255]) {
            #expect(abs(value - expected) < 1)
        }
        for (value, expected) in zip(image.rgbPixel(x: 1, y: 0), [18.0, 0, 0]) { #expect(abs(value - expected) < 2) }
    }

    @Test(arguments: [false, true])
    func reductionLeavesNoFringe(isInterlaced: Bool) throws {
        // A red square whose surroundings are transparent green and black: any of those would show at its edges.
        let size = PixelSize(width: 48, height: 48)
        let recipe = PNGFileBuilder(size: size, colorType: .rgba, isInterlaced: isInterlaced) { x, y in
            let isInside = (13..<35).contains(x) && (13..<35).contains(y)
            return isInside ? [255, 0, 0, 255] : x < 24 ? [0, 255, 0, 0] : [0, 0, 0, 0]
        }
        let image = try decodeImage(recipe.fileBytes, size: PixelSize(width: 11, height: 11)).image
        for y in 0..<11 {
            for x in 0..<11 {
                let color = image.rgbPixel(x: x, y: y)
                // Between red and white, red is full and green equals blue. Lanczos overshoots both ends of the way by
                // up to a tenth, which clipping takes from Y and not from chroma: up to 26 levels.
                #expect(color[0] > 225, "red at \(x), \(y)")
                #expect(abs(color[1] - color[2]) < 30, "green and blue at \(x), \(y)")
            }
        }
        #expect(image.rgbPixel(x: 5, y: 5)[1] < 12)
        #expect(image.rgbPixel(x: 0, y: 0)[1] > 243)
    }

    @Test func halfTransparencyAtEdgeBlendsHalf() throws {
        let recipe = PNGFileBuilder(size: PixelSize(width: 24, height: 24), colorType: .rgba) { x, _ in
            x < 12 ? [0, 0, 0, 255] : [0, 0, 0, 0]
        }
        let image = try decodeImage(recipe.fileBytes, size: PixelSize(width: 1, height: 1)).image
        // Black on one half and white on the other; rounding takes a level at most.
        #expect(abs(image.planes[0][0, 0] - 128) <= 1)
    }

    private func flat(_ type: PNGFileBuilder.ColorType, _ pixel: [Int], bitDepth: Int = 8) -> PNGFileBuilder {
        PNGFileBuilder(size: PixelSize(width: 5, height: 3), colorType: type, bitDepth: bitDepth) { _, _ in pixel }
    }

    private func blend(_ color: [Double], _ alpha: Int, _ background: RGBColor) -> [Double] {
        zip(color, [background.red, background.green, background.blue]).map { value, behind in
            (value * Double(alpha) + Double(behind) * Double(255 - alpha)) / 255
        }
    }

    private func expect(
        _ image: PlanarImage, is color: [Double], _ name: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (value, expected) in zip(image.meanRGB, color) {
            #expect(abs(value - expected) <= Self.tolerance, name, sourceLocation: sourceLocation)
        }
    }
}
