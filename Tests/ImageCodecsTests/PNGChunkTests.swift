import Diagnostics
import Foundation
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// The effects of chunks other than image data.
@Suite struct PNGChunkTests {
    private typealias Chunk = PNGFileBuilder.Chunk

    private static let ramp = PNGFileBuilder(size: PixelSize(width: 256, height: 1), colorType: .gray) { x, _ in [x] }

    private static func gamma(_ value: Double) -> Chunk {
        let scaled = Int((value * 100_000).rounded())
        return Chunk(type: "gAMA", payload: [0, UInt8(scaled >> 16), UInt8(scaled >> 8 & 0xFF), UInt8(scaled & 0xFF)])
    }

    private static func compressedProfile(_ profile: [UInt8]) -> Chunk {
        Chunk(type: "iCCP", payload: Array("profile\0\0".utf8) + DeflateStreamBuilder.storedBlocks(profile))
    }

    @Test(arguments: [1.0, 0.6, 1 / 1.8, 0.3])
    func gammaIsApplied(gamma: Double) throws {
        let row = try decodeRamp([Self.gamma(gamma)])
        for (x, value) in row.enumerated() {
            // For a display of 2.2, as the table is; a half for rounding, and a little for the chunk's five digits.
            let expected = 255 * pow(Double(x) / 255, 1 / 2.2 / gamma)
            #expect(abs(Double(value) - expected) <= 0.55, "\(x)")
        }
        #expect(row[0] == 0 && row[255] == 255)
    }

    @Test func defaultOrOverriddenGammaChangesNothing() throws {
        let plain = (0...255).map(UInt8.init)
        let profile = Self.compressedProfile(MinimalImageHeaders.makeICCProfile(colorSpace: "GRAY"))
        for chunks in [
            [], [Self.gamma(1 / 2.2)], [Self.gamma(0.45)], [Self.gamma(0.46)],
            [Self.gamma(1), Chunk(type: "sRGB", payload: [0])],
            [Self.gamma(1), profile],
        ] {
            #expect(try decodeRamp(chunks) == plain, "\(chunks.map(\.type))")
        }
    }

