// `unsafe`: setenv, in a process of its own.

import Foundation
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// The encoder writes the requested image and nothing else.
@Suite struct JPEGEncoderTests {
    /// Every chroma subsampling that resampling can give: factors of 1 to 4, and at most 8 pixels per chroma sample.
    static let reductions: [ChromaSubsampling] = (1...4).flatMap { across in
        (1...4).filter { across * $0 <= 8 }.map { ChromaSubsampling(horizontalFactor: across, verticalFactor: $0) }
    }

    /// An image whose planes are linear gradients in different directions.
    private static func makeImage(_ size: PixelSize, _ chroma: ChromaSubsampling?) -> PlanarImage {
        guard let chroma else {
            return PlanarImage(
                size: size, chromaSubsampling: .none,
                planes: LibJPEGFileBuilder.gray.makePlanes(imageSize: size, sample: LibJPEGFileBuilder.slopeSample))
        }
        let luma = [chroma.horizontalFactor, chroma.verticalFactor]
        let recipe = LibJPEGFileBuilder(
            colorSpace: .yCbCr,
            sampling: [LibJPEGFileBuilder.Sampling(horizontal: luma[0], vertical: luma[1]), [1, 1], [1, 1]])
        return PlanarImage(
            size: size, chromaSubsampling: chroma,
            planes: recipe.makePlanes(imageSize: size, sample: LibJPEGFileBuilder.slopeSample))
    }

    private static func encode(
        _ image: PlanarImage, icc: [UInt8]? = nil, quality: Int = 90, isProgressive: Bool = false
    ) throws -> [UInt8] {
        var encoder = try JPEGEncoder()
        return try encoder.encode(
            image, iccProfile: icc,
            options: JPEGEncoder.EncodingOptions(quality: quality, isProgressive: isProgressive))
    }

    @Test(arguments: reductions, [false, true])
    func everyChromaReductionIsWritten(chroma: ChromaSubsampling, isProgressive: Bool) throws {
        let size = PixelSize(width: 45, height: 35)
        let image = Self.makeImage(size, chroma)
        let bytes = try Self.encode(image, quality: 100, isProgressive: isProgressive)
        let frame = try frame(of: bytes)
        #expect(frame.marker == (isProgressive ? 0xC2 : 0xC0))
        #expect(frame.payload[7] == UInt8(chroma.horizontalFactor << 4 | chroma.verticalFactor))
        #expect(frame.payload[10] == 0x11 && frame.payload[13] == 0x11)
        let decoded = try decodeImage(bytes)
        #expect(decoded.image.chromaSubsampling == chroma)
        for (plane, source) in zip(decoded.image.planes, image.planes) {
            // Quality 100 rounds coefficients to integers, which moves a sample by 1, and it is rounded itself.
            #expect(try #require(plane.largestDifference(from: source)) <= 2)
        }
    }

