import Foundation
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// What the chunks beside the image data do to the picture, and what they don't.
@Suite struct `Chunks of a PNG` {
    private typealias Chunk = PNGRecipe.Chunk

    private static let ramp = PNGRecipe(PixelSize(width: 256, height: 1), .gray) { x, _ in [x] }

    private static func gamma(_ value: Double) -> Chunk {
        let scaled = Int((value * 100_000).rounded())
        return Chunk("gAMA", [0, UInt8(scaled >> 16), UInt8(scaled >> 8 & 0xFF), UInt8(scaled & 0xFF)])
    }

    private static func compressedProfile(_ profile: [UInt8]) -> Chunk {
        Chunk("iCCP", Array("profile\0\0".utf8) + Deflate.stored(profile))
    }

    @Test(arguments: [1.0, 0.6, 1 / 1.8, 0.3])
    func `gAMA is applied`(gamma: Double) throws {
        let row = try decodeRamp([Self.gamma(gamma)])
        for (x, value) in row.enumerated() {
            // For a display of 2.2, as the table is; a half for rounding, and a little for the chunk's five digits.
            let expected = 255 * pow(Double(x) / 255, 1 / 2.2 / gamma)
            #expect(abs(Double(value) - expected) <= 0.55, "\(x)")
        }
        #expect(row[0] == 0 && row[255] == 255)
    }

    @Test func `gAMA of about 1 in 2.2 changes nothing, nor does one beside sRGB or a profile`() throws {
        let plain = (0...255).map(UInt8.init)
        let profile = Self.compressedProfile(Headers.profile(space: "GRAY"))
        for chunks in [
            [], [Self.gamma(1 / 2.2)], [Self.gamma(0.45)], [Self.gamma(0.46)], [Self.gamma(1), Chunk("sRGB", [0])],
            [Self.gamma(1), profile],
        ] {
            #expect(try decodeRamp(chunks) == plain, "\(chunks.map(\.type))")
        }
    }

    @Test func `gAMA is applied to colours before they are blended`() throws {
        let recipe = PNGRecipe(PixelSize(width: 4, height: 4), .rgba) { _, _ in [128, 128, 128, 128] }
            .with { $0.before = [Self.gamma(1)] }
        let corrected = 255 * pow(128.0 / 255, 1 / 2.2)
        // Each of two roundings moves it by a half.
        #expect(abs(try decode(recipe.bytes).image.planes[0].mean - (corrected * 128 + 255 * 127) / 255) <= 1)
    }

    @Test func `iCCP is carried, as it was before compression`() throws {
        let color = PNGRecipe(PixelSize(width: 3, height: 3), .rgb) { x, y in [x, y, 9] }
        for (recipe, space) in [(color, "RGB "), (Self.ramp, "GRAY")] {
            let profile = Headers.profile(1024, space: space)
            let decoded = try decode(recipe.with { $0.before = [Self.compressedProfile(profile)] }.bytes)
            #expect(decoded.iccProfile == profile)
            #expect(decoded.warnings == [])
        }
    }

    @Test func `iCCP that makes no sense is dropped, and said to be`() throws {
        var wrongSignature = Headers.profile(space: "GRAY")
        wrongSignature[36] = 0
        let chunks = [
            Self.compressedProfile(wrongSignature), Self.compressedProfile(Headers.profile(space: "CMYK")),
            Self.compressedProfile([1, 2, 3]), Chunk("iCCP", Array("no end of the name".utf8)),
        ]
        for chunk in chunks {
            let decoded = try decode(Self.ramp.with { $0.before = [chunk] }.bytes)
            #expect(decoded.iccProfile == nil)
            #expect(decoded.warnings.map(\.code).contains("icc-dropped"))
        }
    }

    @Test func `a gray profile is not applied to gray that a background has coloured`() throws {
        let recipe = PNGRecipe(PixelSize(width: 3, height: 3), .grayAlpha) { _, _ in [90, 90] }
            .with { $0.before = [Self.compressedProfile(Headers.profile(space: "GRAY"))] }
        let tinted = try decode(
            recipe.bytes, ImageSource.DecodingOptions(background: RGBColor(red: 9, green: 99, blue: 0)))
        #expect(tinted.iccProfile == nil)
        #expect(tinted.warnings.map(\.code) == ["icc-not-applied"])
        #expect(try decode(recipe.bytes).iccProfile != nil)
    }

    @Test(arguments: Orientation.allCases, [true, false])
    func `eXIf turns the picture, wherever it stands`(orientation: Orientation, isBefore: Bool) throws {
        let exif = [Chunk("eXIf", ExifWriter(orientation: orientation.rawValue).tiff)]
        let recipe = PNGRecipe(PixelSize(width: 5, height: 3), .gray) { x, y in [x * 20 + y * 80] }
            .with { if isBefore { $0.before = exif } else { $0.after = exif } }
        let source = try ImageSource(recipe.bytes)
        #expect(source.header.orientation == orientation)
        #expect(source.header.storedSize == PixelSize(width: 5, height: 3))
        #expect(source.header.uprightSize == orientation.orientedSize(of: PixelSize(width: 5, height: 3)))
        let plane = try decode(recipe.bytes).image.planes[0]
        // Where the stored top left goes: EXIF's own definition of the eight values.
        let (right, bottom) = (plane.width - 1, plane.height - 1)
        let corner = [
            (0, 0), (right, 0), (right, bottom), (0, bottom), (0, 0), (right, 0), (right, bottom), (0, bottom),
        ]
        let (x, y) = corner[orientation.rawValue - 1]
        #expect(plane[x, y] == 0)
    }