    @Test func gammaIsAppliedBeforeBlending() throws {
        let recipe = PNGFileBuilder(size: PixelSize(width: 4, height: 4), colorType: .rgba) { _, _ in
            [128, 128, 128, 128]
        }
        .modified { $0.chunksBeforeImageData = [Self.gamma(1)] }
        let corrected = 255 * pow(128.0 / 255, 1 / 2.2)
        // Each of two roundings moves it by a half.
        #expect(
            abs(try decodeImage(recipe.fileBytes).image.planes[0].meanSample - (corrected * 128 + 255 * 127) / 255) <= 1
        )
    }

    @Test func profileIsCarriedUncompressed() throws {
        let color = PNGFileBuilder(size: PixelSize(width: 3, height: 3), colorType: .rgb) { x, y in [x, y, 9] }
        for (recipe, space) in [(color, "RGB "), (Self.ramp, "GRAY")] {
            let profile = MinimalImageHeaders.makeICCProfile(byteCount: 1024, colorSpace: space)
            let decoded = try decodeImage(
                recipe.modified { $0.chunksBeforeImageData = [Self.compressedProfile(profile)] }.fileBytes)
            #expect(decoded.iccProfile == profile)
            #expect(decoded.warnings == [])
        }
    }

    @Test func invalidProfileIsDroppedAndWarned() throws {
        var wrongSignature = MinimalImageHeaders.makeICCProfile(colorSpace: "GRAY")
        wrongSignature[36] = 0
        let chunks = [
            Self.compressedProfile(wrongSignature),
            Self.compressedProfile(MinimalImageHeaders.makeICCProfile(colorSpace: "CMYK")),
            Self.compressedProfile([1, 2, 3]), Chunk(type: "iCCP", payload: Array("no end of the name".utf8)),
        ]
        for chunk in chunks {
            let decoded = try decodeImage(Self.ramp.modified { $0.chunksBeforeImageData = [chunk] }.fileBytes)
            #expect(decoded.iccProfile == nil)
            #expect(decoded.warnings.map(\.code).contains(.profileDropped))
        }
    }

    @Test func grayProfileIsDroppedForColoredBackground() throws {
        let recipe = PNGFileBuilder(size: PixelSize(width: 3, height: 3), colorType: .grayAlpha) { _, _ in [90, 90] }
            .modified {
                $0.chunksBeforeImageData = [
                    Self.compressedProfile(MinimalImageHeaders.makeICCProfile(colorSpace: "GRAY"))
                ]
            }
        let tinted = try decodeImage(
            recipe.fileBytes, options: ImageSource.DecodingOptions(background: RGBColor(red: 9, green: 99, blue: 0)))
        #expect(tinted.iccProfile == nil)
        #expect(tinted.warnings.map(\.code) == [.profileNotApplied])
        #expect(try decodeImage(recipe.fileBytes).iccProfile != nil)
    }

    @Test(arguments: Orientation.allCases, [true, false])
    func exifChunkTurnsImageAnywhere(orientation: Orientation, isBefore: Bool) throws {
        let exif = [Chunk(type: "eXIf", payload: ExifBuilder(orientation: orientation.rawValue).tiffBytes)]
        let recipe = PNGFileBuilder(size: PixelSize(width: 5, height: 3), colorType: .gray) { x, y in [x * 20 + y * 80]
        }
        .modified { if isBefore { $0.chunksBeforeImageData = exif } else { $0.chunksAfterImageData = exif } }
        let source = try ImageSource(recipe.fileBytes)
        #expect(source.header.orientation == orientation)
        #expect(source.header.storedSize == PixelSize(width: 5, height: 3))
        #expect(source.header.uprightSize == orientation.orientedSize(of: PixelSize(width: 5, height: 3)))
        let plane = try decodeImage(recipe.fileBytes).image.planes[0]
        // Where the stored top left goes: EXIF's own definition of the eight values.
        let (right, bottom) = (plane.width - 1, plane.height - 1)
        let corner = [
            (0, 0), (right, 0), (right, bottom), (0, bottom), (0, 0), (right, 0), (right, bottom), (0, bottom),
        ]
        let (x, y) = corner[orientation.rawValue - 1]
        #expect(plane[x, y] == 0)
    }

    @Test func animationUsesDefaultImageAndWarns() throws {
        let recipe = Self.ramp.modified {
            $0.chunksBeforeImageData = [Chunk(type: "acTL", payload: [0, 0, 0, 2, 0, 0, 0, 0]), Self.frameControl(0)]
            $0.chunksAfterImageData = [
                Self.frameControl(1),
                Chunk(
                    type: "fdAT",
                    payload: [0, 0, 0, 2] + DeflateStreamBuilder.storedBlocks([0] + [UInt8](repeating: 7, count: 256))),
            ]
        }
        let decoded = try decodeImage(recipe.fileBytes)
        #expect(decoded.warnings.map(\.code) == [.animationDropped])
        #expect(decoded.image.planes[0].visibleRows == [(0...255).map(UInt8.init)])
        #expect(try ImageHeader(probing: recipe.fileBytes)?.warnings.map(\.code) == [.animationDropped])
    }

    @Test func textChunksAreIgnored() throws {
        let notes = [
            Chunk(type: "tEXt", payload: Array("Comment\0GPS 52.5, 13.4".utf8)),
            Chunk(type: "zTXt", payload: Array("a\0\0not zlib at all".utf8)),
            Chunk(type: "iTXt", payload: Array("XML:com.adobe.xmp\0\0\0\0\0<x/>".utf8)),
            Chunk(type: "tIME", payload: [7, 233, 1, 2, 3, 4, 5]),
            Chunk(type: "prVt", payload: [1, 2, 3]),
        ]
        let decoded = try decodeImage(
            Self.ramp.modified { ($0.chunksBeforeImageData, $0.chunksAfterImageData) = (notes, notes) }.fileBytes)
        #expect(decoded.warnings == [])
        #expect(decoded.image.planes[0].visibleRows == [(0...255).map(UInt8.init)])
    }

    @Test func imageDataMaySpanAnyChunks() throws {
        var chunks = Self.ramp.allChunks
        let index = try #require(chunks.firstIndex { $0.type == "IDAT" })
        let pieces =
            chunks[index].payload.map { Chunk(type: "IDAT", payload: [$0]) } + [Chunk(type: "IDAT", payload: [])]
        chunks.replaceSubrange(index...index, with: pieces)
        #expect(
            try decodeImage(PNGFileBuilder.fileBytes(chunks: chunks)).image.planes[0].visibleRows == [
                (0...255).map(UInt8.init)
            ])
    }

    private static func frameControl(_ sequence: UInt8) -> Chunk {
        Chunk(
            type: "fcTL",
            payload: [0, 0, 0, sequence, 0, 0, 1, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8) + [
                0, 1, 0, 10, 0, 0,
            ])
    }

    private func decodeRamp(_ chunks: [PNGFileBuilder.Chunk]) throws -> [UInt8] {
        let decoded = try decodeImage(Self.ramp.modified { $0.chunksBeforeImageData = chunks }.fileBytes)
        return try #require(decoded.image.planes[0].visibleRows.first)
    }
}