    @Test(arguments: [(1, 1), (1, 2), (2, 1), (7, 5), (8, 8), (9, 9), (16, 17), (17, 33), (300, 1), (1, 300)])
    func anySizeIsWritten(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let reductions: [ChromaSubsampling?] = [
            nil, ChromaSubsampling.none, ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2),
        ]
        for chroma in reductions {
            for isProgressive in [false, true] {
                let bytes = try Self.encode(Self.makeImage(size, chroma), quality: 95, isProgressive: isProgressive)
                let decoded = try decodeImage(bytes)
                #expect(decoded.image.size == size)
                #expect(decoded.image.planes.count == (chroma == nil ? 1 : 3))
                #expect(decoded.warnings == [])
                #expect(decoded.canStripLosslessly)
            }
        }
    }

    @Test func onlyJFIFHeaderAndProfileAreWritten() throws {
        let image = Self.makeImage(.smallOdd, ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2))
        let plain = EditableJPEG(parsing: try Self.encode(image))
        #expect(plain.segments[0].payload == Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
        #expect(plain.markers.filter { (0xE0...0xEF).contains($0) || $0 == 0xFE } == [0xE0])
        #expect(plain.hasEndOfImage && plain.trailingBytes == [])
        for count in [132, 65_000, 70_000, 200_000] {
            let profile = MinimalImageHeaders.makeICCProfile(byteCount: count)
            let bytes = try Self.encode(image, icc: profile)
            let expected = [UInt8](repeating: 0xE2, count: count.dividedRoundingUp(by: 65_519))
            #expect(
                EditableJPEG(parsing: bytes).markers.filter { (0xE0...0xEF).contains($0) || $0 == 0xFE } == [0xE0]
                    + expected)
            #expect(try decodeImage(bytes).iccProfile == profile)
        }
    }

    @Test func emptyProfileIsNotWritten() throws {
        let image = Self.makeImage(.smallOdd, ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2))
        #expect(try Self.encode(image, icc: []) == Self.encode(image))
    }

    @Test func encodingIsDeterministic() throws {
        let sizes = [PixelSize(width: 90, height: 70), .smallOdd, PixelSize(width: 1, height: 1)]
        let images = sizes.flatMap { size in
            ([nil, ChromaSubsampling.none, ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2)]
                as [ChromaSubsampling?]).map {
                    Self.makeImage(size, $0)
                }
        }
        var encoder = try JPEGEncoder()
        for quality in [30, 90] {
            for isProgressive in [true, false] {
                for (index, image) in images.enumerated() {
                    let profile = index.isMultiple(of: 2) ? MinimalImageHeaders.makeICCProfile() : nil
                    let options = JPEGEncoder.EncodingOptions(quality: quality, isProgressive: isProgressive)
                    let bytes = try encoder.encode(image, iccProfile: profile, options: options)
                    let alone = try Self.encode(image, icc: profile, quality: quality, isProgressive: isProgressive)
                    #expect(bytes == alone)
                }
            }
        }
    }

    @Test func progressiveHasSameCoefficientsInFewerBytes() throws {
        let size = PixelSize(width: 120, height: 90)
        let image = PlanarImage(
            size: size, chromaSubsampling: .none, planes: LibJPEGFileBuilder.yCbCr444.makeTexturePlanes(size: size))
        let baseline = try Self.encode(image), progressive = try Self.encode(image, isProgressive: true)
        #expect(
            try decodeImage(baseline).image.planes.map(\.visibleRows)
                == (try decodeImage(progressive)).image.planes.map(\.visibleRows))
        #expect(progressive.count < baseline.count)
    }

    @Test func outputMatchesLibJPEG() throws {
        let recipe = LibJPEGFileBuilder.yCbCr420.modified { $0.quality = 83 }
        let planes = recipe.makeTexturePlanes(size: .smallOdd)
        let image = PlanarImage(
            size: .smallOdd, chromaSubsampling: ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2),
            planes: planes)
        #expect(try Self.encode(image, quality: 83) == (try recipe.encode(imageSize: .smallOdd, planes: planes)))
    }

    @Test func outputLargerThanFirstBufferIsWritten() throws {
        let size = PixelSize(width: 640, height: 480)
        var random = SplitMix64(seed: 1)
        var plane = Plane(width: 640, height: 480)
        for i in plane.samples.indices { plane.samples[i] = UInt8(truncatingIfNeeded: random.next()) }
        let image = PlanarImage(size: size, chromaSubsampling: .none, planes: [plane])
        let bytes = try Self.encode(image, quality: 100)
        #expect(bytes.count > 256 * 1024)
        // Noise at quality 100: each coefficient is rounded, and clipping at 0 and 255 adds nothing.
        #expect(try #require(try decodeImage(bytes).image.planes[0].largestDifference(from: plane)) <= 3)
    }

    private func frame(of bytes: [UInt8]) throws -> EditableJPEG.Segment {
        try #require(EditableJPEG(parsing: bytes).segments.first { [0xC0, 0xC1, 0xC2].contains($0.marker) })
    }
}

/// The estimated quality of a file.
@Suite struct JPEGQualityTests {
    @Test(arguments: 1...100)
    func qualityOfEveryLibJPEGFileIsFound(quality: Int) throws {
        for recipe in [LibJPEGFileBuilder.gray, .yCbCr420] {
            let bytes = try recipe.modified { $0.quality = quality }.encodedTexture(
                size: PixelSize(width: 8, height: 8))
            #expect(try decodeImage(bytes).estimatedSourceQuality == quality)
        }
    }

