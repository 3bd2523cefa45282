import ImageCodecs
import Imaging
import Testing
import TestSupport

/// At the stored size nothing is resampled, so the samples are exactly those of libjpeg.
@Suite struct JPEGExactnessTests {
    @Test(
        arguments: JPEGVariants.commonSamplings,
        [
            PixelSize(width: 1, height: 1), PixelSize(width: 7, height: 5), PixelSize(width: 17, height: 33), .smallOdd,
        ])
    func planesMatchLibJPEGAtEverySamplingAndSize(recipe: LibJPEGFileBuilder, size: PixelSize) throws {
        let bytes = try recipe.encodedTexture(size: size)
        let decoded = try decodeImage(bytes)
        #expect(decoded.warnings == [])
        try expect(decoded.image, equals: bytes, recipe, size)
    }

    @Test(arguments: JPEGVariants.codingVariants.indices, [LibJPEGFileBuilder.gray, .yCbCr444, .yCbCr420])
    func rgbAndCMYKDecodeInEveryCoding(coding: Int, recipe: LibJPEGFileBuilder) throws {
        let coded = recipe.modified(by: JPEGVariants.codingVariants[coding])
        let bytes = try coded.encodedTexture()
        try expect(try decodeImage(bytes).image, equals: bytes, coded, .smallOdd)
        let plain = try decodeImage(try recipe.encodedTexture()).image
        #expect(try decodeImage(bytes).image.planes.map(\.visibleRows) == plain.planes.map(\.visibleRows))
    }

    @Test(arguments: [LibJPEGFileBuilder.gray, .yCbCr444])
    func planesMatchLibJPEGScanlines(recipe: LibJPEGFileBuilder) throws {
        let bytes = try recipe.encodedTexture()
        let channels = recipe.sampling.count
        let pixels = try LibJPEGReferenceDecoder.decodePixels(bytes, size: .smallOdd, channels: channels)
        for (c, plane) in try decodeImage(bytes).image.planes.enumerated() {
            let expected = stride(from: c, to: pixels.count, by: channels).map { pixels[$0] }
            #expect(Array(plane.visibleRows.joined()) == expected)
        }
    }

    @Test(arguments: [1, 10, 50, 90, 100])
    func planesMatchLibJPEGAtEveryQuality(quality: Int) throws {
        let recipe = LibJPEGFileBuilder.yCbCr420.modified { $0.quality = quality }
        let bytes = try recipe.encodedTexture()
        try expect(try decodeImage(bytes).image, equals: bytes, recipe, .smallOdd)
    }

    @Test func planesMatchLibJPEGWithAnyColorMarkers()
        throws
    {
        let plain = try decodeImage(try LibJPEGFileBuilder.yCbCr420.encodedTexture()).image.planes.map(\.visibleRows)
        for (jfif, adobe) in [(true, true), (false, true), (false, false)] {
            let bytes = try LibJPEGFileBuilder.yCbCr420.modified {
                ($0.hasJFIFMarker, $0.hasAdobeMarker) = (jfif, adobe)
            }.encodedTexture()
            #expect(try decodeImage(bytes).image.planes.map(\.visibleRows) == plain, "JFIF \(jfif), Adobe \(adobe)")
        }
    }

    private func expect(
        _ image: PlanarImage, equals bytes: [UInt8], _ recipe: LibJPEGFileBuilder, _ size: PixelSize,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let reference = try LibJPEGReferenceDecoder.decodePlanes(
            bytes, shapedLike: recipe.makeTexturePlanes(size: size))
        #expect(image.size == size, sourceLocation: sourceLocation)
        #expect(image.planes.map(\.visibleRows) == reference.map(\.visibleRows), sourceLocation: sourceLocation)
    }
}

/// A height of zero in the frame header means that the height follows after the first scan.
@Suite struct DNLSegmentTests {
    static let recipes: [LibJPEGFileBuilder] = [
        .gray, .yCbCr420, .yCbCr420.modified(by: JPEGVariants.codingVariants[6]),
        .yCbCr420.modified { $0.isProgressive = true },
    ]

    /// Moves the height from the frame header into a DNL segment.
    static func parts(_ recipe: LibJPEGFileBuilder) throws -> EditableJPEG {
        var parts = try recipe.parsedTexture()
        let frame = try #require(parts.segments.firstIndex { [0xC0, 0xC2].contains($0.marker) })
        let height = Array(parts.segments[frame].payload[1...2])
        parts.segments[frame].payload.replaceSubrange(1...2, with: [0, 0])
        let scan = try #require(parts.segmentIndices(withMarker: 0xDA).first)
        parts.segments.insert(EditableJPEG.Segment(marker: 0xDC, payload: height), at: scan + 1)
        return parts
    }

    @Test(arguments: recipes)
    func fileWithDNLSegmentIsDecoded(recipe: LibJPEGFileBuilder) throws {
        let expected = try decodeImage(try recipe.encodedTexture())
        let bytes = try Self.parts(recipe).bytes
        let decoded = try decodeImage(bytes)
        #expect(decoded.image.planes.map(\.visibleRows) == expected.image.planes.map(\.visibleRows))
        #expect(decoded.warnings == [])
        #expect(try ImageHeader(probing: bytes)?.uprightSize == .smallOdd)
    }

    @Test(arguments: recipes)
    func heightMovesToFrameHeaderWhenStripping(recipe: LibJPEGFileBuilder) throws {
        let cleaned = try #require(try ImageSource(try Self.parts(recipe).bytes).strippedJPEG)
        #expect(cleaned == (try recipe.encodedTexture()))
    }

    @Test func fileCutBeforeDNLSegmentIsTruncated() throws {
        let parts = try Self.parts(.yCbCr420)
        let whole = parts.bytes.count
        let segmentAndEnd = 6 + 2
        for count in [whole - segmentAndEnd, whole - segmentAndEnd - 40] {
            #expect(decodingError(for: Array(parts.bytes.prefix(count)))?.code == .truncated)
        }
    }

    @Test func missingOrZeroDNLHeightIsDamaged() throws {
        var parts = try Self.parts(.yCbCr420)
        let index = try #require(parts.segmentIndices(withMarker: 0xDC).first)
        parts.segments[index].payload = [0, 0]
        #expect(decodingError(for: parts.bytes)?.code == .damaged)
        parts.segments.remove(at: index)
        #expect(decodingError(for: parts.bytes)?.code == .damaged)
    }
}
