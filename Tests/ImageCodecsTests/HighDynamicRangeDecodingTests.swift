import Diagnostics
import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

/// HEIC, AVIF and PNG of high dynamic range.
@Suite struct HighDynamicRangeDecodingTests {
    static let pngSpaces: [(transfer: UInt8, name: String)] = [(16, "cICP 9/16"), (18, "cICP 9/18")]

    private static func decode(
        _ bytes: [UInt8], instructionSet: InstructionSet = .selected, convertsToSRGB: Bool = true,
        background: RGBColor = .white
    ) throws -> ImageSource.DecodedImage {
        let source = try ImageSource(bytes, options: .init(background: background))
        return try source.decode(
            resampling: ResampleRequest(
                size: source.header.uprightSize, orientation: source.header.orientation, minChromaSubsampling: .none,
                instructionSet: instructionSet),
            convertsToSRGB: convertsToSRGB)
    }

    private static func makePNG(
        transfer: UInt8, chunks: [(type: String, payload: [UInt8])] = [], colorType: PNGFileBuilder.ColorType = .rgb,
        pixel: (Int, Int) -> [Int]
    ) -> [UInt8] {
        var file = PNGFileBuilder(size: PixelSize(width: 16, height: 16), colorType: colorType, pixel: pixel)
        file.chunksBeforeImageData = ([("cICP", [9, transfer, 0, 1])] + chunks).map {
            .init(type: $0.type, payload: $0.payload)
        }
        return file.fileBytes
    }