    @Test(arguments: JPEGEncoderTests.reductions)
    func qualityOfEveryCompactFileIsFound(chroma: ChromaSubsampling) throws {
        let size = PixelSize(width: 8, height: 8)
        let colors = PlanarImage(
            size: size, chromaSubsampling: chroma,
            planes: [
                Plane(width: 8, height: 8)
            ]
                + (0..<2).map { _ in
                    Plane(
                        width: 8.dividedRoundingUp(by: chroma.horizontalFactor),
                        height: 8.dividedRoundingUp(by: chroma.verticalFactor))
                })
        let gray = PlanarImage(size: size, chromaSubsampling: .none, planes: [Plane(width: 8, height: 8)])
        var encoder = try JPEGEncoder()
        for quality in 1...100 {
            for image in [colors, gray] {
                let file = try decodeImage(
                    try encoder.encode(image, iccProfile: nil, options: .init(quality: quality, encoder: .compact)))
                #expect(file.estimatedSourceQuality == quality && file.hasCompactTables)
            }
        }
    }

    @Test func tablesOfLibJPEGAreNotCompact() throws {
        // At quality 1 all steps have the largest value with both encoders.
        for quality in 2...100 {
            let bytes = try LibJPEGFileBuilder.gray.modified { $0.quality = quality }.encodedTexture(
                size: PixelSize(width: 8, height: 8))
            #expect(try !decodeImage(bytes).hasCompactTables)
        }
    }

    @Test func nearestQualityIsFoundForForeignTables() throws {
        var parts = try LibJPEGFileBuilder.gray.modified { $0.quality = 80 }.parsedTexture()
        let index = parts.segmentIndices(withMarker: 0xDB)[0]
        parts.segments[index].payload[5] += 1
        #expect(try decodeImage(parts.bytes).estimatedSourceQuality == 80)
        parts.segments[index].payload.replaceSubrange(1..., with: [UInt8](repeating: 1, count: 64))
        #expect(try decodeImage(parts.bytes).estimatedSourceQuality == 100)
        parts.segments[index].payload.replaceSubrange(1..., with: [UInt8](repeating: 255, count: 64))
        #expect(try decodeImage(parts.bytes).estimatedSourceQuality == 1)
    }

    @Test func qualityIsFoundIn16BitTables() throws {
        var parts = try LibJPEGFileBuilder.gray.modified { $0.quality = 40 }.parsedTexture()
        let index = parts.segmentIndices(withMarker: 0xDB)[0]
        let entries = parts.segments[index].payload.dropFirst()
        parts.segments[index].payload = [0x10] + entries.flatMap { [0, $0] }
        parts.segments[parts.segmentIndices(withMarker: 0xC0)[0]].marker = 0xC1
        #expect(try decodeImage(parts.bytes).estimatedSourceQuality == 40)
    }

    @Test func pngQualityIsUnknown() throws {
        let recipe = PNGFileBuilder(size: PixelSize(width: 2, height: 2), colorType: .gray) { _, _ in [1] }
        #expect(try decodeImage(recipe.fileBytes).estimatedSourceQuality == nil)
    }

    #if os(Linux) || os(macOS)
        /// C reads as many samples as the image's size says.
        @Test func mismatchedPlaneSizesTrap() async {
            await #expect(processExitsWith: .failure) {
                var encoder = try JPEGEncoder()
                let plane = Plane(width: 8, height: 8)
                let image = PlanarImage(
                    size: PixelSize(width: 1000, height: 1000), chromaSubsampling: .none, planes: [plane])
                _ = try encoder.encode(image, iccProfile: nil, options: JPEGEncoder.EncodingOptions(quality: 80))
            }
        }

        @Test func jpegMemEnvironmentIsIgnored() async {
            await #expect(processExitsWith: .success) {
                unsafe setenv("JPEGMEM", "10", 1)
                let size = PixelSize(width: 900, height: 700)
                let planes = LibJPEGFileBuilder.gray.makePlanes(imageSize: size, sample: LibJPEGFileBuilder.slopeSample)
                var encoder = try JPEGEncoder()
                let image = PlanarImage(size: size, chromaSubsampling: .none, planes: planes)
                _ = try encoder.encode(
                    image, iccProfile: nil, options: JPEGEncoder.EncodingOptions(quality: 80, isProgressive: true))
            }
        }
    #endif
}