    @Test func `of an animation the default image is taken, and the loss said`() throws {
        let recipe = Self.ramp.with {
            $0.before = [Chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]), Self.frameControl(0)]
            $0.after = [
                Self.frameControl(1),
                Chunk("fdAT", [0, 0, 0, 2] + Deflate.stored([0] + [UInt8](repeating: 7, count: 256))),
            ]
        }
        let decoded = try decode(recipe.bytes)
        #expect(decoded.warnings.map(\.code) == ["animation-dropped"])
        #expect(decoded.image.planes[0].picture == [(0...255).map(UInt8.init)])
        #expect(try ImageHeader(probing: recipe.bytes)?.warnings.map(\.code) == ["animation-dropped"])
    }

    @Test func `text is passed over, however it looks`() throws {
        let notes = [
            Chunk("tEXt", Array("Comment\0GPS 52.5, 13.4".utf8)), Chunk("zTXt", Array("a\0\0not zlib at all".utf8)),
            Chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0<x/>".utf8)), Chunk("tIME", [7, 233, 1, 2, 3, 4, 5]),
            Chunk("prVt", [1, 2, 3]),
        ]
        let decoded = try decode(Self.ramp.with { ($0.before, $0.after) = (notes, notes) }.bytes)
        #expect(decoded.warnings == [])
        #expect(decoded.image.planes[0].picture == [(0...255).map(UInt8.init)])
    }

    @Test func `image data may come in any number of pieces`() throws {
        var chunks = Self.ramp.chunks
        let index = try #require(chunks.firstIndex { $0.type == "IDAT" })
        let pieces = chunks[index].payload.map { Chunk("IDAT", [$0]) } + [Chunk("IDAT", [])]
        chunks.replaceSubrange(index...index, with: pieces)
        #expect(try decode(PNGRecipe.file(chunks)).image.planes[0].picture == [(0...255).map(UInt8.init)])
    }

    private static func frameControl(_ sequence: UInt8) -> Chunk {
        Chunk(
            "fcTL",
            [0, 0, 0, sequence, 0, 0, 1, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8) + [0, 1, 0, 10, 0, 0])
    }

    private func decodeRamp(_ chunks: [PNGRecipe.Chunk]) throws -> [UInt8] {
        let decoded = try decode(Self.ramp.with { $0.before = chunks }.bytes)
        return try #require(decoded.image.planes[0].picture.first)
    }
}

/// Only what the standard allows is a picture.
@Suite struct `A PNG header that contradicts itself` {
    private static let allowed: [Int: [Int]] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]

    @Test(arguments: 0...8, [0, 1, 2, 3, 4, 5, 8, 12, 16, 32])
    func `with a depth that its colour type doesn't have is damaged`(colorType: Int, bitDepth: Int) {
        if Self.allowed[colorType]?.contains(bitDepth) == true { return }
        let header = PNGRecipe.header(PixelSize(width: 2, height: 2), bitDepth: bitDepth, colorType: colorType)
        let data = PNGRecipe.Chunk("IDAT", Deflate.stored([UInt8](repeating: 0, count: 64)))
        #expect(refusal(PNGRecipe.file([header, data, PNGRecipe.Chunk("IEND", [])]))?.code == .damaged)
    }

    @Test func `with an unknown method of compression, filtering or interlacing is damaged`() {
        let recipe = PNGRecipe(PixelSize(width: 2, height: 2), .gray) { _, _ in [1] }
        for field in 10...12 {
            var chunks = recipe.chunks
            chunks[0].payload[field] = 2
            #expect(refusal(PNGRecipe.file(chunks))?.code == .damaged)
        }
    }

    @Test func `without a size, image data or the header first is damaged`() {
        let recipe = PNGRecipe(PixelSize(width: 2, height: 2), .gray) { _, _ in [1] }
        for size in [PixelSize(width: 0, height: 2), PixelSize(width: 2, height: 0)] {
            let header = PNGRecipe.header(size, bitDepth: 8, colorType: 0)
            #expect(refusal(PNGRecipe.file([header] + recipe.chunks.dropFirst()))?.code == .damaged)
        }
        #expect(refusal(PNGRecipe.file([recipe.chunks[0], PNGRecipe.Chunk("IEND", [])]))?.code == .damaged)
        #expect(refusal(PNGRecipe.file(recipe.chunks.reversed()))?.code == .damaged)
        let twice = [recipe.chunks[0]] + recipe.chunks
        #expect(refusal(PNGRecipe.file(twice))?.code == .damaged)
        let noPalette = PNGRecipe(PixelSize(width: 2, height: 2), .palette) { _, _ in [0] }
        #expect(refusal(noPalette.bytes)?.code == .damaged)
    }
}