    @Test("The samples of a PNG are tone-mapped, with a warning", arguments: pngSpaces)
    func pngIsToneMapped(transfer: UInt8, name: String) throws {
        // Reference white: 58% of PQ, 75% of HLG.
        let white = transfer == 16 ? 148 : 191
        let decoded = try Self.decode(
            Self.makePNG(transfer: transfer) { x, _ in [Int](repeating: x < 8 ? white : 0, count: 3) })
        #expect(decoded.warnings.map(\.code) == [.toneMapped])
        #expect(decoded.warnings[0].message.contains(transfer == 16 ? "PQ" : "HLG"))
        #expect(decoded.convertedColorSpace?.name == name && decoded.colorInterpretation == nil)
        let pixel = decoded.image.rgbPixel(x: 2, y: 5)
        for value in pixel { #expect(abs(value - 229) <= 2, "\(pixel)") }
        #expect(decoded.image.rgbPixel(x: 13, y: 5) == [0, 0, 0])
    }

    @Test("A gray PNG is tone-mapped by the same curve", arguments: pngSpaces)
    func grayPNGIsToneMapped(transfer: UInt8, name: String) throws {
        let gray = try Self.decode(
            Self.makePNG(transfer: transfer, colorType: .gray) { x, y in [x + 16 * y] }
        ).image
        let color = try Self.decode(
            Self.makePNG(transfer: transfer) { x, y in [Int](repeating: x + 16 * y, count: 3) }
        ).image
        #expect(gray.planes.count == 1 && gray.planes[0].visibleRows == color.planes[0].visibleRows)
        for plane in color.planes[1...] { #expect(plane.visibleRows.joined().allSatisfy { $0 == 128 }) }
    }

    @Test("The luminance of the brightest pixel decides how highlights are compressed")
    func contentLightIsUsed() throws {
        func level(_ maxLuminance: Int) throws -> Int {
            let payload = [24, 16, 8, 0].map { UInt8((maxLuminance * 10_000) >> $0 & 0xFF) } + [0, 0, 0, 0]
            let file = Self.makePNG(transfer: 16, chunks: [("cLLI", payload)]) { _, _ in [148, 148, 148] }
            return try Self.decode(file).image.planes[0][3, 3]
        }
        let levels = try [203, 500, 1000, 4000].map(level)
        #expect(levels[0] >= 254 && levels == levels.sorted(by: >) && Set(levels).count == 4)
        #expect(try level(0) == levels[2])
    }

    @Test("A profile beside the code points is not used, and is carried along without a conversion")
    func codePointsTakePrecedence() throws {
        let profile: [UInt8] =
            Array("icc\0\0".utf8) + DeflateStreamBuilder.storedBlocks(ICCProfileBuilder.displayP3.bytes)
        let pixel: (Int, Int) -> [Int] = { x, y in [x * 9, y * 9, 80] }
        let file = Self.makePNG(transfer: 16, chunks: [("iCCP", profile)], pixel: pixel)
        let decoded = try Self.decode(file)
        let expected = try Self.decode(Self.makePNG(transfer: 16, pixel: pixel))
        #expect(decoded.iccProfile == nil && decoded.warnings == expected.warnings)
        #expect(decoded.image.planes.map(\.visibleRows) == expected.image.planes.map(\.visibleRows))
        let kept = try Self.decode(file, convertsToSRGB: false)
        #expect(kept.iccProfile == ICCProfileBuilder.displayP3.bytes && kept.warnings == [])
    }

    @Test("Transparent pixels have the background's color, if it is gray", arguments: pngSpaces, [0, 100, 229, 255])
    func backgroundStaysGray(space: (transfer: UInt8, name: String), level: Int) throws {
        let file = Self.makePNG(transfer: space.transfer, colorType: .rgba) { _, _ in [90, 120, 150, 0] }
        let gray = UInt8(level)
        let decoded = try Self.decode(file, background: RGBColor(red: gray, green: gray, blue: gray))
        // The background is blended in 8 bits, where PQ has steps of up to 4 levels of sRGB.
        #expect(abs(decoded.image.planes[0][7, 7] - level) <= 4)
        #expect(decoded.image.planes[1][7, 7] == 128)
    }

    @Test("Without a conversion to sRGB, high dynamic range is rejected", arguments: pngSpaces)
    func unconvertedIsRejected(transfer: UInt8, name: String) throws {
        let file = Self.makePNG(transfer: transfer) { _, _ in [90, 120, 150] }
        #expect(throws: CodecError.self) { try Self.decode(file, convertsToSRGB: false) }
        #expect(decodingError(for: file)?.code == .unsupportedColor)
    }

    #if HEIF
        private static func heif(
            _ name: String, _ colors: [UInt8], _ properties: [[UInt8]] = []
        ) throws -> [UInt8] {
            let item = try HEIFFileBuilder.Item(sample: name)
            return HEIFFileBuilder(
                size: PixelSize(width: 256, height: 192), properties: [colors] + properties, type: item.type,
                configuration: item.properties[0], data: item.data[0]
            ).fileBytes
        }

        private static func colors(primaries: Int = 9, transfer: Int, matrix: Int = 9) -> [UInt8] {
            HEIFFileBuilder.colors(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: true)
        }

        static let heifFiles = ["throat.heic", "throat-444.heic", "ear.avif", "ear-gray.avif"]

        @Test("Samples are converted as the same ones of a PNG", arguments: [16, 18], [6, 9])
        func heifIsToneMapped(transfer: Int, matrix: Int) throws {
            let stored = try Self.decode(
                Self.heif("throat-444.heic", Self.colors(primaries: 1, transfer: 13, matrix: 6)))
            let decoded = try Self.decode(
                Self.heif("throat-444.heic", Self.colors(transfer: transfer, matrix: matrix)))
            #expect(decoded.warnings.map(\.code) == [.toneMapped])
            #expect(decoded.convertedColorSpace?.name == "nclx 9/\(transfer)")
            let space = HighDynamicRangeSpace(
                primaries: try #require(Chromaticities(codePoint: 9)), transferFunction: transfer == 16 ? .pq : .hlg,
                name: "", statedPeak: nil)
            let tables = try space.makeToneMapping(convertsToSRGB: true)
            let weights = matrix == 9 ? (red: 0.2627, blue: 0.0593) : (red: 0.299, blue: 0.114)
            for y in stride(from: 0, to: 192, by: 7) {
                for x in stride(from: 0, to: 256, by: 5) {
                    let values = stored.image.planes.map { Double($0[x, y]) }
                    let r = values[0] + 2 * (1 - weights.red) * (values[2] - 128)
                    let b = values[0] + 2 * (1 - weights.blue) * (values[1] - 128)
                    let g = (values[0] - weights.red * r - weights.blue * b) / (1 - weights.red - weights.blue)
                    let levels = [r, g, b].map { Int((min(max($0, 0), 255) * 64).rounded()) }
                    let color = tables.encodedSRGB(red: levels[0], green: levels[1], blue: levels[2])
                    let expected = yCbCrFromRGB(
                        r: Double(color.red) / 64, g: Double(color.green) / 64, b: Double(color.blue) / 64)
                    for (plane, value) in zip(decoded.image.planes, expected) {
                        #expect(abs(Double(plane[x, y]) - min(max(value, 0), 255)) <= 0.7)
                    }
                }
            }
        }

        @Test("Every instruction set gives the same samples", arguments: heifFiles, [16, 18])
        func samplesAreTheSameEverywhere(name: String, transfer: Int) throws {
            let file = try Self.heif(name, Self.colors(transfer: transfer))
            let source = try ImageSource(file)
            for orientation in [Orientation.up, .right] {
                var results: [[[[UInt8]]]] = []
                for set in InstructionSet.allCases where set.isAvailable {
                    var request = ResampleRequest(
                        size: PixelSize(width: 101, height: 75), orientation: orientation, instructionSet: set)
                    request.isMeasured = true
                    let image = try source.decode(resampling: request, convertsToSRGB: true).image
                    results.append((image.planes + [try #require(image.overview)]).map(\.visibleRows))
                }
                #expect(results.count >= 1 && results.allSatisfy { $0 == results[0] })
            }
        }

        @Test("A subsampled image has the mean chroma of its pixels")
        func subsampledChromaIsMean() throws {
            let source = try ImageSource(try Self.heif("throat-444.heic", Self.colors(transfer: 16)))
            func image(_ chroma: ChromaSubsampling, _ orientation: Orientation) throws -> PlanarImage {
                try source.decode(
                    resampling: ResampleRequest(
                        size: orientation == .up ? PixelSize(width: 85, height: 64) : PixelSize(width: 64, height: 85),
                        orientation: orientation, minChromaSubsampling: chroma), convertsToSRGB: true
                ).image
            }
            let upright = try image(.init(horizontalFactor: 2, verticalFactor: 2), .up)
            #expect(upright.planes.map(\.width) == [85, 43, 43] && upright.planes.map(\.height) == [64, 32, 32])
            let full = try image(.none, .up)
            for (plane, fullPlane) in zip(upright.planes, full.planes) {
                #expect(abs(plane.meanSample - fullPlane.meanSample) < 1)
            }
            for orientation in Orientation.allCases where orientation != .up {
                #expect(try !image(.init(horizontalFactor: 2, verticalFactor: 2), orientation).planes.isEmpty)
            }
        }

        @Test("The content light level of the container counts")
        func contentLightOfContainerIsUsed() throws {
            func mean(_ properties: [[UInt8]]) throws -> Double {
                try Self.decode(Self.heif("ear-gray.avif", Self.colors(transfer: 16), properties)).image.planes[0]
                    .meanSample
            }
            let dim = HEIFFileBuilder.box("clli", [0, 203, 0, 0]),
                bright = HEIFFileBuilder.box("clli", [0x0F, 0xA0, 0, 0])
            #expect(try mean([dim]) > mean([]) && mean([]) > mean([bright]))
            #expect(try mean([HEIFFileBuilder.box("clli", [0, 0, 0, 0])]) == mean([]))
        }

        @Test("Without a conversion, with other primaries, or with an unknown matrix, HEIF is rejected")
        func unsupportedHEIFIsRejected() throws {
            for name in Self.heifFiles {
                let file = try Self.heif(name, Self.colors(transfer: 16))
                let error = try #require(decodingError(for: file))
                #expect(error.code == .unsupportedColor && error.message.contains("high dynamic range"))
            }
            for colors in [Self.colors(primaries: 10, transfer: 16), Self.colors(transfer: 18, matrix: 14)] {
                let file = try Self.heif("throat.heic", colors)
                #expect(throws: CodecError.self) { try Self.decode(file) }
            }
        }

        @Test("Any code points of colors give an image, or a known error")
        func anyCodePointsAreHarmless() throws {
            var codes: [CodecError.Code: Int] = [:], imageCount = 0
            for primaries in [0, 1, 2, 9, 12, 255, 65_535] {
                for transfer in [0, 1, 2, 13, 15, 16, 17, 18, 19, 255, 65_535] {
                    for matrix in [0, 1, 9] {
                        let file = try Self.heif(
                            "ear-gray.avif", Self.colors(primaries: primaries, transfer: transfer, matrix: matrix))
                        do throws(CodecError) {
                            let source = try ImageSource(file)
                            _ = try source.decode(
                                resampling: ResampleRequest(size: PixelSize(width: 8, height: 6)), convertsToSRGB: true)
                            imageCount += 1
                        } catch {
                            codes[error.code, default: 0] += 1
                        }
                    }
                }
            }
            #expect(Set(codes.keys) == [.unsupportedColor] && imageCount > 0)
        }

        @Test("The sample of 10 bits decodes without an anomaly, and states its peak")
        func sampleIsToneMapped() throws {
            let decoded = try Self.decode(try HEIFSample.bytes("small-hdr.avif"))
            #expect(decoded.warnings.map(\.code) == [.toneMapped])
            #expect(decoded.warnings[0].message.contains("PQ, up to 400 cd/m²"))
        }
    #endif
}