/// Headers that the standard does not allow are rejected.
@Suite struct PNGHeaderTests {
    private static let allowed: [Int: [Int]] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]

    @Test(arguments: 0...8, [0, 1, 2, 3, 4, 5, 8, 12, 16, 32])
    func invalidBitDepthForColorTypeIsDamaged(colorType: Int, bitDepth: Int) {
        if Self.allowed[colorType]?.contains(bitDepth) == true { return }
        let header = PNGFileBuilder.makeHeaderChunk(
            size: PixelSize(width: 2, height: 2), bitDepth: bitDepth, colorType: colorType)
        let data = PNGFileBuilder.Chunk(
            type: "IDAT", payload: DeflateStreamBuilder.storedBlocks([UInt8](repeating: 0, count: 64)))
        #expect(
            decodingError(
                for: PNGFileBuilder.fileBytes(chunks: [header, data, PNGFileBuilder.Chunk(type: "IEND", payload: [])]))?
                .code == .damaged)
    }

    @Test func unknownMethodIsDamaged() {
        let recipe = PNGFileBuilder(size: PixelSize(width: 2, height: 2), colorType: .gray) { _, _ in [1] }
        for field in 10...12 {
            var chunks = recipe.allChunks
            chunks[0].payload[field] = 2
            #expect(decodingError(for: PNGFileBuilder.fileBytes(chunks: chunks))?.code == .damaged)
        }
    }

    @Test func missingSizeDataOrHeaderIsDamaged() {
        let recipe = PNGFileBuilder(size: PixelSize(width: 2, height: 2), colorType: .gray) { _, _ in [1] }
        for size in [PixelSize(width: 0, height: 2), PixelSize(width: 2, height: 0)] {
            let header = PNGFileBuilder.makeHeaderChunk(size: size, bitDepth: 8, colorType: 0)
            #expect(
                decodingError(for: PNGFileBuilder.fileBytes(chunks: [header] + recipe.allChunks.dropFirst()))?.code
                    == .damaged)
        }
        #expect(
            decodingError(
                for: PNGFileBuilder.fileBytes(chunks: [
                    recipe.allChunks[0], PNGFileBuilder.Chunk(type: "IEND", payload: []),
                ]))?.code == .damaged)
        #expect(decodingError(for: PNGFileBuilder.fileBytes(chunks: recipe.allChunks.reversed()))?.code == .damaged)
        let twice = [recipe.allChunks[0]] + recipe.allChunks
        #expect(decodingError(for: PNGFileBuilder.fileBytes(chunks: twice))?.code == .damaged)
        let noPalette = PNGFileBuilder(size: PixelSize(width: 2, height: 2), colorType: .palette) { _, _ in [0] }
        #expect(decodingError(for: noPalette.fileBytes)?.code == .damaged)
    }
}
